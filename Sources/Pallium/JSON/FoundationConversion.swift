import Foundation
import PalliumCore
import PalliumJSON

// Between `JSONValue` and the trees of `JSONSerialization`.

extension JSONValue {
    /// Converts a tree of Foundation values: dictionaries with text keys, arrays, text, numbers, bools, `NSNull`.
    ///
    /// Containers wait in a list, so depth costs no stack; it is limited as for text. Members are put in the order of
    /// their keys' bytes, since a dictionary has none.
    init(foundation root: Any, maximumDepth: Int) throws(ModelError) {
        var builder = FoundationTreeBuilder(maximumDepth: maximumDepth)
        self = try builder.build(root)
    }

    /// The value as Foundation's JSON types.
    var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let number):
            if let integer = number.int64 {
                NSNumber(value: integer)
            } else if let integer = number.uint64 {
                NSNumber(value: integer)
            } else if let decimal = number.text.withUTF8Bytes(DecimalText.parse),
                Double(number.text) != number.finiteDouble
            {
                decimal as NSDecimalNumber
            } else {
                NSNumber(value: number.double)
            }
        case .string(let text): text
        case .array(let elements): elements.map(\.foundationValue)
        case .object(let object): object.foundationDictionary
        }
    }
}

extension JSONObject {
    /// The members as a dictionary of Foundation's JSON types.
    var foundationDictionary: [String: Any] {
        var result: [String: Any] = [:]
        result.reserveCapacity(count)
        for (name, value) in self { result[name] = value.foundationValue }
        return result
    }
}

extension String {
    /// Hands the text's bytes to a parser.
    func withUTF8Bytes<Result>(_ parse: (UnsafeBufferPointer<UInt8>) -> Result?) -> Result? {
        var copy = self
        return copy.withUTF8 { parse($0) }
    }
}

/// Builds a `JSONValue` from Foundation values with a list of open containers.
private struct FoundationTreeBuilder {
    private enum Level {
        case array([Any], next: Int, done: [JSONValue])
        case object([(key: String, value: Any)], next: Int, done: [(key: String, value: JSONValue)])
    }

    let maximumDepth: Int
    private var levels: [Level] = []

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    mutating func build(_ root: Any) throws(ModelError) -> JSONValue {
        if let scalar = try begin(root) { return scalar }
        return try finish()
    }

    /// A scalar at once; nil when a container was begun.
    private mutating func begin(_ value: Any) throws(ModelError) -> JSONValue? {
        if let scalar = Self.scalar(value) { return scalar }
        guard levels.count < maximumDepth else {
            throw ModelError(
                .limitExceeded, expected: "no deeper nesting than maximumDepth allows", found: "another level"
            ).at(path)
        }
        if let dictionary = value as? [String: Any] {
            levels.append(
                .object(dictionary.sorted { UTF8Text.precedes($0.key, $1.key) }, next: 0, done: []))
        } else if let array = value as? [Any] {
            levels.append(.array(array, next: 0, done: []))
        } else if let value = value as? JSONValue {
            return value
        } else {
            throw ModelError(
                .typeMismatch, expected: "a value that JSON has", found: "a value of the type \(type(of: value))"
            ).at(path)
        }
        return nil
    }

    private mutating func finish() throws(ModelError) -> JSONValue {
        while true {
            let last = levels.count - 1
            let made: JSONValue
            switch levels[last] {
            case .array(let elements, let next, let done):
                if next < elements.count {
                    levels[last] = .array(elements, next: next + 1, done: done)
                    guard let scalar = try begin(elements[next]) else { continue }
                    made = scalar
                } else {
                    made = .array(done)
                    levels.removeLast()
                }
            case .object(let members, let next, let done):
                if next < members.count {
                    levels[last] = .object(members, next: next + 1, done: done)
                    guard let scalar = try begin(members[next].value) else { continue }
                    made = scalar
                } else {
                    made = .object(JSONObject(done.lazy.map { (key: $0.key, value: $0.value) }))
                    levels.removeLast()
                }
            }
            guard let open = levels.popLast() else { return made }
            switch open {
            case .array(let elements, let next, var done):
                done.append(made)
                levels.append(.array(elements, next: next, done: done))
            case .object(let members, let next, var done):
                done.append((members[next - 1].key, made))
                levels.append(.object(members, next: next, done: done))
            }
        }
    }

    private var path: [String] {
        levels.map { level in
            switch level {
            case .array(_, let next, _): "\(next - 1)"
            case .object(let members, let next, _): members[next - 1].key
            }
        }
    }

    /// Numbers are told from bools by what is stored, never by casting: `1 as? Bool` succeeds for an `NSNumber`.
    private static func scalar(_ value: Any) -> JSONValue? {
        switch value {
        case is NSNull: return .null
        case let text as String: return .string(text)
        case let number as NSNumber where type(of: value) != Bool.self: return Self.number(number)
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return integer(value)
        case let value as Double: return JSONNumber(value).map { .number($0) }
        case let value as Float: return JSONNumber(Double(value)).map { .number($0) }
        case let value as Decimal: return DecimalText.write(value).flatMap { JSONNumber(text: $0) }.map { .number($0) }
        default: return nil
        }
    }

    private static func integer(_ value: any BinaryInteger) -> JSONValue? {
        if let signed = Int64(exactly: value) { return .number(JSONNumber(signed)) }
        if let unsigned = UInt64(exactly: value) { return .number(JSONNumber(unsigned)) }
        return nil
    }

    private static func number(_ number: NSNumber) -> JSONValue? {
        if BooleanObject.contains(number) { return .bool(number.boolValue) }
        if let decimal = number as? NSDecimalNumber {
            return DecimalText.write(decimal.decimalValue).flatMap { JSONNumber(text: $0) }.map { .number($0) }
        }
        // "d" and "f" are the type codes of floating-point numbers.
        let code = number.objCType.pointee
        if code == CChar(bitPattern: UInt8(ascii: "d")) || code == CChar(bitPattern: UInt8(ascii: "f")) {
            return JSONNumber(number.doubleValue).map { .number($0) }
        }
        if code == CChar(bitPattern: UInt8(ascii: "Q")) { return .number(JSONNumber(number.uint64Value)) }
        return .number(JSONNumber(number.int64Value))
    }
}

/// Tells the two boolean objects from numbers, by their class: the type code alone is that of 8-bit integers on some
/// platforms.
private enum BooleanObject {
    static func contains(_ number: NSNumber) -> Bool { type(of: number) == type(of: NSNumber(value: true)) }
}
