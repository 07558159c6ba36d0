import Foundation
import Pallium

/// The same document through bytes, a tree and Foundation's objects gives the same model, or is refused by all.
enum EqualEntrances {
    static func check(_ bytes: [UInt8]) throws {
        var options = JSONReadingOptions()
        options.duplicateMembers = .error
        guard let value = try? JSONValue(parsing: bytes, options: options), case .object(let object) = value else {
            return
        }
        let adapter = FuzzedModels.plain
        let expected = outcome { try adapter.model(from: bytes) }
        try compare(expected, outcome { try adapter.model(from: value) }, "tree")
        // Numbers that Foundation has no type for are the business of the other entrances.
        guard let dictionary = dictionary(object) else { return }
        let found = outcome { try adapter.model(from: dictionary) }
        try promise((found.model == nil) == (expected.model == nil), "dictionary: \(expected) but \(found)")
        if expected.model != nil { try compare(expected, found, "dictionary") }
    }

    private struct Outcome: CustomStringConvertible {
        var model: DynamicModel?
        var text = Data()
        var place = ""
        var description: String { model == nil ? place : String(decoding: text, as: UTF8.self) }
    }

    private static func outcome(_ decode: () throws -> DynamicModel) -> Outcome {
        do {
            let model = try decode()
            return Outcome(model: model, text: try FuzzedModels.plain.data(from: model))
        } catch {
            let error = error as? ModelError
            return Outcome(
                place: "\(error?.code.rawValue ?? "no code") at \(error?.pointer?.description ?? "no place")")
        }
    }

    private static func compare(_ left: Outcome, _ right: Outcome, _ name: String) throws {
        try promise(
            left.model == right.model && left.place == right.place && left.text.count == right.text.count,
            "\(name): \(left) but \(right)")
    }

    private static func dictionary(_ object: JSONObject) -> [String: Any]? {
        var result: [String: Any] = [:]
        for (key, value) in object {
            // Swift's dictionaries compare keys by canonical equivalence.
            guard let value = foundation(value), result.updateValue(value, forKey: key) == nil else { return nil }
        }
        return result
    }

    /// As deep as the limit of the reader, which the stack of a main thread bears.
    private static func foundation(_ value: JSONValue) -> Any? {
        switch value {
        case .null: return NSNull()
        case .bool(let value): return value
        case .string(let text): return text
        case .number(let number):
            // Zero has a sign, which only a Double keeps.
            if number.exactDouble == 0 { return number.double }
            if let integer = number.int64 { return Int(integer) }
            if let unsigned = number.uint64 { return UInt(unsigned) }
            return number.exactDouble
        case .array(let elements):
            var result: [Any] = []
            for element in elements {
                guard let element = foundation(element) else { return nil }
                result.append(element)
            }
            return result
        case .object(let object): return dictionary(object)
        }
    }
}
