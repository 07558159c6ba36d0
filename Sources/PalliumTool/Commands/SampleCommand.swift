import Pallium
import PalliumTrials

extension CommandSpec {
    static let sample = CommandSpec(
        name: "sample", summary: "make documents from schemas, valid ones or with one mistake each",
        usage: ["DIR… --model NAME [OPTION…]"],
        about: """
            Reads the schema documents of DIR, a folder or a file, and writes documents of one model each to
            standard output, one a line. A few documents cover every property absent, null and with values at
            the edges of its kind and rules, every case, and every model that a cluster chooses. The same
            schemas and seed give the same documents. Properties for which no value is known are left out and
            named on standard error.

            With --invalid, every line is an object with the members document and expected. The document has
            one mistake, and expected has the code and the JSON Pointer of the error that
            'pallium decode --unknown refuse' reports.
            """,
        options: [.model, .count, .seed, .invalid, .samplesOfOpaque, .output, .help],
        problems: "not used",
        examples: """
            pallium sample Schemas/github --model Issue > issues.jsonl
            pallium sample Schemas/github --model Issue --invalid
            """,
        run: running(SampleCommand.self) { parsed throws(UsageError) in try SampleArguments(parsed, needsModel: true) })
}

extension Option {
    static let invalid = Option(
        "--invalid", "Make documents with exactly one mistake each, and the error that decoding reports.")
}

/// `pallium sample`: makes documents from schemas.
struct SampleCommand: RunnableCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        // The arguments have a model.
        var samples = try run.samples(of: arguments.model ?? "", in: run.samplingCatalog(arguments), arguments)
        run.report(omissions: samples.omissions)
        var progress = Progress(activity: "making samples", total: arguments.count, of: "document", run: run)
        defer { progress.end() }
        if arguments.isInvalid {
            for sample in samples.invalid().prefix(arguments.count ?? .max) {
                try append(sample.json)
                progress.advance()
            }
        } else {
            var made = 0
            while let document = samples.next(after: made, of: arguments.count) {
                try append(document)
                progress.advance()
                made += 1
            }
        }
        try output.flush()
        return .success
    }

    private func append(_ document: JSONValue) throws(Interruption) {
        // Samples are not deep, so each has a text.
        try output.append(((try? document.text()) ?? "") + "\n")
    }
}

extension Run {
    /// Loads the schemas. Samples name what is opaque themselves.
    func samplingCatalog(_ arguments: SampleArguments) throws(Interruption) -> SchemaCatalog {
        try catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers, namesOpaqueValues: false)
    }

    /// Prepares samples of a schema.
    func samples(
        of name: String, in catalog: SchemaCatalog, _ arguments: SampleArguments
    ) throws(Interruption) -> SampleDocuments {
        let schema = try catalog.schema(named: name)
        do throws(SchemaError) {
            return try SampleDocuments(of: schema, registry: catalog.registry, seed: arguments.seed)
        } catch {
            report(omissions: error.problems)
            throw .misuse
        }
    }

    /// Reports properties without samples.
    func report(omissions: [SchemaError.Problem]) {
        for problem in omissions { say(ModelError.shorten(problem.description, to: 4096)) }
    }
}
