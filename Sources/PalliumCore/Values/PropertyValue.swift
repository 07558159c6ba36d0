// Safety: loading is asked for where the description fits the type, so a slot of a custom kind with a value holds the
// box of one.

/// A Swift type that accessors can read from and write to a property.
///
/// The library conforms `Bool`, the integer types, `Float`, `Double`, `Decimal`, `String`, `Date`, `URL`, `UUID`, `Data`,
/// `JSONValue`, ``DynamicModel`` and its subclasses, and optionals, arrays, sets and text-keyed dictionaries of those.
/// Enumerations conform through ``PropertyEnumeration``. A type of your own that is `Hashable & Sendable` conforms with
/// an empty extension and is held by a property of the kind ``PropertySchema/custom(_:name:transformer:)``.
///
/// The requirements with a leading underscore are the library's; nobody else calls or implements them.
public protocol PropertyValue: SendableMetatype {
    /// Whether a value described so can be read as this type, or stored from it.
    static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool

    /// Reads a slot that holds a value.
    static func _load(_ slot: PropertySlot) -> Self

    /// Reads a slot, or answers nil where there is nothing this type can show.
    static func _loadIfPresent(_ slot: PropertySlot) -> Self?

    /// Replaces the content of a slot whose description fits, or throws and leaves it as it was.
    func _store(_ slot: PropertySlot) throws(ModelError)

    /// Whether nil is a value of the type.
    static var _isOptional: Bool { get }

    /// The kind of property that holds values of the type; nil for types that only a custom kind can name.
    static var _naturalKind: PropertyKind? { get }
}

/// What an accessor type is asked to do.
public enum AccessorUse: Sendable {
    /// To read a value that is always there.
    case read
    /// To read a value, with nil as an answer.
    case readOptional
    /// To be stored; whether the very value is allowed is seen when it is.
    case store
}

extension PropertyValue {
    /// Whether nil is a value of the type.
    @inlinable public static var _isOptional: Bool { false }

    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { nil }

    /// Reads a slot, or answers nil where it holds nothing the type can show.
    @inlinable @inline(__always)
    public static func _loadIfPresent(_ slot: PropertySlot) -> Self? {
        slot.hasValue ? _load(slot) : nil
    }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        Wrapped._fits(descriptor, for: use == .store ? .store : .readOptional)
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: PropertySlot) -> Wrapped? { Wrapped._loadIfPresent(slot) }

    /// Reads a slot, or answers nil where it holds nothing the type can show.
    @inlinable @inline(__always)
    public static func _loadIfPresent(_ slot: PropertySlot) -> Wrapped?? {
        .some(Wrapped._loadIfPresent(slot))
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        if let value = self {
            try value._store(slot)
        } else {
            try slot.storeNull()
        }
    }

    /// Whether nil is a value of the type.
    @inlinable public static var _isOptional: Bool { true }

    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Wrapped._naturalKind }
}

// A type of the program: held in a box by properties of the kind `custom`.
extension PropertyValue where Self: Hashable & Sendable {
    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        if case .custom(let custom) = descriptor.property.kind { return custom.type == Self.self }
        return false
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: PropertySlot) -> Self {
        slot.requireValue()
        guard let value = unsafe SlotOperations.box(CustomBox.self, slot.pointer).value as? Self else {
            // An invariant: the type was checked when the accessor was resolved.
            preconditionFailure("\(slot.description.path) holds another type than \(Self.self)")
        }
        return value
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        slot.replace(with: CustomBox(self))
    }
}

extension PropertySlot {
    /// Stores null, or refuses it where the schema does.
    package func storeNull() throws(ModelError) {
        let descriptor = description
        if !descriptor.isNullable {
            throw ModelError(.nullNotAllowed, descriptor, expected: descriptor.expectation, found: "null")
        }
        setNull()
    }
}
