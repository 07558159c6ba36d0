import Foundation
import Pallium

/// `pallium unarchive`: archives to JSON documents.
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
                let text: Data
                do throws(ModelError) {
                    let models = try models(in: bytes, catalog) { problems in
                        diagnostics.report(problems, file: path, location: nil)
                        status = .problems
                    }
                    text = try self.text(of: models, catalog)
                } catch {
                    try? output.flush()
                    return diagnostics.status(of: error, file: path)
                }
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

    /// The models of an archive; those that can be opened, where problems are collected.
    private func models(
        in bytes: [UInt8], _ catalog: SchemaCatalog, report: ([ModelError]) -> Void
    ) throws(ModelError) -> [DynamicModel] {
        let unarchiver = catalog.unarchiver(arguments)
        guard arguments.isCollecting else { return try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes) }
        let found = unarchiver.report(DynamicModel.self, from: bytes)
        if !found.problems.isEmpty { report(found.problems) }
        return found.models
    }

    /// An object for one model, an array for any other number.
    private func text(of models: [DynamicModel], _ catalog: SchemaCatalog) throws(ModelError) -> Data {
        var options = JSONAdapterOptions()
        options.writing.pretty = arguments.isPretty
        if models.count == 1 {
            return try catalog.adapter(model: models[0].schema.name, options: options).data(from: models[0])
        }
        var elements: [JSONValue] = []
        for model in models {
            elements.append(try catalog.adapter(model: model.schema.name, options: options).jsonValue(from: model))
        }
        do throws(JSONSyntaxError) { return Data(try JSONValue.array(elements).bytes(options: options.writing)) } catch
        {
            throw ModelError(
                .depthLimit, expected: "at most \(options.writing.maximumDepth) levels", found: "more")
        }
    }
}
