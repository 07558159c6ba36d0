import Foundation
import Pallium
import RunSupport

/// JSON that fits a property, or nearly.
enum GeneratedInputs {
    static let caseTexts = ["open", "e\u{301}", "é", "a\"b\\", "closed"]

    /// A default as a document writes it; nil for kinds that get none.
    static func defaultValue(_ property: PropertySchema, _ bits: inout SeededGenerator) -> JSONValue? {
        switch property.kind {
        case .model, .custom, .json: return nil
        case .array(let element), .set(let element), .dictionary(let element):
            guard property.transformers.isEmpty, let value = defaultValue(element, &bits) else { return nil }
            if case .dictionary = property.kind { return bits.once(in: 2) ? [:] : ["k": value] }
            return bits.once(in: 2) ? [] : .array([value])
        default:
            if property.transformers.contains(GeneratedTransformers.jsonText) { return nil }
            let value = scalar(property, &bits)
            if value.isNull || value == "" { return Optional.none }
            return value
        }
    }

    /// What stands in JSON for a property that is no model and no collection.
    static func scalar(_ property: PropertySchema, _ bits: inout SeededGenerator) -> JSONValue {
        switch property.transformers.first?.description {
        case "IntegerText": return .string(String(integer(&bits)))
        case "DecimalText": return .string(decimalText(&bits))
        case "NumberOrText":
            let value = number(property.kind, &bits)
            return bits.once(in: 2) ? .string(value.numberValue!.text) : value
        case "Boolean": return bits.pick([true, false, 0, 1])
        case "Sum": return .array((0..<bits.below(4)).map { _ in .number(JSONNumber(bits.below(1000))) })
        case "JSONText": return any(depth: 2, &bits)
        case "DateOnly": return .string(dateText(&bits, withTime: false))
        case "UnixSeconds":
            return bits.once(in: 3)
                ? .number(JSONNumber(text: "\(bits.below(2_000_000_000)).25")!)
                : .number(JSONNumber(bits.below(2_000_000_000)))
        case "UnixMilliseconds": return .number(JSONNumber(bits.below(2_000_000_000_000)))
        case "DurationSeconds":
            return JSONNumber(text: bits.pick(["0", "-90.5", "1e3", "5e-18"])).map { .number($0) } ?? 0
        case "EmptyTextAsNull" where bits.once(in: 3): return ""
        default: break
        }
        switch property.kind {
        case .bool: return .bool(bits.once(in: 2))
        case .integer, .unsigned, .double, .float, .decimal: return number(property.kind, &bits)
        case .string: return .string(text(&bits))
        case .date: return .string(dateText(&bits, withTime: true))
        case .url: return .string(bits.pick(urls))
        case .uuid:
            let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(bits.below(256))))
                .uuidString
            return .string(bits.once(in: 4) ? uuid.lowercased() : uuid)
        case .duration: return .string(durationText(&bits))
        case .data: return .string(Data((0..<bits.below(7)).map { _ in UInt8(bits.below(256)) }).base64EncodedString())
        case .enumeration(let schema):
            let found = bits.pick(schema.cases)
            switch bits.pick([found.rawValue] + found.aliases) {
            case .text(let text): return .string(text)
            case .number(let number): return .number(JSONNumber(number))
            }
        default: return any(depth: 2, &bits)
        }
    }

    // MARK: Parts

    private static func durationText(_ bits: inout SeededGenerator) -> String {
        func units(_ letters: String, _ bits: inout SeededGenerator) -> String {
            letters.map { bits.once(in: 2) ? "\(bits.below(bits.once(in: 3) ? 100_000 : 70))\($0)" : "" }.joined()
        }
        let date = units("WD", &bits)
        let time = units("HM", &bits) + (bits.once(in: 2) ? bits.pick(["0S", "3.5S", "59,000000000000000001S"]) : "")
        let text = bits.pick(["", "", "-", "+"]) + "P" + date + (time.isEmpty ? "" : "T" + time)
        return date.isEmpty && time.isEmpty
            ? bits.pick(["PT0S", "P1.5D"]) : bits.once(in: 5) ? text.lowercased() : text
    }

    private static func integer(_ bits: inout SeededGenerator) -> Int64 {
        switch bits.below(6) {
        case 0: bits.pick([.max, .min, .max - 1, 9_007_199_254_740_993, 1 << 53, -(1 << 53) - 1])
        case 1: Int64(bitPattern: bits.next() >> UInt64(bits.below(64)))
        default: Int64(bits.below(200)) - 100
        }
    }

    private static func number(_ kind: PropertyKind, _ bits: inout SeededGenerator) -> JSONValue {
        switch kind {
        case .integer(.bits64): return .number(JSONNumber(integer(&bits)))
        case .integer(let width): return .number(JSONNumber(bits.below(1 << (width.rawValue - 1))))
        case .unsigned(.bits64): return .number(JSONNumber(bits.once(in: 3) ? bits.next() : UInt64(bits.below(300))))
        case .unsigned(let width): return .number(JSONNumber(bits.below(1 << width.rawValue)))
        case .decimal: return JSONNumber(text: decimalText(&bits)).map { .number($0) } ?? 0
        default:
            let texts = [
                "0", "-0", "1", "1.5", "-2.25", "1e10", "0.1",
                "1.00000005960464477539062500001", "123456789.125", "1e-7",
                "16777217", "9007199254740993", "3.4028234e38", "5e-324", "1.17549435e-38", "1e22", "123e-2",
            ]
            return JSONNumber(text: bits.pick(texts)).map { .number($0) } ?? 0
        }
    }

    private static func decimalText(_ bits: inout SeededGenerator) -> String {
        bits.pick([
            "0", "1", "-1.5", "12.50", "0.1", "123456789012345678901234567890.12345678", "1e20", "-0.000001", "100",
            "99999999999999999999999999999999999999", "1e-30", "2.5E+3",
        ])
    }

    static let urls = [
        "https://example.org", "https://example.org/a?b=c#d", "mailto:a@b.c", "/relative/path", "a", "http://[::1]:80/",
        "https://example.org/%C3%A4%20b", "file:///tmp/x", "https://user:pw@example.org:8080/p;x=1",
    ]

    static func text(_ bits: inout SeededGenerator) -> String {
        bits.once(in: 3)
            ? GeneratedNames.next(&bits)
            : bits.pick([
                "", "a", "b|c", "word", "n", "stop!", "\u{1F600}\u{200D}", "é", "e\u{301}", "7", "1.5", "true", "null",
                "a much longer text that does not fit into the fifteen bytes of a small string", "\\u0041\u{1}\u{2028}",
            ])
    }

    private static func dateText(_ bits: inout SeededGenerator, withTime: Bool) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = bits.pick(["2026", "1970", "2000", "0001", "9999", "1969", "1582"])
        let day = "\(year)-\(two(1 + bits.below(12)))-\(two(1 + bits.below(28)))"
        guard withTime else { return day }
        let time = "T\(two(bits.below(24))):\(two(bits.below(60))):\(two(bits.below(60)))"
        return day + time + bits.pick(["", "", ".5", ".25", ".125"]) + bits.pick(["Z", "Z", "+01:00", "-05:30"])
    }

    /// Any JSON.
    static func any(depth: Int, _ bits: inout SeededGenerator) -> JSONValue {
        switch bits.below(depth > 0 ? 11 : 8) {
        case 0: return nil
        case 1: return .bool(bits.once(in: 2))
        case 2: return .number(JSONNumber(bits.below(300) - 100))
        case 3:
            return .number(
                JSONNumber(
                    text: bits.pick([
                        "1.5", "1e400", "-1e-400", "18446744073709551615", "18446744073709551616",
                        "9223372036854775808",
                        "123456789012345678901234567890123456789012345678901234567890",
                        "0.1000000000000000000000000001",
                        "3.5e38", "256", "-1", "1e18", "1e19", "-0.0",
                    ]))!)
        case 4, 5: return .string(text(&bits))
        case 6: return .string(bits.pick(caseTexts + ["nine", "ten", "base", "circle"]))
        case 7: return bits.once(in: 2) ? [] : [:]
        case 8: return .array((0..<bits.below(4)).map { _ in any(depth: depth - 1, &bits) })
        default:
            return .object(
                JSONObject((0..<bits.below(4)).map { _ in (GeneratedNames.next(&bits), any(depth: depth - 1, &bits)) }))
        }
    }
}
