import Pallium
import PalliumContracts

extension CommandSpec {
    static let `import` = CommandSpec(
        name: "import", summary: "write schema documents from contracts: JSON Schema, OpenAPI",
        usage: ["--json-schema|--openapi [OPTION…] FILE"],
        about: """
            Reads a contract and writes the schemas that it describes to standard output, as one document that
            the other commands take as --schemas. FILE is a file, or - for standard input. The schemas accept
            all documents of the contract. A place that schemas cannot say becomes any JSON, and is named on
            standard error: one line for each keyword. The article Contracts describes what is read.
            """,
        options: [
            .jsonSchema.explained("Read a JSON Schema: draft-04 to 2020-12."),
            .openAPI.explained("Read the schemas of an OpenAPI document: 3.0, 3.1 or Swagger 2.0."),
            .model.explained(
                """
                Read one definition and all that it reaches. If no definition has this name, it
                is the name of the schema at the root, instead of its title.
                """),
            .lossless, .report, .formats, .keepUnknownCases, .contractFolder, .folder, .help,
        ],
        problems: "not used: a contract that is refused is 2",
        examples: """
            pallium import --openapi --report losses.json --output Schemas/service openapi.json
            pallium import --json-schema --model Issue --lossless issue.schema.json > issue.json
            """,
        run: running(ImportCommand.self, ImportArguments.init))
}

extension Option {
    static let lossless = Option(
        "--lossless", "Refuse a contract that says more than schemas can say, with every such place.")
    static let report = Option(
        "--report", value: "FILE",
        """
        Write what is lost to FILE as JSON: every place with its line, column, JSON Pointer,
        keyword and consequence, and how many properties keep a type.
        """)
    static let formats = Option(
        "--formats", value: "kinds|text",
        """
        Read formats of texts, such as date-time, as kinds and rules (kinds, the default), or
        as mere text (text).
        """)
    static let keepUnknownCases = Option(
        "--keep-unknown-cases", "Let all enumerations keep values that the contract does not list.")
    static let contractFolder = Option(
        "--folder", value: "DIR",
        """
        The folder with the files to which the contract may refer; otherwise that of FILE.
        Nothing is read from outside of it, or from a network.
        """)
}

/// `pallium import`: writes schema documents from contracts.
struct ImportCommand: RunnableCommand {
    let arguments: ImportArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let name = InputFile.displayName(of: arguments.input)
        var files = SideFiles(inputs: [arguments.input], output: arguments.output, output)
        let report = try files.open(Option.report.name, arguments.report)
        let bytes = try run.contents(of: arguments.input, isJSON: true, cutAt: ContractSchemas.maximumDocumentBytes + 1)
        let registry = SchemaRegistry()
        let contract: ContractSchemas
        let written: SchemaOutput
        do throws(SchemaError) {
            contract =
                arguments.isOpenAPI
                ? try registry.load(openAPI: bytes, name: name, options: arguments.options)
                : try registry.load(jsonSchema: bytes, name: name, options: arguments.options)
            written = try SchemaOutput(contract.schemas, registry, folder: arguments.folder)
        } catch {
            throw .refused(
                "\(Quantity.count(error.problems.count, "problem")) in the contract",
                details: error.problems.map { ModelError.shorten($0.description, to: 8192) })
        }
        say(contract, name)
        try report?.finish(contract.report(of: name).prettyText ?? "")
        try written.write(to: output)
        return .success
    }

    /// Names what is lost: a line for each keyword.
    private func say(_ contract: ContractSchemas, _ name: String) {
        if contract.losses.isEmpty { return }
        let groups = Dictionary(grouping: contract.losses, by: \.keyword)
        let sorted = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let share = contract.propertyCount == 0 ? 100 : contract.typedPropertyCount * 100 / contract.propertyCount
        run.say(
            "\(Quantity.count(contract.losses.count, "place")) said in part; "
                + "\(contract.typedPropertyCount) of \(contract.propertyCount.counted("property", "properties")) "
                + "(\(share) %) keep a type",
            details: sorted.map { keyword, losses in
                let first = losses[0]
                let places = losses.prefix(3).map { loss in
                    UTF8Text.equal(loss.document, name) ? "\(loss.line):\(loss.column)" : loss.source
                }.joined(separator: ", ")
                let more = losses.count > 3 ? ", …" : ""
                return "\(ModelError.shorten(keyword, to: 64)): \(losses.count) (\(places)\(more)): "
                    + ModelError.shorten(first.message, to: 200)
            })
    }
}

extension ContractSchemas {
    /// The losses and numbers, for programs.
    fileprivate func report(of name: String) -> JSONValue {
        [
            "contract": .string(name), "root": root.map { .string($0) } ?? .null,
            "schemas": .number(JSONNumber(schemas.count)),
            "properties": .number(JSONNumber(propertyCount)),
            "typedProperties": .number(JSONNumber(typedPropertyCount)),
            "losses": .array(losses.map(\.json)),
        ]
    }
}
