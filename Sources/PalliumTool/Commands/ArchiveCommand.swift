import Foundation
import Pallium

/// `pallium archive`: writes the models of documents into one archive.
struct ArchiveCommand: RunnableCommand {
    let arguments: ArchivingArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        if output.isTerminal {
            throw .refused("an archive is no text for a terminal: name a file, or pass it to a program")
        }
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        let source = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines,
            adapter: try diagnostics.adapter(for: arguments.source, options: options), diagnostics: diagnostics)
        var models: [DynamicModel] = []
        try source.forEach(willWait: {}) { decoded throws(Interruption) in
            guard decoded.problems.isEmpty else {
                diagnostics.report(decoded.problems, file: decoded.file, location: decoded.location)
                throw .problem
            }
            models += decoded.models
        }
        let bytes: Data
        do throws(ModelError) {
            bytes = try diagnostics.showing(
                "archiving \(Quantity.count(models.count, "model"))", bytes: source.bytesRead
            ) { () throws(ModelError) in try ModelArchiver().archive(models) }
        } catch { return diagnostics.status(of: error, file: arguments.output) }
        try output.append(bytes)
        try output.flush()
        let place =
            InputFile.isStandardInput(arguments.output) ? "<stdout>" : InputFile.displayName(of: arguments.output)
        diagnostics.sumUp("\(Quantity.count(models.count, "model")) in \(place)")
        return .success
    }
}
