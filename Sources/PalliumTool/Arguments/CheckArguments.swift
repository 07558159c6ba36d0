import Pallium

/// The arguments of the command `check`.
struct CheckArguments {
    let schemas: SchemaPaths
    /// Whether unregistered kinds and transformers are accepted.
    let hasOpaqueTransformers: Bool
    let explains: Bool
    /// Whether stores must be able to have the models.
    let areForStores: Bool
    /// The only schema to explain; nil for all.
    let model: String?
    /// The profile to explain; nil for the schemas' own mapping.
    let profile: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, or means nothing without another.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        schemas = try SchemaPaths(operands: parsed)
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        explains = parsed.has(.explain)
        areForStores = parsed.has(.forStores)
        model = parsed.values[.model]
        profile = parsed.values[.profile]
        for option in [Option.model, .profile] where !explains && parsed.has(option) {
            throw parsed.error("\(option.name) means nothing without --explain")
        }
    }
}
