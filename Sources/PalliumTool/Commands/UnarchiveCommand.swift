import Foundation
import Pallium

/// `pallium unarchive`: writes the models of archives as JSON documents.
struct UnarchiveCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.catalog(path: arguments.schemas ?? "") else { return .misuse }
        var status = ExitStatus.success
        for path in arguments.inputs {
            do throws(SystemError) {
                let bytes = try InputFile(path: path).readToEnd()
                var text: Data?
                do throws(ModelError) {
                    let opened = try open(bytes, catalog)
                    if !opened.problems.isEmpty {
                        diagnostics.report(opened.problems, file: InputFile.displayName(of: path), location: nil)
                        status = .problems
                    }
                    text = try self.text(of: opened, catalog)
                } catch {
                    try? output.flush()
                    status = diagnostics.status(of: error, file: path)
                    guard arguments.isCollecting else { return status }
                }
                guard let text else { continue }
                do throws(OutputError) {
                    try output.append(text)
                    try output.append("\n")
                } catch { return diagnostics.status(of: error) }
            } catch {
                diagnostics.report(unreadable: InputFile.displayName(of: path), error)
                return .misuse
            }
        }
        do throws(OutputError) { try output.flush() } catch { return diagnostics.status(of: error) }
        return status
    }

    /// The content of an opened archive.
    private struct Opened {
        let models: [DynamicModel]
        var problems: [ModelError] = []
        /// Whether the archive was made of several models or of none.
        let isArray: Bool
    }

    /// Opens an archive; if problems are collected, as much of it as possible.
    private func open(_ bytes: [UInt8], _ catalog: SchemaCatalog) throws(ModelError) -> Opened {
        let unarchiver = catalog.unarchiver(arguments)
        guard arguments.isCollecting else {
            let models = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes)
            return Opened(models: models, isArray: models.count != 1)
        }
        let report = unarchiver.report(DynamicModel.self, from: bytes)
        return Opened(models: report.models, problems: report.problems, isArray: report.isArray)
    }

    /// Returns an object for an archive of one model, an array for any other; nil if the single model could not be
    /// opened.
    private func text(of opened: Opened, _ catalog: SchemaCatalog) throws(ModelError) -> Data? {
        var options = JSONAdapterOptions()
        options.writing.pretty = arguments.isPretty
        options.writesIncompleteModels = !arguments.validates
        if !opened.isArray {
            guard let model = opened.models.first else { return nil }
            return try catalog.adapter(model: model.schema.name, options: options).data(from: model)
        }
        var elements: [JSONValue] = []
        for model in opened.models {
            elements.append(try catalog.adapter(model: model.schema.name, options: options).jsonValue(from: model))
        }
        do throws(JSONSyntaxError) { return Data(try JSONValue.array(elements).bytes(options: options.writing)) } catch
        {
            throw ModelError(
                .depthLimit, expected: "at most \(options.writing.maximumDepth) levels", found: "more")
        }
    }
}
