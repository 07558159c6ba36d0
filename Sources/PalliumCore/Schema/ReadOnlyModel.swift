/// A read-only view of a model, through which a merger reads the models whose values it merges.
///
///     let isClosed = values.targetModel["state", as: String.self] == "closed"
///
/// A merger must not change nested models either; some of them may be merged already. Use the view only while the merger
/// runs.
public struct ReadOnlyModel {
    private let model: DynamicModel

    package init(_ model: DynamicModel) { self.model = model }

    /// The schema of the model.
    public var schema: ModelSchema { model.schema }

    /// Returns the value of a property by key, in its natural Swift type; nil for unset and null.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when the schema has no such property.
    public func value(forKey key: String) throws(ModelError) -> (any PropertyValue)? { try slot(key).naturalValue }

    /// A property by key as this type: `values.sourceModel?["title", as: String.self]`; nil for unset and null.
    ///
    /// Traps when the schema has no such property, as ``DynamicModel/subscript(_:as:)`` does.
    public subscript<Value: PropertyValue>(key: String, as type: Value.Type) -> Value? {
        withExtendedLifetime(self) { Value._loadIfPresent(model.slotForReading(forKey: key, type)) }
    }

    /// Returns whether a property is unset, null, or has a value, given or defaulted.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public func state(of key: String) throws(ModelError) -> PropertyState { try slot(key).propertyState }

    private func slot(_ key: String) throws(ModelError) -> PropertySlot {
        guard let index = model.layout.index(of: key) else { throw model.layout.unknownKeyError(key) }
        return model.slot(at: index)
    }
}
