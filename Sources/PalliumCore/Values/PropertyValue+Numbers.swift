public import Foundation

// Safety: loading is asked for where the description fits the type, so a decimal slot with a value holds the box of a
// decimal.
extension Bool: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .bool }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool { descriptor.kind == .bool }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: PropertySlot) -> Bool {
        slot.requireValue()
        return slot.load(UInt64.self) != 0
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) { slot.replace(with: UInt64(self ? 1 : 0)) }
}

/// The integer types share one implementation: the slot holds 64 bits, the schema's range is checked when storing, and an
/// accessor fits when its type holds every value of that range.
extension FixedWidthInteger where Self: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? {
        PropertyKind.IntegerWidth(rawValue: bitWidth).map { isSigned ? .integer($0) : .unsigned($0) }
    }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        switch descriptor.property.kind {
        case .integer, .unsigned: if use == .store { return true }
        default: break
        }
        switch descriptor.property.kind {
        case .integer(let width): return isSigned && bitWidth >= width.rawValue
        case .unsigned(let width): return isSigned ? bitWidth > width.rawValue : bitWidth >= width.rawValue
        case .enumeration(let schema): return fits(schema, for: use)
        default: return false
        }
    }

    /// A number stands for an enumeration whose cases are numbers.
    private static func fits(_ schema: EnumerationSchema, for use: AccessorUse) -> Bool {
        schema.cases.allSatisfy {
            if case .number(let number) = $0.rawValue { return Self(exactly: number) != nil }
            return false
        } && (schema.unknown != .keep || use == .store || bitWidth == 64 && isSigned)
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: PropertySlot) -> Self {
        slot.requireValue()
        if !slot.slotState.isEnumeration { return Self(truncatingIfNeeded: slot.load(Int64.self)) }
        return Self(truncatingIfNeeded: slot._enumerationNumber)
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        switch descriptor.kind {
        case .integer:
            guard let value = Int64(exactly: self), descriptor.signedRange.contains(value) else {
                throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "\(self)")
            }
            slot.replace(with: value)
        case .unsigned:
            guard let value = UInt64(exactly: self), value <= descriptor.unsignedMaximum else {
                throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "\(self)")
            }
            slot.replace(with: value)
        default:
            guard let value = Int64(exactly: self) else {
                throw ModelError(.unknownCase, descriptor, expected: descriptor.expectation, found: "\(self)")
            }
            try slot.storeEnumeration(.number(value))
        }
    }
}

extension PropertySlot {
    // Not generic: the compiler inlines no `_load` that calls a generic function. `releasenone` as for accessors.
    @usableFromInline
    package var _enumerationNumber: Int64 {
        @_effects(releasenone) get { enumerationNumber }
    }

    private var enumerationNumber: Int64 {
        if case .number(let number) = enumerationRawValue { return number }
        preconditionFailure("\(description.path) holds text, which no integer accessor fits")
    }
}

extension Int: PropertyValue {}
extension Int8: PropertyValue {}
extension Int16: PropertyValue {}
extension Int32: PropertyValue {}
extension Int64: PropertyValue {}
extension UInt: PropertyValue {}
extension UInt8: PropertyValue {}
extension UInt16: PropertyValue {}
extension UInt32: PropertyValue {}
extension UInt64: PropertyValue {}

extension Double: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .double }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool { descriptor.kind == .double }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: PropertySlot) -> Double {
        slot.requireValue()
        return slot.load(Double.self)
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        if descriptor.property.kind == .float, isFinite, Double(Float(self)) != self {
            throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "\(self)")
        }
        slot.replace(with: self)
    }
}

extension Float: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .float }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        descriptor.property.kind == .float
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: PropertySlot) -> Float {
        slot.requireValue()
        return Float(slot.load(Double.self))
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) { slot.replace(with: Double(self)) }
}

extension Decimal: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .decimal }

    /// Whether a value described so can be read as the type, or stored from it.
    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        descriptor.kind == .decimal
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: PropertySlot) -> Decimal {
        slot.requireValue()
        return unsafe SlotOperations.box(DecimalBox.self, slot.pointer).value
    }

    /// Replaces the content of a slot whose description fits.
    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        if isNaN { throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "NaN") }
        slot.replace(with: DecimalBox(self))
    }
}
