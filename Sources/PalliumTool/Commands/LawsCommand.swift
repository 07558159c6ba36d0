import Pallium
import PalliumTrials

extension CommandSpec {
    static let laws = CommandSpec(
        name: "laws", summary: "check with samples that models survive JSON, archives, copies and merges",
        usage: ["DIR… [--model NAME] [OPTION…]"],
        about: """
            Makes samples of the schemas in DIR, a folder or a file, and checks that models survive what
            programs do with them: JSON and archives give back equal models, copies are equal, validating
            and merging an equal model changes nothing, merging into an empty model gives an equal one, and
            documents, archives and rows of earlier versions are upgraded alike. Each law that does not
            hold is reported on standard output with the property, and the smallest document that was
            found to show it. Properties for which no value is known are not checked and named on standard
            error.
            """,
        options: [
            .model.explained("The schema of the documents' roots; otherwise every schema is one."),
            .count.explained(
                """
                The number of documents for each schema; otherwise as many as cover every choice, at
                most \(SampleDocuments.maximumCoverage).
                """),
            .seed, .samplesOfOpaque, .output, .help,
        ],
        problems: "a law is broken",
        examples: "pallium laws Schemas/github --model Issue",
        run: running(LawsCommand.self) { parsed throws(UsageError) in try SampleArguments(parsed, needsModel: false) })
}

/// `pallium laws`: checks with samples that the models of schemas keep the laws.
struct LawsCommand: RunnableCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let catalog = try run.samplingCatalog(arguments)
        let names = arguments.model.map { [$0] } ?? catalog.registry.schemas.map(\.name)
        var (broken, documents, unchecked) = (0, 0, 0)
        var omissions: [SchemaError.Problem] = []
        var reported: Set<SchemaError.Problem> = []
        var progress = Progress(
            activity: "checking laws", total: arguments.count.map { $0 * names.count }, of: "document",
            run: run)
        defer { progress.end() }
        for name in names {
            var samples: SampleDocuments
            do throws(Interruption) { samples = try run.samples(of: name, in: catalog, arguments) } catch {
                _ = run.status(of: error)
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
                run.say(ModelError.shorten("\(name) is not checked: \(error)", to: 4096))
                unchecked += 1
                continue
            }
            documents += result.documents
            broken += result.broken.count
            for law in result.broken { try output.append(linesOf: law.description) }
        }
        try output.flush()
        run.report(omissions: omissions)
        run.sumUp(
            "\(Quantity.count(documents, "document")) of \(Quantity.count(names.count - unchecked, "schema")), "
                + "\(Quantity.count(broken, "broken law"))")
        return unchecked > 0 ? .misuse : broken > 0 ? .problems : .success
    }
}
