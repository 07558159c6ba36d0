import Pallium

/// The arguments of the command `check`.
struct CheckArguments {
    /// The file or folder with the schema documents.
    let schemas: String
    /// Whether unregistered kinds and transformers are accepted.
    let hasOpaqueTransformers: Bool
    let explains: Bool
    /// The only schema to explain; nil for all.
    let model: String?
    /// The profile to explain; nil for the schemas' own mapping.
    let profile: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, or means nothing without another.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        guard let schemas = parsed.operands.first, parsed.operands.count == 1 else {
            throw UsageError(message: "check needs one folder or file of schema documents", command: .check)
        }
        self.schemas = schemas
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        explains = parsed.has(.explain)
        model = parsed.values[.model]
        profile = parsed.values[.profile]
        for option in [Option.model, .profile] where !explains && parsed.has(option) {
            throw UsageError(message: "\(option.name) means nothing without --explain", command: .check)
        }
    }
}
