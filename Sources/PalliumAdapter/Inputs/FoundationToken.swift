import Foundation
import PalliumCore
import PalliumJSON

/// A Foundation value, classified by its JSON type.
///
/// Safety: `objCType` points to a C string, of which the first byte can always be read.
enum FoundationToken {
    case scalar(JSONValue)
    case array([Any])
    case object([String: Any])

    /// Classifies a value; nil if JSON does not have it.
    ///
    /// It checks the exact types of `JSONSerialization` first. It checks containers before anything that would bridge
    /// them to Foundation, which copies the whole tree below.
    init?(_ value: Any) {
        if let text = Self.content(of: value, as: String.self) {
            self = .scalar(.string(text))
        } else if let number = Self.content(of: value, as: NSNumber.self) {
            self.init(number)
        } else if let dictionary = Self.content(of: value, as: [String: Any].self) {
            self = .object(dictionary)
        } else if let array = Self.content(of: value, as: [Any].self) {
            self = .array(array)
        } else if type(of: value) == NSNull.self {
            self = .scalar(.null)
        } else if type(of: value) is AnyClass {
            // Booleans, decimals and other subclasses.
            if let number = value as? NSNumber { self.init(number) } else { self.init(bridging: value) }
        } else if let scalar = Self.scalar(value) {
            self = .scalar(scalar)
        } else {
            self.init(bridging: value)
        }
    }

    /// Returns the content of an `Any` of exactly this type: for a class, as it was stored. A cast takes hundreds of
    /// instructions.
    ///
    /// Safety: an `Any` is three words of content and the type of the content. A value of at most three words that can
    /// be moved as bytes, as strings, collections and references can, stands in the first of them. Loading it copies it.
    @inline(__always)
    private static func content<Value>(of value: Any, as type: Value.Type) -> Value? {
        unsafe withUnsafePointer(to: value) { value in
            let words = unsafe UnsafeRawPointer(value)
            let stored = unsafe words.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: Any.Type.self)
            return stored == type ? unsafe words.load(as: Value.self) : nil
        }
    }

    private init?(_ number: NSNumber) {
        guard let scalar = Self.number(number) else { return nil }
        self = .scalar(scalar)
    }

    private init?(bridging value: Any) {
        if let text = value as? String {
            self = .scalar(.string(text))
        } else if let dictionary = value as? [String: Any] {
            self = .object(dictionary)
        } else if let array = value as? [Any] {
            self = .array(array)
        } else if let optional = value as? any AnyOptional {
            guard let wrapped = optional.anyWrapped else {
                self = .scalar(.null)
                return
            }
            self.init(wrapped)
        } else {
            return nil
        }
    }

    /// Converts Swift's scalars. Numbers are distinguished from bools by their stored type, never by casting: `1 as?
    /// Bool` succeeds for an `NSNumber`.
    private static func scalar(_ value: Any) -> JSONValue? {
        switch value {
        case let value as JSONValue: value
        case let value as Bool where type(of: value as Any) == Bool.self: .bool(value)
        case let value as any BinaryInteger: integer(value)
        case let value as Double: JSONNumber(value).map { .number($0) }
        case let value as Float: JSONNumber(Double(value)).map { .number($0) }
        case let value as Decimal: DecimalText.write(value).flatMap { JSONNumber(text: $0) }.map { .number($0) }
        default: nil
        }
    }

    private static func integer(_ value: any BinaryInteger) -> JSONValue? {
        if let signed = Int64(exactly: value) { return .number(JSONNumber(signed)) }
        if let unsigned = UInt64(exactly: value) { return .number(JSONNumber(unsigned)) }
        return nil
    }

    private static func number(_ number: NSNumber) -> JSONValue? {
        if BooleanObject.contains(number) { return .bool(number.boolValue) }
        // "d" and "f" are the type codes of floating-point numbers, and of decimals.
        let code = unsafe number.objCType.pointee
        if code == CChar(bitPattern: UInt8(ascii: "d")) || code == CChar(bitPattern: UInt8(ascii: "f")) {
            if let decimal = number as? NSDecimalNumber {
                return DecimalText.write(decimal.decimalValue).flatMap { JSONNumber(text: $0) }.map { .number($0) }
            }
            return JSONNumber(number.doubleValue).map { .number($0) }
        }
        if code == CChar(bitPattern: UInt8(ascii: "Q")) { return .number(JSONNumber(number.uint64Value)) }
        return .number(JSONNumber(number.int64Value))
    }
}

/// An optional of any type: `["a": nil, "b": "x"]` is a `[String: String?]`.
private protocol AnyOptional {
    var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var anyWrapped: Any? { map { $0 } }
}

/// Distinguishes the two Boolean objects from numbers by their class: on some platforms their type code is that of
/// 8-bit integers.
private enum BooleanObject {
    private static let type = ObjectIdentifier(Swift.type(of: NSNumber(value: true)))

    static func contains(_ number: NSNumber) -> Bool { ObjectIdentifier(Swift.type(of: number)) == type }
}
