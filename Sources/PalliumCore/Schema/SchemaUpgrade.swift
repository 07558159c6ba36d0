public import PalliumJSON

/// One step from a version of a schema to the next.
///
/// A step works on stored values by key, never on current models, so later changes of the schema do not affect it. Its
/// changes are applied in this order: renames (all at once), transformers, the conversion in code, defaults, removals.
public struct SchemaUpgrade: Sendable, Hashable {
    package var from: Int
    package var renamed: [String: String]
    package var removed: [String]
    package var defaults: [String: JSONValue]
    package var transformed: [String: [TransformerName]]
    package var oldSchemaName: String?
    package var when: [String: JSONValue]
    package var conversion: UpgradeConversion?

    /// Whether the step has code, which no document can hold.
    var hasClosures: Bool {
        conversion != nil || transformed.values.contains { $0.contains { $0.unnamed != nil } }
    }

    /// Describes a step.
    ///
    ///     SchemaUpgrade(from: 1, oldSchemaName: "Vehicle", when: ["kind": "car"])
    ///
    /// Code can split and join values, or move them into a model:
    ///
    ///     SchemaUpgrade(from: 2, removed: ["name"]) { person in
    ///         let parts = (person["name"]?.text ?? "").split(separator: " ", maxSplits: 1)
    ///         person["firstName"] = parts.first.map { .string(String($0)) }
    ///         person["lastName"] = parts.count > 1 ? .string(String(parts[1])) : .null
    ///     }
    ///
    /// - Parameters:
    ///   - from: The version the step starts from. It leads to the next version.
    ///   - renamed: Keys that changed: old to new.
    ///   - removed: Keys that were removed.
    ///   - defaults: Values for new keys, for models without a value for the key.
    ///   - transformed: Keys whose values are converted, and the named transformers to apply in order.
    ///   - oldSchemaName: The schema's name before this step; nil when it did not change.
    ///   - when: Stored values that a model of the old name must have to belong to this schema; empty for all models.
    ///     Several schemas may have the same old name, when one model became two. Each then describes its own models
    ///     here, or they have an ancestor whose cluster decides.
    ///   - convert: The conversion that needs code.
    public init(
        from: Int, renamed: [String: String] = [:], removed: [String] = [],
        defaults: [String: JSONValue] = [:], transformed: [String: [TransformerName]] = [:],
        oldSchemaName: String? = nil, when: [String: JSONValue] = [:],
        convert: (@Sendable (inout FormerModel) throws -> Void)? = nil
    ) {
        self.from = from
        self.renamed = renamed
        self.removed = removed
        self.defaults = defaults
        self.transformed = transformed
        self.oldSchemaName = oldSchemaName
        self.when = when
        conversion = convert.map(UpgradeConversion.init)
    }
}
