import Pallium
import PalliumStore

extension CommandSpec {
    static let storeDelete = CommandSpec(
        name: "store delete", summary: "delete the models of a store that meet conditions",
        usage: ["--schemas DIR --model NAME --where CONDITION [OPTION…] STORE"],
        about: """
            Deletes models, all of them or none. Models that refer to them keep their references, unless their
            schemas have delete rules. Conditions are those of 'pallium store query'. The number of models goes
            to standard error.
            """,
        options: [
            .schemas, .model,
            .condition.explained(
                """
                Delete models for which KEY OPERATOR VALUE holds, such as 'state = closed'. With
                several --where, all must hold.
                """),
            .help,
        ],
        problems: "the store has problems",
        examples: "pallium store delete --schemas Schemas --model Issue --where 'state = closed' issues.store",
        run: running(StoreDeleteCommand.self) { parsed throws(UsageError) in
            let arguments = try QueryArguments(parsed)
            if arguments.conditions.isEmpty { throw parsed.missing(.condition) }
            return arguments
        })
}

/// `pallium store delete`: deletes the models of a store that meet conditions.
struct StoreDeleteCommand: RunnableCommand {
    let arguments: QueryArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        let catalog = try run.catalog(source.schemas)
        // The arguments have a model.
        let schema = try catalog.adapter(model: source.model ?? "").schema
        try catalog.accept(arguments.parts(schema))
        return try run.withStore(source.store, catalog.registry, isReadOnly: false) {
            store throws(ModelError) in
            let changes = try store.delete(arguments.query(schema))
            let updated = changes.updated > 0 ? ", \(changes.updated) updated" : ""
            run.sumUp("\(Quantity.count(changes.deleted, "model")) deleted\(updated)")
            return .success
        }
    }
}
