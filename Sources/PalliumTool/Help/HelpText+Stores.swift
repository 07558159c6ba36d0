/// The texts about the commands for stores.
extension HelpText {
    static let store = HelpText(
        usage: ["COMMAND [OPTION…] STORE [FILE…]"],
        about: """
            STORE is a file of SQLite with models of schemas that have an identity. The article Stores
            describes it. Programs may use a store while these commands run.

            commands:
            \(table(Command.store.subcommands.map { ($0.word, [$0.summary]) }))
            """,
        problems: "the data or the store has problems",
        examples: """
            pallium store import --schemas Schemas --model Issue issues.store issues.json
            pallium help store query
            """)

    static let storeImport = HelpText(
        usage: ["--schemas DIR --model NAME [OPTION…] STORE FILE…"],
        about: """
            Imports documents, an object with one model or an array of models each. Models that the store has
            are merged with what a document says: an absent member keeps the value, null clears it, the merge
            policies of the schema decide about others. Each model with an identity becomes a row. FILE is a
            file, or - for standard input. It holds one document unless --lines is given. A file is stored as
            a whole or not at all, of lines 256 at a time. The number of changes goes to standard error.
            """,
        problems: "the data or the store has problems",
        examples: """
            pallium store import --schemas Schemas --model Issue issues.store issues.json
            gunzip -c events.gz | pallium store import --schemas Schemas --model Event --lines events.store -
            """)

    static let storeQuery = HelpText(
        usage: ["--schemas DIR --model NAME [OPTION…] STORE"],
        about: """
            Writes models to standard output, one a line.

            conditions:
              KEY OPERATOR VALUE, as one argument. KEY names a property, after dots those of nested models.
              OPERATOR is = != < <= > >= in contains or starts-with; contains is for parts of texts and for
              elements. VALUE is JSON or else text, as the property has it in JSON without transformers. After
              in, it is an array, or texts with commas between them. = null means that there is no value, and
              != null that there is one.
            """,
        problems: "the data or the store has problems",
        examples: """
            pallium store query --schemas Schemas --model Issue --where 'state = open' --order -updatedAt \\
              --limit 10 issues.store
            pallium store query --schemas Schemas --model Issue --where 'assignee.login != null' \\
              --where 'labels contains bug' --include assignee issues.store
            """)

    static let storeDump = HelpText(
        usage: ["--schemas DIR [--model NAME] [OPTION…] STORE"],
        about: """
            Writes one model a line to standard output. References have the identity only, if their schema
            allows that. All lines are of one state of the store, whatever is written meanwhile. Properties
            that have no place in JSON are left out; 'pallium store backup' copies them, too.
            """,
        problems: "the store has problems, or tables of schemas that are not given",
        examples: """
            pallium store dump --schemas Schemas --model Issue issues.store > issues.jsonl
            """)

    static let storeDelete = HelpText(
        usage: ["--schemas DIR --model NAME --where CONDITION [OPTION…] STORE"],
        about: """
            Deletes models, all of them or none. Models that refer to them keep their references. Conditions
            are those of 'pallium store query'. The number of models goes to standard error.
            """,
        problems: "the store has problems",
        examples: """
            pallium store delete --schemas Schemas --model Issue --where 'state = closed' issues.store
            """)

    static let storeUpgrade = HelpText(
        usage: ["--schemas DIR STORE"],
        about: """
            Writes the rows of earlier versions of their schemas anew, by the steps that the schemas declare.
            What is done stays if the run is interrupted.
            """,
        problems: "the data or the store has problems",
        examples: """
            pallium store upgrade --schemas Schemas issues.store
            """)

    static let storeCheck = HelpText(
        usage: ["--schemas DIR [OPTION…] STORE"],
        about: """
            Reports damage of the file, rows with a wrong checksum or that cannot be read, columns that differ
            from their rows, and tables without a schema. The pointer of a problem has the table and the
            identity of the row. After 100 problems of a table, the next one is checked.
            """,
        problems: "the store has problems",
        examples: """
            pallium store check --schemas Schemas issues.store
            """)

    static let storeBackup = HelpText(
        usage: ["STORE FILE"],
        about: """
            FILE becomes a store without other files beside it. A file of the name is replaced as a whole or
            stays as it was.
            """,
        problems: "the data or the store has problems",
        examples: """
            pallium store backup issues.store issues-2026-01-31.store
            """)
}
