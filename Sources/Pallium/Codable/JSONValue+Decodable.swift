import Foundation
import PalliumCore
public import PalliumJSON

extension JSONValue: Decodable {
    /// Reads any value of a format whose values tell what they are, as JSON's and property lists' do.
    ///
    /// Integers stay integers; other numbers are taken exactly where the coder gives them as `Decimal`. Members come in
    /// the order of their names' bytes, because coders have none, and with the names that the text has, whatever the key
    /// strategy of a `JSONDecoder`. Of names that are one for Swift's strings, coders hand out one member only.
    ///
    /// - Throws: `DecodingError` for values that JSON does not have and for more than 512 levels (64 where there is a key
    ///   strategy).
    public init(from decoder: any Decoder) throws {
        if KeptNames.areConverted(by: decoder) {
            self = try KeptNames(from: decoder).value
            return
        }
        // The first level stands for the coder itself; containers nest in a list, so that depth costs no stack here.
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
                        codingPath: level.codingPath, debugDescription: "expected at most \(maximumDepth) levels"))
            }
        }
        self = root.value
    }
}

/// An array or object that is being read, or the coder that is asked for one value. A class, so that containers are
/// changed in place.
private protocol DecodingLevel: AnyObject {
    /// What was read so far.
    var elements: [JSONValue] { get set }
    var hasNext: Bool { get }
    var value: JSONValue { get }
    var codingPath: [any CodingKey] { get }
    /// The next value, when it has no parts; it is then done with.
    func scalar() -> JSONValue?
    /// The next value, which has parts.
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

/// A value without parts. Formats are asked for one type after the other: there is no other question.
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

    /// A number that is no integer. A `Decimal` that is near the `Double` is the same number with all its digits; one
    /// that is not was out of range. Formats that know neither integers of that size nor decimals write the parts of a
    /// `Decimal`, which then is all there is.
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
