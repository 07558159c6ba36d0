import Foundation
import Pallium

extension CommandSpec {
    static let archive = CommandSpec(
        name: "archive", summary: "write the models of documents into an archive",
        usage: ["--schemas DIR --model NAME --output FILE [OPTION…] FILE…"],
        about: """
            Reads documents as decode does and writes all their models into one archive. FILE is a file, or -
            for standard input. The first problem ends the run, and nothing is written then.
            """,
        options: [
            .schemas, .model, .profile,
            .output.explained(
                """
                The archive to write, - for standard output. A file that exists is replaced as a
                whole or not at all. Required.
                """),
            .linesOfBoth, .unknown, .comments, .maximumBytes, .help,
        ],
        examples: """
            pallium archive --schemas Schemas/github --model Event --output events.pallium \\
              Schemas/samples/events.json
            pallium archive --schemas Schemas/github --model Event --output - - < events.json > events.pallium
            """,
        run: running(ArchiveCommand.self, ArchivingArguments.init))
}

/// `pallium archive`: writes the models of documents into one archive.
struct ArchiveCommand: RunnableCommand {
    let arguments: ArchivingArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        if output.isTerminal {
            throw .refused("an archive is no text for a terminal: name a file, or pass it to a program")
        }
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        let source = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines,
            adapter: try run.adapter(for: arguments.source, options: options), run: run)
        var models: [DynamicModel] = []
        try source.forEach(willWait: {}) { decoded throws(Interruption) in
            guard decoded.problems.isEmpty else {
                run.report(decoded.problems, file: decoded.file, location: decoded.location)
                throw .problem
            }
            models += decoded.models
        }
        let bytes: Data
        do throws(ModelError) {
            bytes = try run.showing(
                "archiving \(Quantity.count(models.count, "model"))", bytes: source.bytesRead
            ) { () throws(ModelError) in try ModelArchiver().archive(models) }
        } catch { return run.status(of: error, file: arguments.output) }
        try output.append(bytes)
        try output.flush()
        let place =
            InputFile.isStandardInput(arguments.output) ? "<stdout>" : InputFile.displayName(of: arguments.output)
        run.sumUp("\(Quantity.count(models.count, "model")) in \(place)")
        return .success
    }
}
