public import Foundation

extension Bool: PropertyValue {
    public static var _naturalKind: PropertyKind? { .bool }

    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool { descriptor.kind == .bool }

    @inlinable
    public static func _load(_ slot: PropertySlot) -> Bool {
        slot.requireValue()
        return slot.load(UInt64.self) != 0
    }

    public func _store(_ slot: PropertySlot) throws(ModelError) { slot.replace(with: UInt64(self ? 1 : 0)) }
}

/// The integer types share one implementation: the slot holds 64 bits, the schema's range is checked when storing, and an
/// accessor fits when its type holds every value of that range.
extension FixedWidthInteger where Self: PropertyValue {
    public static var _naturalKind: PropertyKind? {
        PropertyKind.IntegerWidth(rawValue: bitWidth).map { isSigned ? .integer($0) : .unsigned($0) }
    }

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
        } && (schema.unknown != .keep || use != .read || bitWidth == 64 && isSigned)
    }

    @inlinable
    public static func _load(_ slot: PropertySlot) -> Self {
        slot.requireValue()
        if !slot.slotState.isEnumeration { return Self(truncatingIfNeeded: slot.load(Int64.self)) }
        return slot._enumerationNumber(as: Self.self)
    }

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
    @usableFromInline
    package func _enumerationNumber<Value: FixedWidthInteger>(as type: Value.Type) -> Value {
        if case .number(let number) = enumerationRawValue { return Value(truncatingIfNeeded: number) }
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
    public static var _naturalKind: PropertyKind? { .double }

    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool { descriptor.kind == .double }

    @inlinable
    public static func _load(_ slot: PropertySlot) -> Double {
        slot.requireValue()
        return slot.load(Double.self)
    }

    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        if descriptor.property.kind == .float, isFinite, Double(Float(self)) != self {
            throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "\(self)")
        }
        slot.replace(with: self)
    }
}

extension Float: PropertyValue {
    public static var _naturalKind: PropertyKind? { .float }

    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool {
        descriptor.property.kind == .float
    }

    @inlinable
    public static func _load(_ slot: PropertySlot) -> Float {
        slot.requireValue()
        return Float(slot.load(Double.self))
    }

    public func _store(_ slot: PropertySlot) throws(ModelError) { slot.replace(with: Double(self)) }
}

extension Decimal: PropertyValue {
    public static var _naturalKind: PropertyKind? { .decimal }

    public static func _fits(_ descriptor: ValueDescriptor, for use: AccessorUse) -> Bool { descriptor.kind == .decimal }

    public static func _load(_ slot: PropertySlot) -> Decimal {
        slot.requireValue()
        return SlotOperations.box(DecimalBox.self, slot.pointer).value
    }

    public func _store(_ slot: PropertySlot) throws(ModelError) {
        let descriptor = slot.description
        if isNaN { throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.expectation, found: "NaN") }
        slot.replace(with: DecimalBox(self))
    }
}
