import Foundation
import PalliumCore
public import PalliumJSON

// Decodes JSON values with any coder.
extension JSONValue: Decodable {
    /// Reads any value of a self-describing format, such as JSON or a property list.
    ///
    /// Integers stay integers; other numbers are exact if the coder returns them as `Decimal`. Members are sorted by
    /// the bytes of their names, because coders have no order, and keep the names of the text, whatever the key
    /// strategy of a `JSONDecoder`. Of several names that are equal Swift strings, coders return one member only.
    ///
    /// - Throws: `DecodingError` for values that JSON does not have and for more than 512 levels (64 if there is a key
    ///   strategy).
    public init(from decoder: any Decoder) throws {
        if KeptNames.areConverted(by: decoder) {
            self = try KeptNames(from: decoder).value
            return
        }
        // The first level stands for the coder itself; open containers are kept in a list, so a deep value needs no
        // stack here.
        let root = RootLevel(decoder)
        var levels: [any DecodingLevel] = [root]
        let maximumDepth = JSONReadingOptions().maximumDepth
        while let level = levels.last {
            guard level.hasNext else {
                levels.removeLast()
                levels.last?.elements.append(level.value)
                continue
            }
            if let scalar = level.scalar() {
                level.elements.append(scalar)
            } else if levels.count <= maximumDepth {
                levels.append(try level.nested())
            } else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: level.codingPath,
                        debugDescription: "expected at most \(maximumDepth.counted("level"))"))
            }
        }
        self = root.value
    }
}

/// An array or object that is being read, or the coder for a single value. A class, so that containers are changed in
/// place.
private protocol DecodingLevel: AnyObject {
    /// The elements read so far.
    var elements: [JSONValue] { get set }
    var hasNext: Bool { get }
    var value: JSONValue { get }
    var codingPath: [any CodingKey] { get }
    /// Reads the next value if it is a scalar; nil for an array or object.
    func scalar() -> JSONValue?
    /// Begins the next value, which is an array or object.
    func nested() throws -> any DecodingLevel
}

private final class RootLevel: DecodingLevel {
    private let decoder: any Decoder
    var elements: [JSONValue] = []

    init(_ decoder: any Decoder) { self.decoder = decoder }

    var hasNext: Bool { elements.isEmpty }
    var value: JSONValue { elements[0] }
    var codingPath: [any CodingKey] { decoder.codingPath }

    func scalar() -> JSONValue? {
        guard let container = try? decoder.singleValueContainer() else { return Optional.none }
        return container.decodeNil() ? .some(.null) : (try? container.decode(CodedScalar.self))?.value
    }

    func nested() throws -> any DecodingLevel {
        if let container = try? decoder.unkeyedContainer() { return ArrayLevel(container) }
        return ObjectLevel(try decoder.container(keyedBy: JSONMemberKey.self))
    }
}

private final class ArrayLevel: DecodingLevel {
    private var container: any UnkeyedDecodingContainer
    var elements: [JSONValue] = []

    init(_ container: any UnkeyedDecodingContainer) { self.container = container }

    var hasNext: Bool { !container.isAtEnd }
    var value: JSONValue { .array(elements) }
    var codingPath: [any CodingKey] { container.codingPath }

    func scalar() -> JSONValue? {
        (try? container.decodeNil()) == true ? .some(.null) : (try? container.decode(CodedScalar.self))?.value
    }

    func nested() throws -> any DecodingLevel {
        if let inner = try? container.nestedUnkeyedContainer() { return ArrayLevel(inner) }
        return ObjectLevel(try container.nestedContainer(keyedBy: JSONMemberKey.self))
    }
}

private final class ObjectLevel: DecodingLevel {
    private let container: KeyedDecodingContainer<JSONMemberKey>
    private let keys: [JSONMemberKey]
    var elements: [JSONValue] = []

    init(_ container: KeyedDecodingContainer<JSONMemberKey>) {
        self.container = container
        keys = container.allKeys.sorted { UTF8Text.precedes($0.stringValue, $1.stringValue) }
    }

    private var key: JSONMemberKey { keys[elements.count] }
    var hasNext: Bool { elements.count < keys.count }
    var value: JSONValue {
        .object(JSONObject(zip(keys, elements).lazy.map { (key: $0.stringValue, value: $1) }))
    }
    var codingPath: [any CodingKey] { container.codingPath }

    func scalar() -> JSONValue? {
        (try? container.decodeNil(forKey: key)) == true
            ? .some(.null) : (try? container.decode(CodedScalar.self, forKey: key))?.value
    }

    func nested() throws -> any DecodingLevel {
        if let inner = try? container.nestedUnkeyedContainer(forKey: key) { return ArrayLevel(inner) }
        return ObjectLevel(try container.nestedContainer(keyedBy: JSONMemberKey.self, forKey: key))
    }
}

/// A scalar. It tries one type after the other, because coders cannot say which type a value has.
struct CodedScalar: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let bool = try? container.decode(Bool.self) {
            value = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            value = .number(JSONNumber(integer))
        } else if let integer = try? container.decode(UInt64.self) {
            value = .number(JSONNumber(integer))
        } else {
            value = .number(try Self.number(in: container))
        }
    }

    /// Reads a number that is no integer.
    ///
    /// A `Decimal` near the `Double` is the same number with all its digits; another one was out of range. Formats
    /// without decimals and large integers write the fields of a `Decimal`, which then is the only readable form.
    private static func number(in container: any SingleValueDecodingContainer) throws -> JSONNumber {
        let decimal = (try? container.decode(Decimal.self)).flatMap { DecimalText.write($0) }
            .flatMap { JSONNumber(text: $0) }
        do {
            let double = try container.decode(Double.self)
            if let decimal, decimal.double == double { return decimal }
            if let number = JSONNumber(double) { return number }
        } catch {
            guard let decimal else { throw error }
            return decimal
        }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "JSON has no infinite numbers")
    }
}
