public import Foundation
import PalliumJSON

// Stores and reads Booleans and numbers.
//
// Safety: values are loaded only if the descriptor fits the type, so a decimal slot with a value holds the box of a
// decimal.
extension Bool: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .bool }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        descriptor.kind == .bool
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Bool {
        slot.requireValue()
        return slot.load(UInt64.self) != 0
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) { slot.replace(with: UInt64(self ? 1 : 0)) }
}

/// The implementation that all integer types share.
///
/// The slot holds 64 bits, storing checks the schema's range, and an accessor fits when its type holds every value of
/// that range.
///
/// An accessor reads the type of the schema. A number of any type can be stored in a property of any kind of number
/// that holds it exactly, like a number in JSON.
extension FixedWidthInteger where Self: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? {
        PropertyKind.IntegerWidth(rawValue: bitWidth).map { isSigned ? .integer($0) : .unsigned($0) }
    }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        if use == .store, descriptor.kind.isNumber { return true }
        switch descriptor.property.kind {
        case .integer(let width): return isSigned && bitWidth >= width.rawValue
        case .unsigned(let width): return isSigned ? bitWidth > width.rawValue : bitWidth >= width.rawValue
        case .enumeration(let schema): return fits(schema, for: use)
        default: return false
        }
    }

    /// Whether the type can be an accessor of an enumeration, which all cases must be numbers for.
    private static func fits(_ schema: EnumerationSchema, for use: AccessorUse) -> Bool {
        schema.cases.allSatisfy {
            if case .number(let number) = $0.rawValue { return Self(exactly: number) != nil }
            return false
        } && (schema.unknown != .keep || use == .store || bitWidth == 64 && isSigned)
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Self {
        slot.requireValue()
        if !slot.slotState.isEnumeration { return Self(truncatingIfNeeded: slot.load(Int64.self)) }
        return Self(truncatingIfNeeded: slot._enumerationNumber)
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        let descriptor = slot.description
        switch descriptor.kind {
        case .integer:
            guard let value = Int64(exactly: self), descriptor.signedRange.contains(value) else {
                throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.rangeExpectation, found: "\(self)")
            }
            slot.replace(with: value)
        case .unsigned:
            guard let value = UInt64(exactly: self), value <= descriptor.unsignedMaximum else {
                throw ModelError(.numberOutOfRange, descriptor, expected: descriptor.rangeExpectation, found: "\(self)")
            }
            slot.replace(with: value)
        case .double: try slot.storeDouble(Double(exactly: self), of: self)
        case .decimal: try slot.storeDecimal(ExactDecimal.value(of: self), of: self)
        default:
            guard let value = Int64(exactly: self) else {
                throw ModelError(.unknownCase, descriptor, expected: descriptor.expectation, found: "\(self)")
            }
            try slot.storeEnumeration(.number(value))
        }
    }
}

extension PropertySlot {
    // Not generic, because the compiler does not inline a `_load` that calls a generic function. `releasenone` as for
    // accessors.
    @usableFromInline
    package var _enumerationNumber: Int64 {
        @_effects(releasenone) get { enumerationNumber }
    }

    private var enumerationNumber: Int64 {
        if case .number(let number) = enumerationRawValue { return number }
        // An invariant: the cases were checked when the accessor was resolved.
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

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        use == .store ? descriptor.kind.isNumber : descriptor.kind == .double
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Double {
        slot.requireValue()
        return slot.load(Double.self)
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        switch slot.description.kind {
        case .integer: try slot.storeInteger(Int64(exactly: self), of: self)
        case .unsigned: try slot.storeInteger(UInt64(exactly: self), of: self)
        case .decimal: try slot.storeDecimal(ExactDecimal.value(of: self), of: self)
        default: try slot.storeDouble(self, of: self)
        }
    }
}

extension Float: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .float }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        use == .store ? descriptor.kind.isNumber : descriptor.property.kind == .float
    }

    /// Reads a slot that holds a value.
    @inlinable @inline(__always)
    public static func _load(_ slot: _Storage.Slot) -> Float {
        slot.requireValue()
        return Float(slot.load(Double.self))
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) { try Double(self)._store(slot) }
}

