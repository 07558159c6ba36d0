/// Your function that merges the values of a property.
///
///     try MergerRegistry.shared.register(
///         Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) - ($0.base ?? 0) }, as: "sum")
///     …
///     "count": .integer.merge(MergePolicy("sum"))
///
/// Its result becomes the value. If it depends on other properties, the function reads them from the models:
///
///     Merger(String.self) { $0.sourceModel?["isReviewed", as: Bool.self] == true ? $0.source : $0.target }
///
/// The target's schema names the merger, whatever the source's schema says. The merger runs whenever the source has a
/// value or null for the property.
public final class Merger: Sendable {
    package typealias Models = (target: ReadOnlyModel, source: ReadOnlyModel?)

    /// The optional type of the values.
    package let valueType: any PropertyValue.Type
    /// The type of the stored value.
    package let storedType: any PropertyValue.Type
    package let merge: @Sendable (PropertySlot?, PropertySlot?, PropertySlot?, Models) throws -> (any PropertyValue)?

    /// Makes a merger of values of a type. It stores null when it returns nil.
    public init<Value: PropertyValue>(
        _ type: Value.Type, _ merge: @escaping @Sendable (Values<Value>) throws -> Value?
    ) {
        valueType = Value?.self
        storedType = Value.self
        self.merge = { target, source, base, models in
            try merge(
                Values(
                    target: target.flatMap { Value._loadIfPresent($0) },
                    source: source.flatMap { Value._loadIfPresent($0) },
                    base: base.flatMap { Value._loadIfPresent($0) },
                    targetModel: models.target, sourceModel: models.source))
        }
    }
}

extension Merger {
    /// The values that a merger merges.
    public struct Values<Value: PropertyValue> {
        /// The value of the target; nil for unset and null.
        public let target: Value?
        /// The value of the source; nil for null.
        public let source: Value?
        /// In a rebase, the value of the base.
        public let base: Value?
        /// The whole target, before this occurrence. If a document contains the model more than once, earlier
        /// occurrences are merged already, and so may be the models that it holds.
        public let targetModel: ReadOnlyModel
        /// The whole source; from a document, the properties that it contains. Nil in ``DynamicModel/merge(_:from:)``
        /// without a source.
        public let sourceModel: ReadOnlyModel?
    }
}
