import Foundation
import PalliumJSON

/// Transformers for numbers and Booleans that are encoded as other JSON types.
extension Transformer {
    static let boolean = Transformer(
        readable: "true, false, 0 or 1", writable: "true or false",
        forward: { (value: JSONValue) throws(ModelError) -> Bool? in
            switch value {
            case .bool(let value): return value
            case .number(let number):
                switch number.int64 {
                case 0: return false
                case 1: return true
                default: return nil
                }
            default: throw ModelError.refused(value, expected: "true, false, 0 or 1", code: .typeMismatch)
            }
        },
        reverse: { (value: Bool) in .bool(value) })

    static let numberOrText = Transformer(
        readable: "a number or text that holds one", writable: "a number",
        forward: { (value: JSONValue) throws(ModelError) -> JSONValue? in
            switch value {
            case .number: return value
            case .string(let text):
                guard text.utf8.count <= JSONReadingOptions().maximumNumberCharacters else { return nil }
                return JSONNumber(text: text).map { .number($0) }
            default:
                throw ModelError.refused(value, expected: "a number or text that holds one", code: .typeMismatch)
            }
        },
        reverse: { (value: JSONValue) throws(ModelError) -> JSONValue? in
            if case .number = value { return value }
            throw ModelError.refused(value, expected: "a number", code: .typeMismatch)
        })
}
