public import PalliumCore

/// How the records of a schema differ from its models. What it does not mention has the same name in both.
///
///     RecordMapping(
///         entity: "CDIssue", keys: ["htmlURL": "link"],
///         transformers: ["updatedAt": UnixSecondsTransformerName])
///
/// The mapping of a schema is also that of its descendants, except for the entity. Which properties records hold follows
/// from the schema, as for archives: not those with `.archive(.excluded)`, and no weak references.
public struct RecordMapping: Sendable {
    /// The name of the entity; nil if it is the name of the schema.
    public var entity: String?
    /// The attributes and relationships of properties, by the property's key.
    public var keys: [String: String]
    /// The transformers between an attribute and its property, by the property's key. As with JSON, the forward conversion
    /// is to the property. They also convert the values by which a record is found.
    public var transformers: [String: TransformerName]
    /// The attributes in which related records have their key in a dictionary of models, by the property's key.
    public var dictionaryKeys: [String: String]

    /// Describes how records differ from models.
    public init(
        entity: String? = nil, keys: [String: String] = [:], transformers: [String: TransformerName] = [:],
        dictionaryKeys: [String: String] = [:]
    ) {
        self.entity = entity
        self.keys = keys
        self.transformers = transformers
        self.dictionaryKeys = dictionaryKeys
    }
}
