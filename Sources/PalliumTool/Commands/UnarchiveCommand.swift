import Foundation
import Pallium

/// `pallium unarchive`: writes the models of archives as JSON documents.
struct UnarchiveCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = arguments.schemas.flatMap({ diagnostics.catalog($0) }) else { return .misuse }
        let requested = diagnostics.redaction(arguments.redaction, among: catalog.labels)
        if case .refused = requested { return .misuse }
        var status = ExitStatus.success
        for path in arguments.inputs {
            do throws(SystemError) {
                let bytes = try diagnostics.contents(of: path)
                var text: Data?
                do throws(ModelError) {
                    let name = InputFile.displayName(of: path)
                    let opened = try diagnostics.showing("opening \(name)", bytes: bytes.count) {
                        () throws(ModelError) in try open(bytes, catalog)
                    }
                    if !opened.problems.isEmpty {
                        diagnostics.report(opened.problems, file: name, location: nil)
                        status = .problems
                    }
                    text = try self.text(of: opened, catalog, requested.redaction, name)
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
    private func text(
        of opened: Opened, _ catalog: SchemaCatalog, _ redaction: Redaction?, _ name: String
    ) throws(ModelError) -> Data? {
        var options = JSONAdapterOptions()
        options.writing.pretty = arguments.isPretty
        options.writesIncompleteModels = !arguments.validates
        if !opened.isArray {
            guard let model = opened.models.first else { return nil }
            let adapter = try catalog.adapter(model: model.schema.name, options: options)
            return try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
        }
        var elements: [JSONValue] = []
        var progress = Progress(
            activity: "writing \(name)", total: opened.models.count, of: "model", diagnostics: diagnostics)
        defer { progress.end() }
        for model in opened.models {
            progress.advance()
            let adapter = try catalog.adapter(model: model.schema.name, options: options)
            elements.append(try adapter.jsonValue(from: model, redacting: redaction?.limited(to: adapter.labels)))
        }
        do throws(JSONSyntaxError) { return Data(try JSONValue.array(elements).bytes(options: options.writing)) } catch
        {
            throw ModelError(
                .depthLimit, expected: "at most \(options.writing.maximumDepth.counted("level"))", found: "more")
        }
    }
}
