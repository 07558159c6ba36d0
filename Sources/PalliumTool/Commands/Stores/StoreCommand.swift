extension CommandSpec {
    static let store = CommandSpec(
        name: "store", summary: "keep models in a file of SQLite, and find them",
        usage: ["COMMAND [OPTION…] STORE [FILE…]"],
        about: """
            STORE is a file of SQLite with models of schemas that have an identity. The article Stores
            describes it. Programs may use a store while these commands run.
            """,
        options: [.help],
        problems: "the data or the store has problems",
        examples: """
            pallium store import --schemas Schemas --model Issue issues.store issues.json
            pallium help store query
            """,
        subcommands: [
            .storeImport, .storeQuery, .storeDump, .storeDelete, .storeUpgrade, .storeCheck, .storeBackup,
        ],
        run: { parsed throws(UsageError) in
            throw parsed.error("store needs another command: \(parsed.command.listedSubcommands)")
        })
}
