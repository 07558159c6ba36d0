/// A model that may be read and not changed: how a merger sees the two models whose values it merges.
///
///     let isClosed = values.target["state", as: String.self] == "closed"
///
/// The models that it holds come as they are: a merger must not change them either, since the merge is being planned by
/// what they hold. It is of use while the merger runs: later it shows what became of the model.
public struct ReadOnlyModel {
    private let model: DynamicModel
    /// What earlier parts of the merge decided about properties of the model.
    private let planned: [Int: TemporarySlot]

    init(_ model: DynamicModel, planned: [Int: TemporarySlot]) {
        self.model = model
        self.planned = planned
    }

    /// The schema of the model.
    public var schema: ModelSchema { model.schema }

    /// The value of a property by key, in its natural Swift type; nil for unset and null.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when the schema has no such property.
    public func value(forKey key: String) throws(ModelError) -> (any PropertyValue)? { try slot(key).naturalValue }

    /// A property by key as a type the program knows to be right: `values.source?["title", as: String.self]`; nil for
    /// unset and null.
    ///
    /// Traps when the schema has no such property, as ``DynamicModel/subscript(_:as:)`` does.
    public subscript<Value: PropertyValue>(key: String, as type: Value.Type) -> Value? {
        withExtendedLifetime(self) {
            // Asked for first, because it checks the key and the type.
            let slot = model._slot(forKey: key, type)
            return Value._loadIfPresent(model.layout.index(of: key).flatMap { planned[$0]?.slot } ?? slot)
        }
    }

    /// Whether a property is unset, null, or holds a value, given or defaulted.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public func state(of key: String) throws(ModelError) -> PropertyState { try slot(key).propertyState }

    private func slot(_ key: String) throws(ModelError) -> PropertySlot {
        guard let index = model.layout.index(of: key) else { throw model.layout.unknownKeyError(key) }
        return planned[index]?.slot ?? model.slot(at: index)
    }
}
