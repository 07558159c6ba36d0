import Pallium
import PalliumContracts

extension CommandSpec {
    static let `import` = CommandSpec(
        name: "import", summary: "write schema documents from contracts: JSON Schema, OpenAPI",
        usage: ["--json-schema|--openapi [OPTION…] FILE"],
        about: """
            Reads a contract and writes the schemas that it describes to standard output, as one document that
            the other commands take as --schemas. FILE is a file, or - for standard input. A schema allows the
            same documents as the contract; what schemas cannot say is refused, with its line and column. The
            article Contracts describes what is read.
            """,
        options: [
            .jsonSchema.explained("Read a JSON Schema (2020-12)."),
            .openAPI.explained("Read the schemas among the components of an OpenAPI 3.1 document."),
            .model.explained("The name of the schema at the root, instead of its title. Needs --json-schema."),
            .nullAsAbsent, .folder, .help,
        ],
        problems: "not used: a contract that is refused is 2",
        examples: """
            pallium import --json-schema --model Issue issue.schema.json > issue.json
            pallium import --openapi --null-as-absent --output Schemas/service openapi.json
            """,
        run: running(ImportCommand.self, ImportArguments.init))
}

extension Option {
    static let nullAsAbsent = Option(
        "--null-as-absent",
        """
        Take null and an absent member as the same. Members that may be absent may then be
        null as well, and members that may be null may be absent. Otherwise both are refused.
        """)
}

/// `pallium import`: writes schema documents from contracts.
struct ImportCommand: RunnableCommand {
    let arguments: ImportArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let name = InputFile.displayName(of: arguments.input)
        let bytes = try run.contents(of: arguments.input, isJSON: true, cutAt: ContractSchemas.maximumDocumentBytes + 1)
        let registry = SchemaRegistry()
        let contract: ContractSchemas
        let written: SchemaOutput
        do throws(SchemaError) {
            contract = try load(bytes, name: name, registry)
            written = try SchemaOutput(contract.schemas, registry, folder: arguments.folder)
        } catch {
            throw .refused(
                "\(Quantity.count(error.problems.count, "problem")) in the contract",
                details: error.problems.map { ModelError.shorten($0.description, to: 8192) })
        }
        if contract.schemas.isEmpty { throw .refused("\(name) describes no objects") }
        if contract.refusesUnknownMembers {
            run.say("the objects have no other members: decode with --unknown refuse")
        }
        try written.write(to: output)
        return .success
    }

    private func load(
        _ bytes: [UInt8], name: String, _ registry: SchemaRegistry
    ) throws(SchemaError) -> ContractSchemas {
        arguments.isOpenAPI
            ? try registry.load(openAPI: bytes, name: name, takesNullAsAbsent: arguments.takesNullAsAbsent)
            : try registry.load(
                jsonSchema: bytes, name: name, model: arguments.model, takesNullAsAbsent: arguments.takesNullAsAbsent)
    }
}
