import Foundation
import Pallium
import PalliumStore

/// `pallium store query`: writes the models of a store that meet conditions.
struct StoreQueryCommand {
    let arguments: QueryArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        let source = arguments.source
        var options = JSONAdapterOptions()
        options.writing.pretty = arguments.isPretty
        guard let catalog = source.schemas.flatMap({ diagnostics.catalog($0) }), let model = source.model,
            let whole = diagnostics.adapter(model: model, profile: source.profile, in: catalog, options: options),
            let adapter = diagnostics.projected(whole, to: arguments.only),
            diagnostics.accept(arguments.parts(adapter.schema), catalog)
        else { return .misuse }
        let requested = diagnostics.redaction(source.redaction, among: adapter.labels)
        if case .refused = requested { return .misuse }
        let query = arguments.query(adapter.schema)
        return diagnostics.withStore(source.store, catalog.registry) { store throws(ModelError) in
            switch arguments.result {
            case .count: return print(["\(try store.count(query))"])
            case .plan:
                let lines = try store.plan(of: query).split(separator: "\n")
                return print(lines.map { PrintableText.escape($0, limit: 4096) })
            case .models:
                return try diagnostics.write({ try store.forEach(query, $0) }, of: source.store, to: output) {
                    model throws(ModelError) in try adapter.data(from: model, redacting: requested.redaction)
                }
            }
        }
    }

    private func print(_ lines: [String]) -> ExitStatus {
        do throws(Interruption) {
            try output.finish(lines.map { $0 + "\n" }.joined())
            return .success
        } catch { return diagnostics.status(of: error) }
    }
}
