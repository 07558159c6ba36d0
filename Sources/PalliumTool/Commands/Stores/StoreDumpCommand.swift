import Foundation
import Pallium
import PalliumStore

/// `pallium store dump`: writes all models of a store as lines of JSON.
struct StoreDumpCommand: RunnableCommand {
    let arguments: StoreArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let catalog = try diagnostics.catalog(arguments.schemas)
        let redaction = try arguments.redaction.redaction(among: catalog.labels)
        guard let model = arguments.model else { return try dumpAll(catalog, redaction) }
        let adapter = try catalog.adapter(model: model)
        let query = ModelQuery(schema: adapter.schema)
        try catalog.accept([("--model", query)])
        return try diagnostics.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            let total = try store.count(query)
            return try diagnostics.write(
                { try store.forEach(query, $0) }, of: arguments.store, total: total, to: output
            ) { model throws(ModelError) in
                try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
            }
        }
    }

    private func dumpAll(_ catalog: SchemaCatalog, _ redaction: Redaction?) throws(Interruption) -> ExitStatus {
        var adapters: [ObjectIdentifier: JSONAdapter<DynamicModel>] = [:]
        return try diagnostics.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            var others: [String] = []
            let status = try diagnostics.write(
                { others = try store.forEachModel($0) }, of: arguments.store, to: output
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
            guard status == .success, !others.isEmpty else { return status }
            let names = others.map { ModelError.shorten($0, to: 64) }.joined(separator: ", ")
            diagnostics.say("tables without a schema were left out: \(names)")
            return .problems
        }
    }
}
