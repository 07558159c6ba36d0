import Foundation
import Pallium
import PalliumStore

extension CommandSpec {
    static let storeDump = CommandSpec(
        name: "store dump", summary: "write all models of a store as lines of JSON",
        usage: ["--schemas DIR [--model NAME] [OPTION…] STORE"],
        about: """
            Writes one model a line to standard output. References have the identity only, if their schema
            allows that. All lines are of one state of the store, whatever is written meanwhile. Properties
            that have no place in JSON are left out; 'pallium store backup' copies them, too.
            """,
        options: [
            .schemas,
            .model.explained(
                """
                Write the models of this schema only, as documents, which store import --lines reads.
                Otherwise a line is an object with the members schema and model.
                """),
            .skipUnreadable, .redact, .redactionKey, .storeOutput, .help,
        ],
        problems: "the store has problems, or tables of schemas that are not given",
        examples: "pallium store dump --schemas Schemas --model Issue issues.store > issues.jsonl",
        run: running(StoreDumpCommand.self) { parsed throws(UsageError) in try StoreArguments(parsed) })
}

/// `pallium store dump`: writes all models of a store as lines of JSON.
struct StoreDumpCommand: RunnableCommand {
    let arguments: StoreArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let catalog = try run.catalog(arguments.schemas)
        let redaction = try arguments.redaction.redaction(among: catalog.labels)
        guard let model = arguments.model else { return try dumpAll(catalog, redaction) }
        let adapter = try catalog.adapter(model: model)
        let skipped = SkippedRows(arguments)
        let query = ModelQuery(schema: adapter.schema, rows: skipped.policy)
        try catalog.accept([("--model", query)])
        return try run.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            let total = try store.count(query)
            let status = try run.write(
                { try store.forEach(query, $0) }, of: arguments.store, total: total, to: output
            ) { model throws(ModelError) in
                try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
            }
            return skipped.status(status, of: arguments.store, run)
        }
    }

    private func dumpAll(_ catalog: SchemaCatalog, _ redaction: Redaction?) throws(Interruption) -> ExitStatus {
        let skipped = SkippedRows(arguments)
        var adapters: [ObjectIdentifier: JSONAdapter<DynamicModel>] = [:]
        return try run.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            var others: [String] = []
            let written = try run.write(
                { others = try store.forEachModel(rows: skipped.policy, $0) }, of: arguments.store, to: output
            ) { model throws(ModelError) in
                let adapter: JSONAdapter<DynamicModel>
                if let made = adapters[ObjectIdentifier(model.layout)] {
                    adapter = made
                } else {
                    adapter = try JSONAdapter(schema: model.schema, registry: catalog.registry)
                    adapters[ObjectIdentifier(model.layout)] = adapter
                }
                let text = try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
                let name = JSONValue.string(model.schema.name).description
                return Data("{\"schema\":\(name),\"model\":".utf8) + text + Data("}".utf8)
            }
            let status = skipped.status(written, of: arguments.store, run)
            guard written == .success, !others.isEmpty else { return status }
            let names = others.map { ModelError.shorten($0, to: 64) }.joined(separator: ", ")
            run.say("tables without a schema were left out: \(names)")
            return .problems
        }
    }
}
