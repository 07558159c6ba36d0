import Pallium

/// `pallium sample`: makes documents from schemas.
struct SampleCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = diagnostics.samplingCatalog(arguments),
            let name = arguments.model,
            var samples = diagnostics.samples(of: name, in: catalog, arguments)
        else { return .misuse }
        diagnostics.report(omissions: samples.omissions)
        do throws(OutputError) {
            var progress = Progress(
                activity: "making samples", total: arguments.count, of: "document", diagnostics: diagnostics)
            defer { progress.end() }
            if arguments.isInvalid {
                for sample in samples.invalid().prefix(arguments.count ?? .max) {
                    try append(sample.json)
                    progress.advance()
                }
            } else {
                var made = 0
                while made < arguments.count ?? SampleArguments.maximumCoverage,
                    arguments.count != nil || !samples.isComplete
                {
                    try append(samples.next())
                    progress.advance()
                    made += 1
                }
            }
            try output.flush()
            return .success
        } catch { return diagnostics.status(of: error) }
    }

    private func append(_ document: JSONValue) throws(OutputError) {
        // Samples are not deep, so each has a text.
        try output.append(((try? document.text()) ?? "") + "\n")
    }
}

extension Diagnostics {
    /// Loads the schemas; reports problems and returns nil otherwise. Samples name what is opaque themselves.
    func samplingCatalog(_ arguments: SampleArguments) -> SchemaCatalog? {
        catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers, namesOpaqueValues: false)
    }

    /// Prepares samples of a schema; reports problems and returns nil otherwise.
    func samples(of name: String, in catalog: SchemaCatalog, _ arguments: SampleArguments) -> SampleDocuments? {
        let schema: ModelSchema
        do throws(ModelError) { schema = try catalog.schema(named: name) } catch {
            say(catalog.unknownSchema(name, suggestion: error.suggestion))
            return nil
        }
        do throws(SchemaError) {
            return try SampleDocuments(of: schema, registry: catalog.registry, seed: arguments.seed)
        } catch {
            report(omissions: error.problems)
            return nil
        }
    }

    /// Reports properties without samples.
    func report(omissions: [SchemaError.Problem]) {
        for problem in omissions { say(PrintableText.escape(problem.description, limit: 4096)) }
    }
}
