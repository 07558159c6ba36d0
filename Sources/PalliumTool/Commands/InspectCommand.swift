import Pallium

extension CommandSpec {
    static let inspect = CommandSpec(
        name: "inspect", summary: "print what archives hold, without schemas",
        usage: ["FILE…"],
        about: """
            Checks archives and prints the schemas they were written with, versions, numbers of objects, and
            the models as trees. Values with labels are masked, very long values are cut. FILE is a file, or -
            for standard input.
            """,
        options: [.maximumArchiveBytes, .output, .help],
        examples: "pallium inspect events.pallium | less",
        run: running(InspectCommand.self, ArchiveArguments.init))
}

/// `pallium inspect`: prints the content of archives, without schemas.
struct InspectCommand: RunnableCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        for path in arguments.inputs {
            let name = InputFile.displayName(of: path)
            let bytes = try run.contents(of: path)
            let graph: StoredGraph
            do throws(ModelError) {
                graph = try run.showing("opening \(name)", bytes: bytes.count) {
                    () throws(ModelError) in try StoredGraph(bytes)
                }
            } catch {
                try? output.flush()
                return run.status(of: error, file: path)
            }
            let progress = Progress(activity: "printing \(name)", total: graph.objects.count, of: "object", run: run)
            defer { progress.end() }
            var tree = StoredTree(graph, output: output, progress: progress)
            try output.append(
                "\(name): \(Quantity.count(graph.objects.count, "object")), "
                    + "\(Quantity.count(graph.roots.count, "root")), \(Quantity.size(bytes.count))\n")
            try tree.write()
        }
        try output.flush()
        return .success
    }
}

extension StoredGraph {
    fileprivate init(_ bytes: [UInt8]) throws(ModelError) {
        self = try bytes.withBorrowedBytes { bytes throws(ModelError) in try StoredGraph(bytes) }
    }
}
