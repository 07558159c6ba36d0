import Foundation
import Pallium

/// `pallium archive`: documents to one archive.
struct ArchiveCommand {
    let arguments: ArchivingArguments
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        guard let adapter = diagnostics.adapter(for: arguments.source, options: options) else { return .misuse }
        let decoder = DocumentDecoder(adapter: adapter, isCollecting: false)
        let source = DocumentSource(arguments.source, diagnostics: diagnostics, survivesUnreadableFiles: false)
        var models: [DynamicModel] = []
        do throws(Interruption) {
            try source.forEach(willWait: {}) { document throws(Interruption) in
                let result = decoder.decode(document)
                guard result.problems.isEmpty else {
                    diagnostics.report(result.problems, in: document)
                    throw .problem
                }
                models += result.models
            }
        } catch {
            return diagnostics.status(of: error)
        }
        do throws(ModelError) {
            try ModelArchiver().write(models, to: URL(fileURLWithPath: arguments.output))
        } catch {
            return diagnostics.status(of: error, file: arguments.output)
        }
        diagnostics.sumUp("\(Quantity.count(models.count, "model")) in \(InputFile.displayName(of: arguments.output))")
        return .success
    }
}
