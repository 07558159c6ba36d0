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
    /// What names and transformers cannot say, as code.
    package var conversion: UpgradeConversion?

    /// Describes a step.
    public init(
        from: Int, renamed: [String: String] = [:], removed: [String] = [], defaults: [String: JSONValue] = [:],
        transformed: [String: [TransformerName]] = [:], oldSchemaName: String? = nil
    ) {
        self.from = from
        self.renamed = renamed
        self.removed = removed
        self.defaults = defaults
        self.transformed = transformed
        self.oldSchemaName = oldSchemaName
    }

    /// Describes a step by code: to split a value, to join two.
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
