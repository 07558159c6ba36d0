/// What a merger decides on.
public struct MergeValues<Value: PropertyValue> {
    /// The value of the model that is merged into; nil for unset and null.
    public let own: Value?
    /// The value that comes; nil for null.
    public let incoming: Value?
    /// In a rebase, the value that both started from.
    public let base: Value?
    /// The whole model that is merged into, as it was before the present mention of it: a document may mention a model
    /// more than once, and what earlier mentions brought is there.
    public let target: ReadOnlyModel
    /// The whole model that comes, of a document all it mentions; nil in ``DynamicModel/merge(_:from:)`` without one.
    public let source: ReadOnlyModel?
}

/// Code of the program that merges the values of a property.
///
///     try MergerRegistry.shared.register(
///         Merger(Int.self) { ($0.own ?? 0) + ($0.incoming ?? 0) - ($0.base ?? 0) }, as: "sum")
///     …
///     "count": .integer.merge(MergePolicy("sum"))
///
/// What it returns becomes the value. Where that depends on other properties, it reads them in the models themselves:
///
///     Merger(String.self) { $0.source?["isReviewed", as: Bool.self] == true ? $0.incoming : $0.own }
///
/// The merger that the target's schema names counts, whatever the source's schema says. It is asked whenever the
/// incoming model says something about the property, null included.
public struct Merger: Sendable {
    private final class Identity: Sendable {}
    package typealias Models = (target: ReadOnlyModel, source: ReadOnlyModel?)

    /// The type of the values, optional.
    package let valueType: any PropertyValue.Type
    /// The type of what is stored.
    package let storedType: any PropertyValue.Type
    package let merge: @Sendable (PropertySlot?, PropertySlot?, PropertySlot?, Models) throws -> (any PropertyValue)?
    private let identity = Identity()

    /// Makes a merger of values of a type; nil as its answer is null.
    public init<Value: PropertyValue>(
        _ type: Value.Type, _ merge: @escaping @Sendable (MergeValues<Value>) throws -> Value?
    ) {
        valueType = Value?.self
        storedType = Value.self
        self.merge = { own, incoming, base, models in
            try merge(
                MergeValues(
                    own: own.flatMap { Value._loadIfPresent($0) },
                    incoming: incoming.flatMap { Value._loadIfPresent($0) },
                    base: base.flatMap { Value._loadIfPresent($0) }, target: models.target, source: models.source))
        }
    }

    static func same(_ left: Merger, _ right: Merger) -> Bool { left.identity === right.identity }
}
