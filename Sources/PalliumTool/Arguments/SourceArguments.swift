/// The arguments of all commands that read documents: schemas and documents.
struct SourceArguments {
    let schemas: SchemaPaths
    /// The name of the schema of the documents' roots.
    let model: String
    /// The profile to read and write with; nil for the schemas' own mapping.
    let profile: String?
    /// Whether unregistered kinds and transformers are accepted; their values pass unchanged.
    let hasOpaqueTransformers: Bool
    /// Whether every line is a document.
    let isLines: Bool
    /// The files to read, `-` for standard input; never empty.
    let inputs: [String]

    /// Reads the arguments of a command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing.
    init(_ parsed: ParsedArguments, command: Command) throws(UsageError) {
        schemas = try SchemaPaths(option: parsed, command: command)
        guard let model = parsed.values[.model] else { throw Self.missing(.model, command) }
        self.model = model
        profile = parsed.values[.profile]
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        isLines = parsed.has(.lines)
        inputs = try Self.inputs(parsed, command: command)
    }

    /// Returns the files to read.
    ///
    /// - Throws: ``UsageError`` if there are none, or standard input is among them twice.
    static func inputs(_ parsed: ParsedArguments, command: Command) throws(UsageError) -> [String] {
        guard !parsed.operands.isEmpty else {
            throw UsageError(message: "no input: name a file, or - for standard input", command: command)
        }
        guard parsed.operands.count(where: InputFile.isStandardInput) < 2 else {
            throw UsageError(message: "standard input can be read once only", command: command)
        }
        return parsed.operands
    }

    static func missing(_ option: Option, _ command: Command) -> UsageError {
        UsageError(
            message: "\(command.rawValue) needs \(option.name) \(option.value ?? "")", command: command)
    }
}
