import Pallium
import PalliumTrials

/// `pallium laws`: checks with samples that the models of schemas keep the laws.
struct LawsCommand: RunnableCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let catalog = try diagnostics.samplingCatalog(arguments)
        let names = arguments.model.map { [$0] } ?? catalog.registry.schemas.map(\.name)
        var (broken, documents, unchecked) = (0, 0, 0)
        var omissions: [SchemaError.Problem] = []
        var reported: Set<SchemaError.Problem> = []
        var progress = Progress(
            activity: "checking laws", total: arguments.count.map { $0 * names.count }, of: "document",
            diagnostics: diagnostics)
        defer { progress.end() }
        for name in names {
            var samples: SampleDocuments
            do throws(Interruption) { samples = try diagnostics.samples(of: name, in: catalog, arguments) } catch {
                _ = diagnostics.status(of: error)
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
                diagnostics.say(ModelError.shorten("\(name) is not checked: \(error)", to: 4096))
                unchecked += 1
                continue
            }
            documents += result.documents
            broken += result.broken.count
            for law in result.broken { try output.append(linesOf: law.description) }
        }
        try output.flush()
        diagnostics.report(omissions: omissions)
        diagnostics.sumUp(
            "\(Quantity.count(documents, "document")) of \(Quantity.count(names.count - unchecked, "schema")), "
                + "\(Quantity.count(broken, "broken law"))")
        return unchecked > 0 ? .misuse : broken > 0 ? .problems : .success
    }
}
