/// The side of a model that a contract describes.
public enum ContractDirection: String, Sendable, Hashable, CaseIterable {
    /// The documents that are read: without properties that are only written.
    case input
    /// The documents that valid models are written as: without properties that are only read.
    case output
}

/// The notations of contracts, which differ in the keywords that their readers understand.
enum ContractNotation {
    /// JSON Schema 2020-12, as exact as it can be.
    case jsonSchema
    /// The schemas of OpenAPI 3.1, for programs that generate code: no conditions, names that are identifiers.
    case openAPI
    /// The subset of JSON Schema that constrains the output of language models.
    case strict
}
