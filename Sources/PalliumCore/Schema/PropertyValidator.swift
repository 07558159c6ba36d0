/// What a validator may want to know about the value it sees.
public struct ValidationContext: Sendable {
    /// The schema of the model.
    public let schema: String
    /// The key of the property.
    public let property: String
}

/// A check of one property's value that may also correct it.
package struct PropertyValidator: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    /// The accessor type the check asks for.
    package let valueType: any PropertyValue.Type
    /// Runs the check on a slot; a corrected value is stored, an accepted one leaves the slot alone.
    package let run: @Sendable (PropertySlot, ValidationContext) throws -> Void

    package init<Value: PropertyValue>(_ check: @escaping @Sendable (inout Value, ValidationContext) throws -> Void) {
        valueType = Value.self
        run = { slot, context in
            // A plain type is that of a property which must have a value; one that has none is missing.
            guard slot.hasValue || Value._isOptional else { return }
            var value = Value._load(slot)
            let wasNil = value._isNil
            try check(&value, context)
            // Nil that stays nil is no correction: it may stand for nothing, or for what the type cannot show (an unknown
            // case, a weak model that is gone).
            if wasNil, value._isNil { return }
            try slot.storeIfDifferent(value)
        }
    }

    // Closures cannot be compared; copies of one validator are the same, two validators never.
    package static func == (left: PropertyValidator, right: PropertyValidator) -> Bool {
        left.identity === right.identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// An optional of any type, to see whether it is nil.
private protocol NilTestable {
    var isNil: Bool { get }
}

extension Optional: NilTestable {
    fileprivate var isNil: Bool {
        if case .none = self { true } else { false }
    }
}

extension PropertyValue {
    fileprivate var _isNil: Bool { (self as? any NilTestable)?.isNil == true }
}
