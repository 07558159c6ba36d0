import Pallium

/// The arguments of the command `import`.
struct ImportArguments {
    /// The contract: a file, or `-` for standard input.
    let input: String
    /// Whether the contract is an OpenAPI document; otherwise it is a JSON Schema.
    let isOpenAPI: Bool
    /// The name of the schema at the root; nil for its title.
    let model: String?
    /// Whether null and an absent member are the same.
    let takesNullAsAbsent: Bool
    /// The folder to write; nil for standard output.
    let folder: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or two options contradict each other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        guard parsed.has(.jsonSchema) != parsed.has(.openAPI) else {
            throw parsed.error("import needs one of --json-schema and --openapi")
        }
        guard let input = parsed.operands.first, parsed.operands.count == 1 else {
            throw parsed.error("import needs one contract: name a file, or - for standard input")
        }
        self.input = input
        isOpenAPI = parsed.has(.openAPI)
        model = parsed.values[.model]
        takesNullAsAbsent = parsed.has(.nullAsAbsent)
        folder = parsed.folder
        if isOpenAPI, model != nil {
            throw parsed.error("components have names, so --model needs --json-schema")
        }
    }
}
