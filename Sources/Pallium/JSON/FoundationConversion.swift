import Foundation
import PalliumCore
import PalliumJSON

// Between `JSONValue` and the trees of `JSONSerialization`.

// Safety: the parser sees the bytes of a text only while it lends them; `objCType` points to a C string, of which the
// first byte can always be read.
extension JSONValue {
    /// Converts a tree of Foundation values: dictionaries with text keys, arrays, text, numbers, bools, `NSNull`.
    ///
    /// Containers wait in a list, so depth costs no stack; it is limited as for text. A dictionary has no order of its own:
    /// `sortsMembers` gives one that is the same in every run, that of the keys' bytes.
    init(foundation root: Any, maximumDepth: Int, sortsMembers: Bool) throws(ModelError) {
        var builder = FoundationTreeBuilder(maximumDepth: maximumDepth, sortsMembers: sortsMembers)
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
            } else if let decimal = number.decimalBeyondDouble {
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

extension JSONNumber {
    /// The number as a decimal where a double would not give all of its digits back; nil where it does, or where neither
    /// can.
    fileprivate var decimalBeyondDouble: Decimal? {
        // A double holds every number of 15 digits.
        guard text.utf8.count > 15, let exact = unsafe text.withUTF8Bytes(DecimalText.parse),
            let nearest = JSONNumber(double), unsafe nearest.text.withUTF8Bytes(DecimalText.parse) != exact
        else { return nil }
        return exact
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
        return copy.withUTF8 { unsafe parse($0) }
    }
}

/// Builds a `JSONValue` from Foundation values with a list of open containers.
private struct FoundationTreeBuilder {
    /// An array or object whose elements are being converted. A class, so that appending to `done` never copies it.
    private final class Level {
        let names: [String]?
        let values: [Any]
        var next = 0
        var done: [JSONValue] = []

        init(names: [String]?, values: [Any]) {
            self.names = names
            self.values = values
            done.reserveCapacity(values.count)
        }

        var value: JSONValue {
            guard let names else { return .array(done) }
            return .object(JSONObject(zip(names, done).lazy.map { (key: $0, value: $1) }))
        }
    }

    let maximumDepth: Int
    let sortsMembers: Bool
    private var levels: [Level] = []

    init(maximumDepth: Int, sortsMembers: Bool) {
        self.maximumDepth = maximumDepth
        self.sortsMembers = sortsMembers
    }

    mutating func build(_ root: Any) throws(ModelError) -> JSONValue {
        var made = try begin(root)
        while let level = levels.last {
            if level.next < level.values.count {
                let value = level.values[level.next]
                level.next += 1
                if let scalar = try begin(value) { level.done.append(scalar) }
            } else {
                levels.removeLast()
                if let outer = levels.last { outer.done.append(level.value) } else { made = level.value }
            }
        }
        // A root that is no scalar was begun as a level, and the last level makes the value.
        return made ?? .null
    }

    /// A scalar at once; nil when a container was begun.
    private mutating func begin(_ value: Any) throws(ModelError) -> JSONValue? {
        switch FoundationToken(value) {
        case .scalar(let scalar): return scalar
        case .object(let dictionary):
            try checkDepth()
            if sortsMembers {
                let members = dictionary.sorted { UTF8Text.precedes($0.key, $1.key) }
                levels.append(Level(names: members.map(\.key), values: members.map(\.value)))
            } else {
                levels.append(Level(names: Array(dictionary.keys), values: Array(dictionary.values)))
            }
        case .array(let array):
            try checkDepth()
            levels.append(Level(names: nil, values: array))
        case nil: return try unconvertible(value)
        }
        return nil
    }

    private func checkDepth() throws(ModelError) {
        guard levels.count >= maximumDepth else { return }
        throw ModelError(
            .limitExceeded, expected: "no deeper nesting than maximumDepth allows", found: "another level"
        ).at(path).located()
    }

    private func unconvertible(_ value: Any) throws(ModelError) -> JSONValue {
        throw ModelError(
            .typeMismatch, expected: "a value that JSON has", found: "a value of the type \(type(of: value))"
        ).at(path).located()
    }

    private var path: [String] {
        levels.map { level in level.names?[level.next - 1] ?? "\(level.next - 1)" }
    }
}

/// A Foundation value as what it is in JSON.
enum FoundationToken {
    case scalar(JSONValue)
    case array([Any])
    case object([String: Any])

    /// Nil for values that JSON does not have.
    ///
    /// The exact types that `JSONSerialization` gives are asked for first, and containers before anything that would
    /// bridge them to Foundation, which copies the whole tree below.
    init?(_ value: Any) {
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .scalar(.string(text))
        } else if type == [String: Any].self, let dictionary = value as? [String: Any] {
            self = .object(dictionary)
        } else if type == [Any].self, let array = value as? [Any] {
            self = .array(array)
        } else if type == NSNumber.self, let number = value as? NSNumber {
            self.init(number)
        } else if type == NSNull.self {
            self = .scalar(.null)
        } else if type is AnyClass {
            // Booleans, decimals and other subclasses.
            if let number = value as? NSNumber { self.init(number) } else { self.init(bridging: value) }
        } else if let scalar = Self.scalar(value) {
            self = .scalar(scalar)
        } else {
            self.init(bridging: value)
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

    /// The scalars of Swift. Numbers are told from bools by what is stored, never by casting: `1 as? Bool` succeeds for
    /// an `NSNumber`.
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

/// Tells the two boolean objects from numbers, by their class: the type code alone is that of 8-bit integers on some
/// platforms.
private enum BooleanObject {
    private static let type = ObjectIdentifier(Swift.type(of: NSNumber(value: true)))

    static func contains(_ number: NSNumber) -> Bool { ObjectIdentifier(Swift.type(of: number)) == type }
}
