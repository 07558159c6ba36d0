import Foundation
import PalliumCore
public import PalliumJSON

// Encodes JSON values with any coder.
//
// Safety: the parser sees the bytes of the text only while the text lends them.
extension JSONValue: Encodable {
    /// Writes the value in the format of a coder.
    ///
    /// Integers are written as integers, other numbers as `Double` if that is exact and else as `Decimal`. A number
    /// with more digits than either becomes the nearest `Double`. Member names are unchanged, whatever the key strategy
    /// of a `JSONEncoder`.
    ///
    /// - Throws: ``ModelError`` with the code `depthLimit` for more than 512 levels (64 if there is a key strategy),
    ///   with `notConvertible` for a number beyond both types and for two names that are equal Swift strings, and
    ///   errors of the coder.
    public func encode(to encoder: any Encoder) throws {
        if KeptNames.areConverted(by: encoder) { return try KeptNames(self).encode(to: encoder) }
        // Open containers are kept in a list, so a deep value needs no stack here.
        var levels: [any EncodingLevel] = []
        do {
            switch self {
            case .array(let elements): levels.append(ArrayLevel(elements, encoder.unkeyedContainer()))
            case .object(let members):
                levels.append(try ObjectLevel(members) { encoder.container(keyedBy: JSONMemberKey.self) })
            default: try encodeScalar(to: encoder)
            }
            let maximumDepth = JSONWritingOptions().maximumDepth
            while let last = levels.indices.last {
                if levels[last].isDone {
                    levels.removeLast()
                } else if let inner = try levels[last].writeNext() {
                    guard levels.count < maximumDepth else {
                        throw ModelError(
                            .depthLimit, expected: "at most \(maximumDepth.counted("level"))", found: "more")
                    }
                    levels.append(inner)
                }
            }
        } catch let error as ModelError {
            throw error.at(encoder.codingPath.map(\.token) + levels.map(\.token))
        }
    }

    /// Writes a scalar.
    func encodeScalar(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .number(let number): try container.encode(number.encodable())
        case .null, .array, .object: try container.encodeNil()
        }
    }
}

extension JSONNumber {
    /// Returns the number as a Swift value that holds it exactly, or else the nearest `Double`.
    func encodable() throws(ModelError) -> any Encodable {
        if let int64 { return int64 }
        if let uint64 { return uint64 }
        if let exactDouble { return exactDouble }
        if let decimal = DecimalText.value(in: text) { return decimal }
        if let finiteDouble { return finiteDouble }
        throw ModelError(
            .notConvertible, expected: "a number that Double or Decimal can hold",
            found: JSONValue.number(self).summary)
    }
}

/// An array or object that is being written. Its container is changed in place, because copying a container may copy
/// all its contents.
private protocol EncodingLevel {
    var isDone: Bool { get }
    /// The last written element, as a token of a JSON Pointer.
    var token: String { get }
    /// Writes the next element; returns a level if that is an array or object.
    mutating func writeNext() throws -> (any EncodingLevel)?
}

private struct ArrayLevel: EncodingLevel {
    private let elements: [JSONValue]
    private var container: any UnkeyedEncodingContainer
    private var next = 0

    init(_ elements: [JSONValue], _ container: any UnkeyedEncodingContainer) {
        self.elements = elements
        self.container = container
    }

    var isDone: Bool { next == elements.count }
    var token: String { "\(next - 1)" }

    mutating func writeNext() throws -> (any EncodingLevel)? {
        let element = elements[next]
        next += 1
        switch element {
        case .null: try container.encodeNil()
        case .array(let inner): return ArrayLevel(inner, container.nestedUnkeyedContainer())
        case .object(let inner):
            return try ObjectLevel(inner) { container.nestedContainer(keyedBy: JSONMemberKey.self) }
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .number(let number): try container.encode(number.encodable())
        }
        return nil
    }
}

private struct ObjectLevel: EncodingLevel {
    private let members: JSONObject
    private var container: KeyedEncodingContainer<JSONMemberKey>
    private var next = 0

    init(
        _ members: JSONObject, _ makeContainer: () -> KeyedEncodingContainer<JSONMemberKey>
    ) throws(ModelError) {
        try members.checkNamesAsStrings()
        self.members = members
        container = makeContainer()
    }

    var isDone: Bool { next == members.count }
    var token: String { members[next - 1].key }

    mutating func writeNext() throws -> (any EncodingLevel)? {
        let member = members[next]
        next += 1
        let key = JSONMemberKey(member.key)
        switch member.value {
        case .null: try container.encodeNil(forKey: key)
        case .array(let inner): return ArrayLevel(inner, container.nestedUnkeyedContainer(forKey: key))
        case .object(let inner):
            return try ObjectLevel(inner) { container.nestedContainer(keyedBy: JSONMemberKey.self, forKey: key) }
        case .bool(let value): try container.encode(value, forKey: key)
        case .string(let text): try container.encode(text, forKey: key)
        case .number(let number): try container.encode(number.encodable(), forKey: key)
        }
        return nil
    }
}
