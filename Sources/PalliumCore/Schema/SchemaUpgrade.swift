public import PalliumJSON

/// One step from a version of a schema to the next.
///
/// A step works on stored values by key, never on current models, so later changes of the schema do not affect it. Its
/// changes are applied in this order: renames (all at once), transformers, the conversion in code, defaults, removals.
public struct SchemaUpgrade: Sendable, Hashable {
    /// The version the step starts from. It leads to the next version.
    public var from: Int
    /// Keys that changed: old to new.
    public var renamed: [String: String]
    /// Keys that were removed.
    public var removed: [String]
    /// Values for new keys, for models without a value for the key.
    public var defaults: [String: JSONValue]
    /// Keys whose values are converted, and the named transformers to apply in order.
    public var transformed: [String: [TransformerName]]
    /// The schema's name before this step; nil when it did not change.
    public var oldSchemaName: String?
    /// Stored values that a model of the old name must have to belong to this schema; empty for all models.
    ///
    /// Several schemas may have the same old name, when one model became two. Each then describes its own models here,
    /// or they have an ancestor whose cluster decides.
    public var when: [String: JSONValue]
    /// The conversion that needs code.
    package var conversion: UpgradeConversion?

    /// Describes a step.
    ///
    ///     SchemaUpgrade(from: 1, oldSchemaName: "Vehicle", when: ["kind": "car"])
    public init(
        from: Int, renamed: [String: String] = [:], removed: [String] = [], defaults: [String: JSONValue] = [:],
        transformed: [String: [TransformerName]] = [:], oldSchemaName: String? = nil, when: [String: JSONValue] = [:]
    ) {
        self.from = from
        self.renamed = renamed
        self.removed = removed
        self.defaults = defaults
        self.transformed = transformed
        self.oldSchemaName = oldSchemaName
        self.when = when
    }

    /// Describes a step by code, for example to split or join values, or to move values into a model.
    ///
    ///     SchemaUpgrade(from: 2) { person in
    ///         let parts = (person["name"]?.text ?? "").split(separator: " ", maxSplits: 1)
    ///         person["firstName"] = parts.first.map { .string(String($0)) }
    ///         person["lastName"] = parts.count > 1 ? .string(String(parts[1])) : .null
    ///         person["name"] = nil
    ///     }
    public init(from: Int, convert: @escaping @Sendable (inout StoredModel) throws -> Void) {
        self.init(from: from)
        conversion = UpgradeConversion(convert)
    }

    /// Adds code to a step. It runs after renames and transformers, before defaults and removals.
    public func converting(_ convert: @escaping @Sendable (inout StoredModel) throws -> Void) -> SchemaUpgrade {
        var copy = self
        copy.conversion = UpgradeConversion(convert)
        return copy
    }
}

/// Your function that converts a stored model.
package struct UpgradeConversion: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let run: @Sendable (inout StoredModel) throws -> Void

    package init(_ run: @escaping @Sendable (inout StoredModel) throws -> Void) { self.run = run }

    package static func == (left: UpgradeConversion, right: UpgradeConversion) -> Bool {
        left.identity === right.identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// Your function that computes a property of a stored model.
package struct StoredValueHook: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let run: @Sendable (StoredModel) throws -> StoredModel.Value?

    package init(_ run: @escaping @Sendable (StoredModel) throws -> StoredModel.Value?) { self.run = run }

    package static func == (left: StoredValueHook, right: StoredValueHook) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
