public import PalliumJSON

/// One step from a version of a schema to the next.
public struct SchemaUpgrade: Sendable, Hashable {
    /// The version the step starts from; it ends at the next.
    public var from: Int
    /// Keys that changed: old to new.
    public var renamed: [String: String]
    /// Keys that are gone.
    public var removed: [String]
    /// Values of keys that are new.
    public var defaults: [String: JSONValue]
    /// Keys whose values change, by a named transformer.
    public var transformed: [String: TransformerName]
    /// The schema's name before this step, when that changed.
    public var oldSchemaName: String?

    /// Describes a step.
    public init(
        from: Int, renamed: [String: String] = [:], removed: [String] = [], defaults: [String: JSONValue] = [:],
        transformed: [String: TransformerName] = [:], oldSchemaName: String? = nil
    ) {
        self.from = from
        self.renamed = renamed
        self.removed = removed
        self.defaults = defaults
        self.transformed = transformed
        self.oldSchemaName = oldSchemaName
    }
}

/// A named alternative mapping of a schema to JSON.
public struct JSONProfile: Sendable, Hashable {
    /// The name by which an adapter chooses the profile.
    public var name: String
    /// Where the properties live that differ from the schema's own mapping.
    public var mappings: [String: JSONMapping]

    /// Describes a profile.
    public init(_ name: String, _ mappings: [String: JSONMapping]) {
        self.name = name
        self.mappings = mappings
    }
}
