import Pallium
import PalliumTrials

/// `pallium sample`: makes documents from schemas.
struct SampleCommand: RunnableCommand {
    let arguments: SampleArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        // The arguments have a model.
        var samples = try diagnostics.samples(
            of: arguments.model ?? "", in: diagnostics.samplingCatalog(arguments), arguments)
        diagnostics.report(omissions: samples.omissions)
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

extension Diagnostics {
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
