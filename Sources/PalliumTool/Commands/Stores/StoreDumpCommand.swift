import Foundation
import Pallium
import PalliumStore

/// `pallium store dump`: writes all models of a store as lines of JSON.
struct StoreDumpCommand {
    let arguments: StoreArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let catalog = arguments.schemas.flatMap({ diagnostics.catalog($0) }) else { return .misuse }
        let requested = diagnostics.redaction(arguments.redaction, among: catalog.labels)
        if case .refused = requested { return .misuse }
        let redaction = requested.redaction
        guard let model = arguments.model else { return dumpAll(catalog, redaction) }
        guard
            let adapter = diagnostics.adapter(model: model, profile: nil, in: catalog, options: JSONAdapterOptions()),
            case let query = ModelQuery(schema: adapter.schema), diagnostics.accept([("--model", query)], catalog)
        else { return .misuse }
        return diagnostics.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            let total = try store.count(query)
            return try diagnostics.write(
                { try store.forEach(query, $0) }, of: arguments.store, total: total, to: output
            ) { model throws(ModelError) in
                try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
            }
        }
    }

    private func dumpAll(_ catalog: SchemaCatalog, _ redaction: Redaction?) -> ExitStatus {
        var adapters: [ObjectIdentifier: JSONAdapter<DynamicModel>] = [:]
        return diagnostics.withStore(arguments.store, catalog.registry) { store throws(ModelError) in
            var others: [String] = []
            let status = try diagnostics.write(
                { others = try store.forEachModel($0) }, of: arguments.store, to: output
            ) { model throws(ModelError) in
                let adapter: JSONAdapter<DynamicModel>
                if let made = adapters[ObjectIdentifier(model.layout)] {
                    adapter = made
                } else {
                    adapter = try catalog.adapter(model: model.schema.name, options: JSONAdapterOptions())
                    adapters[ObjectIdentifier(model.layout)] = adapter
                }
                let text = try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
                let name = JSONValue.string(model.schema.name).description
                return Data("{\"schema\":\(name),\"model\":".utf8) + text + Data("}".utf8)
            }
            guard status == .success, !others.isEmpty else { return status }
            let names = others.map { PrintableText.escape($0, limit: 64) }.joined(separator: ", ")
            diagnostics.say("tables without a schema were left out: \(names)")
            return .problems
        }
    }
}
