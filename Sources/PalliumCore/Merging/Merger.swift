/// What a merger decides on.
public struct MergeValues<Value: PropertyValue> {
    /// The value of the model that is merged into; nil for unset and null.
    public let own: Value?
    /// The value that comes; nil for null.
    public let incoming: Value?
    /// In a rebase, the value that both started from.
    public let base: Value?
}

/// Code of the program that merges the values of a property.
///
///     try MergerRegistry.shared.register(
///         Merger(Int.self) { ($0.own ?? 0) + ($0.incoming ?? 0) - ($0.base ?? 0) }, as: "sum")
///     …
///     "count": .integer.merge(MergePolicy("sum"))
///
/// It is asked whenever the incoming model says something about the property, null included.
public struct Merger: Sendable {
    private final class Identity: Sendable {}

    /// The type of the values, optional.
    package let valueType: any PropertyValue.Type
    /// The type of what is stored.
    package let storedType: any PropertyValue.Type
    package let merge: @Sendable (PropertySlot?, PropertySlot?, PropertySlot?) throws -> (any PropertyValue)?
    private let identity = Identity()

    /// Makes a merger of values of a type; nil as its answer is null.
    public init<Value: PropertyValue>(
        _ type: Value.Type, _ merge: @escaping @Sendable (MergeValues<Value>) throws -> Value?
    ) {
        valueType = Value?.self
        storedType = Value.self
        self.merge = { own, incoming, base in
            try merge(
                MergeValues(
                    own: own.flatMap { Value._loadIfPresent($0) },
                    incoming: incoming.flatMap { Value._loadIfPresent($0) },
                    base: base.flatMap { Value._loadIfPresent($0) }))
        }
    }

    static func same(_ left: Merger, _ right: Merger) -> Bool { left.identity === right.identity }
}
