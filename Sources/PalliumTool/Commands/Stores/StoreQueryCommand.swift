import Foundation
import Pallium
import PalliumStore

extension CommandSpec {
    static let storeQuery = CommandSpec(
        name: "store query", summary: "write the models of a store that meet conditions",
        usage: ["--schemas DIR --model NAME [OPTION…] STORE"],
        about: "Writes models to standard output, one a line.",
        before: Section(
            title: "conditions",
            text: """
                KEY OPERATOR VALUE, as one argument. KEY names a property, after dots those of nested models;
                after a dot behind a collection those of any of its models. any(KEY).KEY, all(KEY).KEY and
                none(KEY).KEY are conditions on the models of a collection, any(KEY), all(KEY) and none(KEY)
                on elements that are no models: any(scores) > 3. count(KEY) is the number of elements.
                nocase(KEY) is a text in which capital and small letters are the same.
                OPERATOR is = != < <= > >= in contains or starts-with; contains is for parts of texts and for
                elements. VALUE is JSON or else text, as the property has it in JSON without transformers. After
                in, it is an array, or texts with commas between them. = null means that there is no value, and
                != null that there is one.
                """),
        options: [
            .schemas,
            .model.explained("The schema of the models. Required."),
            .profile, .condition, .order, .limit, .offset, .after, .include, .countModels, .countBy,
            .sum, .minimum, .maximum,
            .explain.explained(
                "Print the statement, and how SQLite finds the rows: by which index, or by reading all."),
            .only.explained(
                """
                Write these properties of the models only. A dot steps into nested models, which
                otherwise are written whole: author.login. Those of other rows need --include.
                """),
            .skipUnreadable, .redact, .redactionKey, .pretty, .storeOutput, .help,
        ],
        problems: "the data or the store has problems",
        examples: """
            pallium store query --schemas Schemas --model Issue --where 'state = open' --order -updatedAt \\
              --limit 10 issues.store
            pallium store query --schemas Schemas --model Issue --where 'assignee.login != null' \\
              --where 'labels contains bug' --include assignee issues.store
            """,
        run: running(StoreQueryCommand.self, QueryArguments.init))
}

extension Option {
    static let order = Option(
        "--order", value: "KEY,-KEY…",
        """
        Write models in the order of these properties, from the smallest value to the
        greatest; after a hyphen from the greatest to the smallest. Without it, in any order.
        """)
    static let limit = Option("--limit", value: "N", "Write at most N models.")
    static let offset = Option("--offset", value: "N", "Leave out the first N models.")
    static let include = Option(
        "--include", value: "KEY,KEY…",
        """
        Write the models of other rows that these properties refer to, or all of them (all).
        Otherwise a reference has the identity only, if its schema allows that.
        """)
    static let countModels = Option("--count", "Print the number of models.")
    static let countBy = Option(
        "--count-by", value: "KEY,KEY…",
        """
        Print the number of models with the same values of these properties, as one array for
        each: ["open",3].
        """)
    static let sum = Option(
        "--sum", value: "KEY,KEY…",
        """
        Print the sums of these properties behind the number of models: with --count-by those
        of each group, or else those of all models.
        """)
    static let minimum = Option("--min", value: "KEY,KEY…", "Print their smallest values in the same way.")
    static let maximum = Option("--max", value: "KEY,KEY…", "Print their greatest values in the same way.")
}

/// `pallium store query`: writes the models of a store that meet conditions.
struct StoreQueryCommand: RunnableCommand {
    let arguments: QueryArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        var options = JSONAdapterOptions()
        options.writing.isPretty = arguments.isPretty
        let catalog = try run.catalog(source.schemas)
        // The arguments have a model.
        let adapter = try catalog.adapter(model: source.model ?? "", profile: source.profile, options: options)
            .projected(to: arguments.only)
        let columns = if case .groups(let columns) = arguments.result { columns } else { [QueryArguments.Column]() }
        try catalog.accept(arguments.parts(adapter.schema), columns: columns)
        let redaction = try source.redaction.redaction(among: adapter.labels)
        let skipped = SkippedRows(source)
        return try run.withStore(source.store, catalog.registry) { store throws(ModelError) in
            let query = try arguments.query(
                adapter.schema, rows: skipped.policy, after: arguments.start(adapter.schema, in: store))
            switch arguments.result {
            case .count: return write(["\(try store.count(query))"])
            case .groups(let columns):
                let rows = try store.rows(of: query, only: columns.map(\.column))
                return write(rows.map { JSONValue.array($0).description })
            case .plan:
                let lines = try store.plan(of: query).split(separator: "\n")
                return write(lines.map { ModelError.shorten(String($0), to: 4096) })
            case .models:
                let status = try run.write({ try store.forEach(query, $0) }, of: source.store, to: output) {
                    model throws(ModelError) in try adapter.data(from: model, redacting: redaction)
                }
                return skipped.status(status, of: source.store, run)
            }
        }
    }

    private func write(_ lines: [String]) -> ExitStatus {
        do throws(Interruption) {
            try output.finish(lines.map { $0 + "\n" }.joined())
            return .success
        } catch { return run.status(of: error) }
    }
}
