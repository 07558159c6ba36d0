import Pallium
import PalliumTrials

/// `pallium compare`: finds what a change of schemas does to data.
struct CompareCommand: RunnableCommand {
    let arguments: CompareArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let (old, new) = (try catalog(arguments.old), try catalog(arguments.new))
        let comparison: SchemaComparison
        do throws(SchemaError) {
            var progress = Progress(activity: "comparing", total: nil, of: "schema", diagnostics: diagnostics)
            defer { progress.end() }
            comparison = try SchemaComparison(
                of: old.registry, with: new.registry, directions: arguments.directions, seed: arguments.seed
            ) { compared, total in progress.advance(to: compared, of: total) }
        } catch {
            diagnostics.report(omissions: error.problems)
            throw .misuse
        }
        for change in comparison.changes { try output.append(linesOf: change.description) }
        try output.flush()
        diagnostics.report(omissions: comparison.omissions)
        let counts = SchemaChange.Severity.allCases.reversed().map { severity in
            "\(comparison.changes.count { $0.severity == severity }) \(severity)"
        }
        let changes = Quantity.count(comparison.changes.count, "change")
        diagnostics.sumUp(comparison.changes.isEmpty ? changes : "\(changes): \(counts.joined(separator: ", "))")
        return comparison.changes.contains { change in
            change.severity == .breaking || change.severity == .unproved && !arguments.allowsUnproved
        } ? .problems : .success
    }

    private func catalog(_ paths: SchemaPaths) throws(Interruption) -> SchemaCatalog {
        try diagnostics.catalog(
            paths, isOpaque: arguments.hasOpaqueTransformers, namesOpaqueValues: false, into: SchemaRegistry())
    }
}
