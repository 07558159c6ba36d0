import Pallium
import PalliumStore

/// `pallium store delete`: deletes the models of a store that meet conditions.
struct StoreDeleteCommand: RunnableCommand {
    let arguments: QueryArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        let catalog = try diagnostics.catalog(source.schemas)
        // The arguments have a model.
        let schema = try catalog.adapter(model: source.model ?? "").schema
        try catalog.accept(arguments.parts(schema))
        return try diagnostics.withStore(source.store, catalog.registry, isReadOnly: false) {
            store throws(ModelError) in
            let changes = try store.delete(arguments.query(schema))
            diagnostics.sumUp("\(Quantity.count(changes.deleted, "model")) deleted")
            return .success
        }
    }
}
