import Pallium
import PalliumContracts

extension CommandSpec {
    static let export = CommandSpec(
        name: "export", summary: "write contracts for other programs, and pages about schemas",
        usage: [
            "--json-schema|--openapi|--strict [OPTION…] DIR…", "--table NOTATION --model NAME [OPTION…] DIR…",
            "--markdown|--html|--dot|--mermaid [OPTION…] DIR…",
        ],
        about: """
            Reads the schema documents of DIR, a folder of .json files or one file, and writes what other
            programs need to know of the documents to standard output. A document that decode reads is always
            valid by the JSON Schema. The article Contracts describes the three forms and what they leave
            open, and the forms of the last line, which are for people.

            With --table, the documents that decode writes are described as rows for a program that keeps
            them in columns. Where rows hold less than the documents, standard error names the places.
            """,
        options: [
            .jsonSchema, .openAPI, .strict, .table, .markdown, .html, .dot, .mermaid, .mode,
            .model.explained("The schema to export, with all that it refers to; all schemas otherwise."),
            .array, .profile, .opaqueTransformers, .output, .help,
        ],
        problems: "not used",
        examples: """
            pallium export --json-schema --model Event Schemas/github > event.schema.json
            pallium export --openapi --output github.openapi.json Schemas/github
            pallium export --table spark --model Event Schemas/github > event.spark.json
            pallium export --html --output github.html Schemas/github
            """,
        run: running(ExportCommand.self, ExportArguments.init))
}

extension Option {
    static let table = Option(
        "--table", value: "spark|avro|postgres|duckdb",
        """
        Write the type of the rows: the JSON of a StructType of Spark, a schema of Avro, or a
        CREATE TABLE of PostgreSQL or DuckDB. Needs --model.
        """)
    static let markdown = Option("--markdown", "Write a page of Markdown with a table of properties for each model.")
    static let html = Option(
        "--html", "Write a page for browsers with links and a search field. It needs no other file.")
    static let dot = Option("--dot", "Write the graph of the models in the language of Graphviz.")
    static let mermaid = Option("--mermaid", "Write the graph of the models as a flowchart of Mermaid.")
}

/// `pallium export`: writes contracts for other programs, and pages for people.
struct ExportCommand: RunnableCommand {
    let arguments: ExportArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let catalog = try run.catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
        let schema = try arguments.model.map { model throws(Interruption) in try catalog.schema(named: model) }
        let text: String?
        do throws(SchemaError) { text = try self.text(of: schema, catalog.registry) } catch {
            throw arguments.schemas.refusal(of: error)
        }
        guard let text else {
            throw .refused(
                "the contract is nested more than \(JSONWritingOptions().maximumDepth.counted("level")) deep")
        }
        try output.finish(text)
        return .success
    }

    /// A line for each difference, with the first places that have it.
    private static func groups(_ losses: [TableLoss]) -> [String] {
        let groups = Dictionary(grouping: losses, by: \.message)
        return groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { message, losses in
            let places = losses.prefix(3).map { $0.path.joined(separator: ".") }.joined(separator: ", ")
            let more = losses.count > 3 ? ", …" : ""
            return ModelError.shorten("\(message): \(losses.count) (\(places)\(more))", to: 300)
        }
    }

    /// Returns the text of the page or the contract; nil for a contract that is nested too deep.
    private func text(of schema: ModelSchema?, _ registry: SchemaRegistry) throws(SchemaError) -> String? {
        let contract: JSONValue
        switch arguments.format {
        case .jsonSchema:
            contract = try registry.jsonSchema(
                of: schema, isArray: arguments.isArray, direction: arguments.direction, profile: arguments.profile)
        case .openAPI:
            contract = try registry.openAPI(
                title: arguments.schemas.title, of: schema, direction: arguments.direction, profile: arguments.profile)
        case .strict:
            // The arguments have a model.
            contract =
                try schema.map { schema throws(SchemaError) in
                    try registry.strictJSONSchema(of: schema, profile: arguments.profile)
                } ?? .null
        case .table(let notation):
            guard let schema else { return nil }
            let table = try registry.table(of: schema, for: notation, profile: arguments.profile)
            if !table.losses.isEmpty {
                run.say(
                    "\(Quantity.count(table.losses.count, "place")) kept in part", details: Self.groups(table.losses))
            }
            return table.text
        case .page(let format): return try registry.page(format, title: arguments.schemas.title, of: schema)
        }
        return contract.prettyText
    }
}