extension Decimal: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .decimal }

    /// Whether a value with this descriptor can be read as the type, or stored from it.
    public static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool {
        use == .store ? descriptor.kind.isNumber : descriptor.kind == .decimal
    }

    /// Reads a slot that holds a value.
    public static func _load(_ slot: _Storage.Slot) -> Decimal {
        slot.requireValue()
        return slot.decimal
    }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        switch slot.description.kind {
        case .integer: try slot.storeInteger(ExactDecimal.number(self)?.int64, of: self)
        case .unsigned: try slot.storeInteger(ExactDecimal.number(self)?.uint64, of: self)
        case .double: try slot.storeDouble(ExactDecimal.double(of: self), of: self)
        default: try slot.storeDecimal(isNaN ? nil : self, of: self)
        }
    }
}

// MARK: Exact conversions

extension PropertySlot {
    /// Stores a number in a slot of an integer kind; nil means that no integer equals the number.
    fileprivate func storeInteger<Integer: FixedWidthInteger & PropertyValue>(
        _ value: Integer?, of number: some CustomStringConvertible
    ) throws(ModelError) {
        let descriptor = description
        guard let value else {
            throw ModelError(.typeMismatch, descriptor, expected: descriptor.expectation, found: "\(number)")
        }
        try value._store(self)
    }

    /// Stores a number in a slot of the kind double or float; nil means that no double equals the number.
    fileprivate func storeDouble(_ value: Double?, of number: some CustomStringConvertible) throws(ModelError) {
        let descriptor = description
        let isFloat = descriptor.property.kind == .float
        guard let value, !isFloat || !value.isFinite || Double(Float(value)) == value else {
            throw ModelError(
                .numberOutOfRange, descriptor,
                expected: "a number that a \(isFloat ? "float" : "double") holds exactly", found: "\(number)")
        }
        replace(with: value)
    }

    /// Stores a number in a slot of the kind decimal; nil means that no decimal equals the number.
    fileprivate func storeDecimal(_ value: Decimal?, of number: some CustomStringConvertible) throws(ModelError) {
        let descriptor = description
        guard let value else {
            throw ModelError(
                .numberOutOfRange, descriptor, expected: "a number that a decimal holds exactly", found: "\(number)")
        }
        replace(with: DecimalBox(value))
    }
}

/// Converts exactly between decimals and other numbers.
private enum ExactDecimal {
    static func value(of integer: some FixedWidthInteger) -> Decimal? { DecimalText.value(in: "\(integer)") }

    /// Returns the decimal that equals a double exactly, not its shortest text; nil for 0.1, which no double equals.
    static func value(of double: Double) -> Decimal? {
        guard double.isFinite else { return nil }
        if double == 0 { return 0 }
        // m · 2^e with an odd m. Below 1, that is m · 5^-e / 10^-e, whose digits a decimal must hold.
        let mantissa = double.significandBitPattern | (double.exponentBitPattern == 0 ? 0 : 1 << 52)
        let zeros = mantissa.trailingZeroBitCount
        let exponent = max(Int(double.exponentBitPattern), 1) - 1075 + zeros
        guard abs(exponent) <= 128 else { return nil }
        var digits = UInt128(mantissa >> UInt64(zeros))
        for _ in 0..<abs(exponent) {
            let (product, isTooLarge) = digits.multipliedReportingOverflow(by: exponent < 0 ? 5 : 2)
            if isTooLarge { return nil }
            digits = product
        }
        return DecimalText.value(in: "\(double < 0 ? "-" : "")\(digits)e\(min(exponent, 0))")
    }

    /// Returns a decimal as a number that other kinds can read.
    static func number(_ decimal: Decimal) -> JSONNumber? {
        DecimalText.write(decimal).flatMap { JSONNumber(text: $0) }
    }

    /// Returns the double that equals a decimal exactly.
    static func double(of decimal: Decimal) -> Double? {
        guard let double = number(decimal)?.finiteDouble, value(of: double) == decimal else { return nil }
        return double
    }
}
