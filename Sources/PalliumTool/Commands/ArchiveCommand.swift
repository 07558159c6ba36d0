import Foundation
import Pallium

/// `pallium archive`: writes the models of documents into one archive.
struct ArchiveCommand {
    let arguments: ArchivingArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        if output.isTerminal {
            diagnostics.say("an archive is no text for a terminal: name a file, or pass it to a program")
            return .misuse
        }
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        guard let adapter = diagnostics.adapter(for: arguments.source, options: options) else { return .misuse }
        let decoder = DocumentDecoder(adapter: adapter, isCollecting: false)
        let source = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines, decoder: decoder, diagnostics: diagnostics)
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
        let archiver = ModelArchiver(targetVersions: arguments.targetVersions)
        do throws(ModelError) {
            let bytes = try diagnostics.showing(
                "archiving \(Quantity.count(models.count, "model"))", bytes: source.bytesRead
            ) { () throws(ModelError) in try archiver.archive(models) }
            do throws(OutputError) {
                try output.append(bytes)
                try output.flush()
            } catch { return diagnostics.status(of: error) }
        } catch {
            // Not the documents are wrong, but the schemas or the target.
            switch error.problems[0].code {
            case .unknownSchema, .newerVersion, .olderVersion, .notReversible:
                for problem in error.problems {
                    diagnostics.say(PrintableText.escape(problem.description, limit: 4096))
                }
                return .misuse
            default: return diagnostics.status(of: error, file: arguments.output)
            }
        }
        let place =
            InputFile.isStandardInput(arguments.output) ? "<stdout>" : InputFile.displayName(of: arguments.output)
        diagnostics.sumUp("\(Quantity.count(models.count, "model")) in \(place)")
        return .success
    }
}
