import Pallium
import PalliumLaws

/// `pallium compare`: finds what a change of schemas does to data.
struct CompareCommand {
    let arguments: CompareArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let old = catalog(arguments.old), let new = catalog(arguments.new) else { return .misuse }
        let comparison: SchemaComparison
        do throws(SchemaError) {
            var progress = Progress(activity: "comparing", total: nil, of: "schema", diagnostics: diagnostics)
            defer { progress.end() }
            comparison = try SchemaComparison(
                of: old.registry, with: new.registry, directions: arguments.directions, seed: arguments.seed
            ) { compared, total in progress.advance(to: compared, of: total) }
        } catch {
            diagnostics.report(omissions: error.problems)
            return .misuse
        }
        do throws(OutputError) {
            for change in comparison.changes {
                for line in change.description.split(separator: "\n") {
                    try output.append("\(PrintableText.escape(line, limit: 4096))\n")
                }
            }
            try output.flush()
        } catch { return diagnostics.status(of: error) }
        diagnostics.report(omissions: comparison.omissions)
        let counts = SchemaChange.Severity.allCases.reversed().map { severity in
            "\(comparison.changes.count { $0.severity == severity }) \(severity)"
        }
        let changes = Quantity.count(comparison.changes.count, "change")
        diagnostics.sumUp(comparison.changes.isEmpty ? changes : "\(changes): \(counts.joined(separator: ", "))")
        return comparison.changes.contains { $0.severity == .breaking } ? .problems : .success
    }

    private func catalog(_ paths: SchemaPaths) -> SchemaCatalog? {
        diagnostics.catalog(
            paths, isOpaque: arguments.hasOpaqueTransformers, namesOpaqueValues: false, into: SchemaRegistry())
    }
}
