import Foundation
import PalliumCore
import PalliumJSON

// Converts between `JSONValue` and the trees of `JSONSerialization`.

// Safety: `objCType` points to a C string, of which the first byte can always be read.
extension JSONValue {
    /// Converts a tree of Foundation values: dictionaries with text keys, arrays, text, numbers, bools, `NSNull`.
    ///
    /// Open containers are kept in a list, so a deep tree needs no stack; the depth is limited as for text.
    /// Dictionaries have no order: `sortsMembers` sorts the members by the bytes of their keys, so that every run gives
    /// the same tree.
    init(foundation root: Any, maximumDepth: Int, sortsMembers: Bool) throws(ModelError) {
        var builder = FoundationTreeBuilder(maximumDepth: maximumDepth, sortsMembers: sortsMembers)
        self = try builder.build(root)
    }
}

extension JSONNumber {
    /// The number as an `NSNumber`, exact if possible.
    fileprivate func foundationNumber() throws(ModelError) -> NSNumber {
        if let int64 { return NSNumber(value: int64) }
        if let uint64 { return NSNumber(value: uint64) }
        if let exactDouble { return NSNumber(value: exactDouble) }
        if let decimal = DecimalText.value(in: text) { return decimal as NSDecimalNumber }
        if let finiteDouble { return NSNumber(value: finiteDouble) }
        throw ModelError(
            .notConvertible, expected: "a number that Double or Decimal can hold",
            found: JSONValue.number(self).summary)
    }
}

extension JSONObject {
    /// The members as a dictionary of Foundation's JSON types.
    ///
    /// Open containers are kept in a list, so a deep tree needs no stack.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` and the path of a value that these types cannot hold: a
    ///   number beyond `Double` and `Decimal`, two names that are equal Swift strings.
    func foundationDictionary() throws(ModelError) -> [String: Any] {
        var levels: [FoundationLevel] = []
        func path() -> [String] { levels.map(\.token) }
        do throws(ModelError) {
            levels.append(try FoundationLevel(self))
            while true {
                let level = levels[levels.count - 1]
                guard level.next < level.values.count else {
                    levels.removeLast()
                    guard let outer = levels.last else { return level.dictionary }
                    outer.add(level.container)
                    continue
                }
                let value = level.values[level.next]
                level.next += 1
                switch value {
                case .null: level.add(NSNull())
                case .bool(let bool): level.add(bool)
                case .number(let number): level.add(try number.foundationNumber())
                case .string(let text): level.add(text)
                case .array(let elements): levels.append(FoundationLevel(elements))
                case .object(let object): levels.append(try FoundationLevel(object))
                }
            }
        } catch { throw error.at(path()).located() }
    }

    /// Throws for names that differ in bytes and are equal Swift strings.
    func checkNamesAsStrings() throws(ModelError) {
        if allSatisfy({ $0.key.utf8.allSatisfy { $0 < 0x80 } }) { return }
        var names: Set<String> = []
        for (name, _) in self {
            let (isNew, other) = names.insert(name)
            if isNew { continue }
            throw ModelError(
                .notConvertible, expected: "names that Swift's strings tell apart",
                found: "both \(Self.spelled(other)) and \(Self.spelled(name))")
        }
    }

    /// A name in which all ambiguous characters are escaped.
    private static func spelled(_ name: String) -> String {
        "\"\(name.unicodeScalars.prefix(16).map { $0.escaped(asASCII: true) }.joined())\""
    }
}

/// An array or object whose elements are being converted. A class, so that the result grows in place.
private final class FoundationLevel {
    let values: [JSONValue]
    private let names: [String]?
    var next = 0
    private var elements: [Any] = []
    private(set) var dictionary: [String: Any] = [:]

    init(_ elements: [JSONValue]) {
        values = elements
        names = nil
        self.elements.reserveCapacity(elements.count)
    }

    init(_ object: JSONObject) throws(ModelError) {
        try object.checkNamesAsStrings()
        values = object.values
        names = object.keys
        dictionary.reserveCapacity(object.count)
    }

    var container: Any { names == nil ? elements as Any : dictionary as Any }
    var token: String { names?[next - 1] ?? "\(next - 1)" }

    /// Adds the converted element.
    func add(_ value: Any) {
        if let names { dictionary[names[next - 1]] = value } else { elements.append(value) }
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
        // A root that is no scalar began a level, and the last level sets the value.
        return made ?? .null
    }

    /// Converts a scalar at once; returns nil after beginning a container.
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
            .limitExceeded, expected: "at most \(maximumDepth.counted("level"))", found: "more"
        ).at(path).located()
    }

    private func unconvertible(_ value: Any) throws(ModelError) -> JSONValue {
        throw ModelError(
            .notConvertible, expected: "a value that JSON has", found: "a value of the type \(type(of: value))"
        ).at(path).located()
    }

    private var path: [String] {
        levels.map { level in level.names?[level.next - 1] ?? "\(level.next - 1)" }
    }
}

/// A Foundation value, classified by its JSON type.
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
