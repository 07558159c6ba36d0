import Foundation
import Pallium
import PalliumStore

/// `pallium store query`: writes the models of a store that meet conditions.
struct StoreQueryCommand: RunnableCommand {
    let arguments: QueryArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        var options = JSONAdapterOptions()
        options.writing.pretty = arguments.isPretty
        let catalog = try diagnostics.catalog(source.schemas)
        // The arguments have a model.
        let adapter = try catalog.adapter(model: source.model ?? "", profile: source.profile, options: options)
            .projected(to: arguments.only)
        try catalog.accept(arguments.parts(adapter.schema))
        let redaction = try source.redaction.redaction(among: adapter.labels)
        let skipped = SkippedRows(source)
        let query = arguments.query(adapter.schema, rows: skipped.policy)
        return try diagnostics.withStore(source.store, catalog.registry) { store throws(ModelError) in
            switch arguments.result {
            case .count: return write(["\(try store.count(query))"])
            case .plan:
                let lines = try store.plan(of: query).split(separator: "\n")
                return write(lines.map { ModelError.shorten(String($0), to: 4096) })
            case .models:
                let status = try diagnostics.write({ try store.forEach(query, $0) }, of: source.store, to: output) {
                    model throws(ModelError) in try adapter.data(from: model, redacting: redaction)
                }
                return skipped.status(status, of: source.store, diagnostics)
            }
        }
    }

    private func write(_ lines: [String]) -> ExitStatus {
        do throws(Interruption) {
            try output.finish(lines.map { $0 + "\n" }.joined())
            return .success
        } catch { return diagnostics.status(of: error) }
    }
}
