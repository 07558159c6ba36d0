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
        let source = DocumentSource(
            arguments.source, decoder: decoder, diagnostics: diagnostics, survivesUnreadableFiles: false)
        var models: [DynamicModel] = []
        do throws(Interruption) {
            try source.forEach(willWait: {}) { decoded throws(Interruption) in
                guard decoded.problems.isEmpty else {
                    diagnostics.report(decoded.problems, file: decoded.file, location: decoded.location)
                    throw .problem
                }
                models += decoded.models
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
