import Pallium
import PalliumTrials

extension CommandSpec {
    static let compare = CommandSpec(
        name: "compare", summary: "find what a change of schemas does to data of the other version",
        usage: ["[OPTION…] OLD NEW"],
        about: """
            Reads two versions of schema documents, folders or files, and lists every change on standard output,
            breaking ones first. Several changes of doc texts make one line.
            Documents made from the schemas of one version, and archives of them, are read with the other one.
            A change is breaking if data is refused or a property is read with another value, lossy if a value
            has no property any more, and harmless if nothing of this can happen. It is unproved if neither a
            document that breaks was found nor a proof that there is none. What breaks is shown with the
            smallest document that was found, and with the error. Properties for which no value is known are
            not compared and named on standard error.
            """,
        options: [
            .schemas.explained(
                """
                Documents that both versions refer to: a folder of .json files, or one file. May be
                given several times.
                """),
            .direction, .breakingOnly, .allowUnproved, .seed, .opaqueTransformers, .output, .help,
        ],
        problems: "a change is breaking, or unproved without --allow-unproved",
        examples: "pallium compare Schemas.old Schemas",
        run: running(CompareCommand.self, CompareArguments.init))
}

extension Option {
    static let direction = Option(
        "--direction", value: "backward|forward",
        """
        Only read old data with the new schemas (backward), or new data with the old ones
        (forward). Both otherwise.
        """)
    static let breakingOnly = Option("--breaking-only", "List breaking changes only. The others are still counted.")
    static let allowUnproved = Option(
        "--allow-unproved", "The exit status is 1 for breaking changes only, and not for unproved ones.")
}

/// `pallium compare`: finds what a change of schemas does to data.
struct CompareCommand: RunnableCommand {
    let arguments: CompareArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let (old, new) = (try catalog(arguments.old), try catalog(arguments.new))
        let comparison: SchemaComparison
        do throws(SchemaError) {
            var progress = Progress(activity: "comparing", total: nil, of: "schema", run: run)
            defer { progress.end() }
            comparison = try SchemaComparison(
                of: old.registry, with: new.registry, directions: arguments.directions, seed: arguments.seed
            ) { compared, total in progress.advance(to: compared, of: total) }
        } catch {
            run.report(omissions: error.problems)
            throw .misuse
        }
        for line in lines(comparison.changes) { try output.append(linesOf: line) }
        try output.flush()
        run.report(omissions: comparison.omissions)
        let counts = SchemaChange.Severity.allCases.reversed().map { severity in
            "\(comparison.changes.count { $0.severity == severity }) \(severity)"
        }
        let changes = Quantity.count(comparison.changes.count, "change")
        run.sumUp(comparison.changes.isEmpty ? changes : "\(changes): \(counts.joined(separator: ", "))")
        return comparison.changes.contains { change in
            change.severity == .breaking || change.severity == .unproved && !arguments.allowsUnproved
        } ? .problems : .success
    }

    /// The changes that are listed, breaking ones first. Several changes of texts for people make one line.
    private func lines(_ changes: [SchemaChange]) -> [String] {
        let breaking = changes.filter { $0.severity == .breaking }.map(\.description)
        if arguments.isBreakingOnly { return breaking }
        let others = changes.filter { $0.severity != .breaking }
        let texts = others.filter { $0.rule.split(separator: ".").last?.hasPrefix("doc-") == true }
        if texts.count < 2 { return breaking + others.map(\.description) }
        return breaking + others.filter { !texts.contains($0) }.map(\.description)
            + ["\(Quantity.count(texts.count, "text")) of doc changed"]
    }

    private func catalog(_ paths: SchemaPaths) throws(Interruption) -> SchemaCatalog {
        try run.catalog(
            paths, isOpaque: arguments.hasOpaqueTransformers, namesOpaqueValues: false, into: SchemaRegistry())
    }
}
