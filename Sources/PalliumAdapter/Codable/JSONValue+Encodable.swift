import Foundation
import PalliumCore
public import PalliumJSON

// Encodes JSON values with any coder.
extension JSONValue: Encodable {
    /// Writes the value in the format of a coder.
    ///
    /// Integers are written as integers, other numbers as `Double` if that is exact and else as `Decimal`. A number
    /// with more digits than either becomes the nearest `Double`. Member names are unchanged, whatever the key strategy
    /// of a `JSONEncoder`: strategies change the keys of containers, and never those of dictionaries, which objects are
    /// written as.
    ///
    /// - Throws: ``ModelError`` with the code `depthLimit` for more than 64 levels, those around the value included,
    ///   because coders encode collections by recursion; with `notConvertible` for a number beyond both types and for two
    ///   names that are equal Swift strings; and errors of the coder.
    public func encode(to encoder: any Encoder) throws {
        do throws(ModelError) { try checkCoding(depth: encoder.codingPath.count) } catch {
            throw error.at(encoder.codingPath.map(\.token))
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .number(let number): try container.encode(number.encodable())
        case .array(let elements): try container.encode(elements)
        case .object(let members):
            // The names were checked to be different Swift strings.
            try container.encode(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) }))
        }
    }

    private func checkCoding(depth: Int) throws(ModelError) {
        switch self {
        case .array, .object:
            guard depth < Self.maximumCodingDepth else {
                throw ModelError(
                    .depthLimit, expected: "at most \(Self.maximumCodingDepth.counted("level")) in a coder",
                    found: "more")
            }
            if case .object(let members) = self { try members.checkNamesAsStrings() }
        case .number(let number): _ = try number.encodable()
        case .null, .bool, .string: break
        }
    }
}

extension JSONNumber {
    /// Returns the number as a Swift value that holds it exactly, or else the nearest `Double`.
    fileprivate func encodable() throws(ModelError) -> any Encodable {
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
