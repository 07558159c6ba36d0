import Foundation
import PalliumJSON

/// Passes values to a transformer, from one to the next, and to the caller.
///
/// A value is passed if it has the required type. Otherwise, if JSON has both types (Boolean, number, text, any JSON
/// value), the value is read as it would be written in a document. An integer may be passed as `Int`, `Int64` or
/// `JSONValue`. As everywhere, 1.5 is no integer, "5" no number and 1 no Boolean.
extension Transformer {
    /// Returns the value as the type; nil when it cannot be passed.
    package static func pass<Value: PropertyValue>(_ value: any PropertyValue, as type: Value.Type) -> Value? {
        if let same = value as? Value { return same }
        return JSONValue(scalar: value)?.scalar(as: Erased.type(type)) as? Value
    }

    /// Whether values of one type can be passed as the other. Each value is checked when it is passed.
    ///
    /// Optionals make no difference, since null is not passed.
    package static func passes(_ source: any PropertyValue.Type, to target: any PropertyValue.Type) -> Bool {
        let source = Erased.type(source)
        let target = Erased.type(target)
        if isSame(source, target) { return true }
        if let source = source as? any ArrayShape.Type, let target = target as? any ArrayShape.Type {
            return areSameElements(source.elementType, target.elementType)
        }
        guard let sourceScalar = JSONScalar(source), let targetScalar = JSONScalar(target) else { return false }
        return sourceScalar == targetScalar || sourceScalar == .any || targetScalar == .any
    }

    /// Elements are passed unchanged; only optionals around them may differ.
    private static func areSameElements(_ source: any PropertyValue.Type, _ target: any PropertyValue.Type) -> Bool {
        let source = Erased.type(source)
        let target = Erased.type(target)
        if let source = source as? any ArrayShape.Type, let target = target as? any ArrayShape.Type {
            return areSameElements(source.elementType, target.elementType)
        }
        return isSame(source, target)
    }

    /// Whether the source is the target or a subclass of it.
    static func isSame<Target: PropertyValue>(_ source: any PropertyValue.Type, _ target: Target.Type) -> Bool {
        source is Target.Type
    }
}

extension JSONScalar {
    init?(_ type: any PropertyValue.Type) {
        switch type {
        case is Bool.Type: self = .boolean
        case is String.Type: self = .text
        case is JSONValue.Type: self = .any
        case is Double.Type, is Float.Type, is Decimal.Type, is any FixedWidthInteger.Type: self = .number
        default: return nil
        }
    }
}

extension JSONValue {
    /// Creates the JSON form of a value; nil for types that JSON does not have, and for NaN and infinity.
    package init?(scalar value: any PropertyValue) {
        let number: JSONNumber?
        switch value {
        case let value as JSONValue:
            self = value
            return
        case let value as Bool:
            self = .bool(value)
            return
        case let value as String:
            self = .string(value)
            return
        case let value as any FixedWidthInteger: number = JSONNumber(value)
        case let value as Double: number = JSONNumber(written: value)
        case let value as Float: number = JSONNumber(Double(value))
        case let value as Decimal: number = DecimalText.write(value).flatMap { JSONNumber(text: $0) }
        default: number = nil
        }
        guard let number else { return nil }
        self = .number(number)
    }

    /// Returns the value as a type that JSON has, by that type's rules.
    fileprivate func scalar(as type: any PropertyValue.Type) -> (any PropertyValue)? {
        switch type {
        case is JSONValue.Type: self
        case is Bool.Type: boolValue
        case is String.Type: stringValue
        case is Double.Type: numberValue?.finiteDouble
        case is Float.Type: numberValue.flatMap { $0.float.isFinite ? $0.float : nil }
        case is Decimal.Type: numberValue.flatMap { DecimalText.value(in: $0.text) }
        case let type as any (FixedWidthInteger & PropertyValue).Type:
            numberValue.flatMap { Self.integer($0, as: type) }
        default: nil
        }
    }

    private static func integer<Integer: FixedWidthInteger & PropertyValue>(
        _ number: JSONNumber, as type: Integer.Type
    ) -> (any PropertyValue)? {
        if let signed = number.int64 { return Integer(exactly: signed) }
        return number.uint64.flatMap { Integer(exactly: $0) }
    }
}
