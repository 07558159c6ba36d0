import Pallium
import PalliumLaws

/// `pallium laws`: checks with samples that the models of schemas keep the laws.
struct LawsCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.samplingCatalog(arguments) else { return .misuse }
        let names = arguments.model.map { [$0] } ?? catalog.registry.schemas.map(\.name)
        var (broken, documents, unchecked) = (0, 0, 0)
        var omissions: [SchemaError.Problem] = []
        var reported: Set<SchemaError.Problem> = []
        var progress = Progress(
            activity: "checking laws", total: arguments.count.map { $0 * names.count }, of: "document",
            diagnostics: diagnostics)
        defer { progress.end() }
        do throws(OutputError) {
            for name in names {
                guard var samples = diagnostics.samples(of: name, in: catalog, arguments) else {
                    unchecked += 1
                    continue
                }
                // A nested schema has the same omissions as the one around it.
                omissions += samples.omissions.filter { reported.insert($0).inserted }
                let result: (broken: [BrokenLaw], documents: Int)
                do {
                    result = try SchemaLaws.check(
                        &samples, of: catalog.schema(named: name), registry: catalog.registry, count: arguments.count,
                        seed: arguments.seed
                    ) { progress.advance() }
                } catch {
                    diagnostics.say(PrintableText.escape("\(name) is not checked: \(error)", limit: 4096))
                    unchecked += 1
                    continue
                }
                documents += result.documents
                broken += result.broken.count
                for law in result.broken {
                    for line in law.description.split(separator: "\n") {
                        try output.append("\(PrintableText.escape(line, limit: 4096))\n")
                    }
                }
            }
            try output.flush()
        } catch { return diagnostics.status(of: error) }
        diagnostics.report(omissions: omissions)
        diagnostics.sumUp(
            "\(Quantity.count(documents, "document")) of \(Quantity.count(names.count - unchecked, "schema")), "
                + "\(Quantity.count(broken, "broken law"))")
        return unchecked > 0 ? .misuse : broken > 0 ? .problems : .success
    }
}
