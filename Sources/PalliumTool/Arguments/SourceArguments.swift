import Pallium

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
    init(_ parsed: ParsedArguments) throws(UsageError) {
        schemas = try SchemaPaths(option: parsed)
        model = try parsed.required(.model)
        profile = parsed.values[.profile]
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        isLines = parsed.has(.lines)
        if isLines, parsed.has(.comments) { throw parsed.error("--jsonc and --lines exclude each other") }
        inputs = try parsed.inputs()
    }
}
