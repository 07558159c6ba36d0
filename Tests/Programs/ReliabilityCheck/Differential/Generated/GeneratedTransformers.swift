import Foundation
import Pallium

/// The transformers of the program that generated schemas name besides the predefined ones.
enum GeneratedTransformers {
    struct Refused: Error {}

    /// An integer and its negative.
    static let negate: TransformerName = "Negate"
    /// Words and the text with bars between them.
    static let words: TransformerName = "Words"
    /// The sum of integers; there is no way back.
    static let sum: TransformerName = "Sum"
    /// Null and zero.
    static let nullAsZero: TransformerName = "NullAsZero"
    /// Any JSON as its text.
    static let jsonText: TransformerName = "JSONText"

    static func registry() throws -> TransformerRegistry {
        let registry = TransformerRegistry()
        try registry.register(
            Transformer(from: Int.self, to: Int.self) { value, _ in
                guard value != .min else { throw Refused() }
                return -value
            } reverse: { value, _ in
                guard value != .min else { throw Refused() }
                return -value
            }, as: negate)
        try registry.register(
            Transformer(from: String.self, to: [String].self) { text, _ in
                split(text)
            } reverse: { words, _ in
                words.joined(separator: "|")
            }, as: words)
        try registry.register(
            Transformer(from: [Int].self, to: Int.self) { values, _ in
                try values.reduce(0) { sum, value in
                    let (result, overflow) = sum.addingReportingOverflow(value)
                    guard !overflow else { throw Refused() }
                    return result
                }
            }, as: sum)
        try registry.register(
            Transformer(handlingNullFrom: Int.self, to: Int.self) { value, _ in
                value ?? 0
            } reverse: { value, _ in
                value == 0 ? nil : value
            }, as: nullAsZero)
        try registry.register(
            Transformer(from: JSONValue.self, to: String.self) { value, _ in
                text(value)
            } reverse: { text, _ in
                try JSONValue(parsing: text)
            }, as: jsonText)
        return registry
    }

    /// The words of a text, by bytes.
    static func split(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: true).map {
            String(decoding: Array($0), as: UTF8.self)
        }
    }

    /// JSON text whose members are in the order of the bytes of their names, which no entrance can change.
    static func text(_ value: JSONValue) -> String { sorted(value).description }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(sorted))
        case .object(let members):
            .object(
                JSONObject(
                    members.map { ($0.key, sorted($0.value)) }.sorted {
                        Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8))
                    }))
        case .number(let number) where number.double == 0: .number(JSONNumber(0))
        case .number(let number) where number.exactDouble == nil && number.int64 == nil && number.uint64 == nil:
            // A number that only text holds keeps its spelling.
            .number(JSONNumber(1))
        default: value
        }
    }
}
