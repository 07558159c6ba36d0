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
    /// - Throws: `DecodingError` for values that JSON does not have and for more than 64 levels, those around the value
    ///   included: coders decode collections by recursion.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let scalar = try? container.decode(CodedScalar.self) {
            self = scalar.value
        } else {
            guard decoder.codingPath.count < Self.maximumCodingDepth else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "expected at most \(Self.maximumCodingDepth.counted("level"))"))
            }
            if (try? decoder.unkeyedContainer()) != nil {
                self = .array(try container.decode([JSONValue].self))
            } else {
                let members = try container.decode([String: JSONValue].self)
                    .sorted { UTF8Text.precedes($0.key, $1.key) }
                self = .object(JSONObject(members.lazy.map { (key: $0.key, value: $0.value) }))
            }
        }
    }

    /// How many levels may nest in a coder. Each costs it up to 4 kB of stack.
    static let maximumCodingDepth = 64
}

/// A scalar. It tries one type after the other, because coders cannot say which type a value has.
private struct CodedScalar: Decodable {
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
