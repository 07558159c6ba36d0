import Pallium

extension CommandSpec {
    static let show = CommandSpec(
        name: "show", summary: "print the models of documents as indented trees",
        usage: ["--schemas DIR --model NAME [OPTION…] FILE…"],
        about: """
            Reads documents as decode does and prints every model as a tree, one property a line. Defaults
            that the schema supplied are marked, values with labels are masked, very long values are cut.
            FILE is a file, or - for standard input. The first problem ends the run.
            """,
        options: [
            .schemas, .model, .profile, .opaqueTransformers, .linesOfBoth, .comments, .maximumBytes, .output, .help,
        ],
        examples: "pallium show --schemas Schemas/github --model Event Schemas/samples/events.json | less",
        run: running(ShowCommand.self, SourceArguments.init))
}

/// `pallium show`: prints documents as trees for people.
struct ShowCommand: RunnableCommand {
    let arguments: SourceArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let source = DocumentSource(
            arguments.inputs, isLines: arguments.isLines, adapter: try run.adapter(for: arguments),
            run: run)
        try source.forEach(willWait: output.flush) { decoded throws(Interruption) in
            for model in decoded.models { try output.append("\(model.debugDescription)\n") }
            if decoded.problems.isEmpty { return }
            try output.flush()
            run.report(decoded.problems, file: decoded.file, location: decoded.location)
            throw .problem
        }
        try output.flush()
        return .success
    }
}
