public import PalliumJSON

/// One step from a version of a schema to the next.
///
/// A step works on stored values by key, never on the models of today, so it stays true when the schema goes on
/// changing. Its parts are taken in this order: renames (all at once), transformers, the conversion in code, defaults,
/// removals.
public struct SchemaUpgrade: Sendable, Hashable {
    /// The version the step starts from; it ends at the next.
    public var from: Int
    /// Keys that changed: old to new.
    public var renamed: [String: String]
    /// Keys that are gone.
    public var removed: [String]
    /// Values of keys that are new: what a model without a value for the key gets.
    public var defaults: [String: JSONValue]
    /// Keys whose values change, by named transformers that are applied in order.
    public var transformed: [String: [TransformerName]]
    /// The schema's name before this step, when that changed.
    public var oldSchemaName: String?
    /// Which of the models of the old name are this schema's, by values they were stored with; empty for all.
    ///
    /// Several schemas may have had one name: one model became two. Each says which models are its own, or all of them
    /// have an ancestor whose cluster decides.
    public var when: [String: JSONValue]
    /// What names and transformers cannot say, as code.
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

    /// Describes a step by code: to split a value, to join two, to move values into a model or out of one.
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

    /// Adds code to a step; it runs after renames and transformers and before defaults and removals.
    public func converting(_ convert: @escaping @Sendable (inout StoredModel) throws -> Void) -> SchemaUpgrade {
        var copy = self
        copy.conversion = UpgradeConversion(convert)
        return copy
    }
}

/// Code that takes a step.
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

/// Code that decides what a property of a stored model holds.
package struct StoredValueHook: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let run: @Sendable (StoredModel) throws -> StoredValue?

    package init(_ run: @escaping @Sendable (StoredModel) throws -> StoredValue?) { self.run = run }

    package static func == (left: StoredValueHook, right: StoredValueHook) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
