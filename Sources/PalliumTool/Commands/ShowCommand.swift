import Pallium

/// `pallium show`: prints documents as trees for people.
struct ShowCommand: RunnableCommand {
    let arguments: SourceArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let source = DocumentSource(
            arguments.inputs, isLines: arguments.isLines, adapter: try diagnostics.adapter(for: arguments),
            diagnostics: diagnostics)
        try source.forEach(willWait: output.flush) { decoded throws(Interruption) in
            for model in decoded.models { try output.append("\(model.debugDescription)\n") }
            if decoded.problems.isEmpty { return }
            try output.flush()
            diagnostics.report(decoded.problems, file: decoded.file, location: decoded.location)
            throw .problem
        }
        try output.flush()
        return .success
    }
}
