/// A Swift type that accessors can read from and write to a property.
///
/// The library conforms `Bool`, the integer types, `Float`, `Double`, `Decimal`, `String`, `Date`, `Duration`, `URL`,
/// `UUID`, `Data`, `JSONValue`, ``DynamicModel`` and its subclasses, and optionals, arrays, sets and text-keyed dictionaries of those.
/// Enumerations conform through ``PropertyEnumeration``. A type of your own that is `Hashable & Sendable` conforms with
/// an empty extension and is held by a property of the kind ``PropertySchema/custom(_:name:transformer:)``.
///
/// The requirements with a leading underscore belong to the library; do not call or implement them.
public protocol PropertyValue: SendableMetatype {
    /// Whether a value with this descriptor can be read as the type, or stored from it.
    static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool

    /// Reads a slot that holds a value.
    static func _load(_ slot: _Storage.Slot) -> Self

    /// Reads a slot; returns nil when it holds no value of the type.
    static func _loadIfPresent(_ slot: _Storage.Slot) -> Self?

    /// Replaces the content of a slot whose descriptor fits, or throws and leaves it unchanged.
    func _store(_ slot: _Storage.Slot) throws(ModelError)

    /// Whether nil is a value of the type.
    static var _isOptional: Bool { get }

    /// The kind of property that holds values of the type; nil for types that only a custom kind can name.
    static var _naturalKind: PropertyKind? { get }
}

extension _Storage {
    /// The uses of an accessor type.
    public enum Use: Sendable {
        /// Reading a value that is always present.
        case read
        /// Reading an optional value.
        case readOptional
        /// Storing. Each value is checked when it is stored.
        case store
    }
}

extension PropertyValue {
    /// Whether nil is a value of the type.
    @inlinable public static var _isOptional: Bool { false }

    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { nil }

    /// Reads a slot; returns nil when it holds no value of the type.
    @inlinable @inline(__always)
    public static func _loadIfPresent(_ slot: _Storage.Slot) -> Self? {
        slot.hasValue ? _load(slot) : nil
    }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        Wrapped._fits(descriptor, for: use == .store ? .store : .readOptional)
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Wrapped? { Wrapped._loadIfPresent(slot) }

    /// Reads a slot; returns nil when it holds no value of the type.
    @inlinable @inline(__always)
    public static func _loadIfPresent(_ slot: _Storage.Slot) -> Wrapped?? {
        .some(Wrapped._loadIfPresent(slot))
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        if let value = self {
            try value._store(slot)
        } else {
            try slot.storeNil()
        }
    }

    /// Whether nil is a value of the type.
    @inlinable public static var _isOptional: Bool { true }

    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { Wrapped._naturalKind }
}

// Types that slots hold unchanged, and types of your own, which properties of the kind `custom` hold in a box.
//
// Safety: values are loaded only if the descriptor fits the type, so a custom slot with a value holds a box, and another
// one the type of its kind.
extension PropertyValue where Self: Hashable & Sendable {
    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        descriptor.naturalType == Self.self
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> Self {
        slot.requireValue()
        let descriptor = slot.description
        guard descriptor.kind == .custom else { return slot.load(Self.self) }
        guard let value = slot.custom as? Self else {
            // An invariant: the type was checked when the accessor was resolved.
            preconditionFailure("\(descriptor.path) holds another type than \(Self.self)")
        }
        return value
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        if slot.description.kind == .custom {
            slot.replace(with: CustomBox(self))
        } else {
            slot.replace(with: self)
        }
    }
}

extension PropertySlot {
    /// Stores nil: null, or no value where the schema refuses null and a model may lack the value.
    package func storeNil() throws(ModelError) {
        let descriptor = description
        if descriptor.hasOptionalAccessor, !descriptor.isNullable { return clear() }
        try storeNull()
    }

    /// Whether the value of a required property is missing: there is none, and no null that stands for it.
    package var isMissing: Bool { !hasValue && !(slotState.isNull && description.isNullable) }

    /// Stores null, or throws where the schema does not allow it.
    package func storeNull() throws(ModelError) {
        let descriptor = description
        if !descriptor.isNullable {
            throw ModelError(.nullNotAllowed, descriptor, expected: descriptor.expectation, found: "null")
        }
        setNull()
    }
}
