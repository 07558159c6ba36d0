import Pallium

/// The arguments of the commands that make documents from schemas.
struct SampleArguments {
    let schemas: SchemaPaths
    /// The name of the schema of the documents' roots; nil for every schema.
    let model: String?
    /// The number of documents; nil for as many as cover every choice.
    let count: Int?
    let seed: UInt64
    /// Whether documents with mistakes are made.
    let isInvalid: Bool
    /// Whether unregistered kinds, transformers and formats are accepted; their properties are left out.
    let hasOpaqueTransformers: Bool

    /// Reads the arguments of a command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, superfluous or no number.
    init(_ parsed: ParsedArguments, needsModel: Bool) throws(UsageError) {
        schemas = try SchemaPaths(operands: parsed)
        model = parsed.values[.model]
        if model == nil, needsModel { throw parsed.missing(.model) }
        count = try parsed.number(.count, from: 0, through: 1_000_000_000)
        seed = try parsed.number(.seed, from: 0) ?? 0
        isInvalid = parsed.has(.invalid)
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
    }
}
