import Foundation
import Pallium
import RunSupport

/// Ways into models besides bytes and trees.
enum Entrances {
    /// The tree as Foundation's types; nil where they cannot hold it: numbers without an exact type, and names that are
    /// canonically equal, which are one key of a Swift dictionary.
    static func foundation(_ value: JSONValue) -> Any? {
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
        case .object(let members): return dictionary(members)
        }
    }

    static func dictionary(_ members: JSONObject) -> [String: Any]? {
        var result: [String: Any] = [:]
        for (key, value) in members {
            guard let value = foundation(value), result.updateValue(value, forKey: key) == nil else { return nil }
        }
        return result
    }

    /// Whether the tree has a zero with a sign, which coders read as an integer without one.
    static func hasNegativeZero(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.double == 0 && number.double.sign == .minus
        case .array(let elements): elements.contains(where: hasNegativeZero)
        case .object(let members): members.contains { hasNegativeZero($0.value) }
        default: false
        }
    }

    /// The bytes in chunks that are cut anywhere.
    static func chunks(_ bytes: [UInt8], _ bits: inout SeededGenerator) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var rest = bytes[...]
        let length = bits.pick([1, 3, 7, 64])
        while !rest.isEmpty {
            let count = 1 + bits.below(length)
            result.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return result
    }
}
