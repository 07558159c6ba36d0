import Pallium
import TestSupport

/// Documents that look random: names that are usual, odd or data, and values that mostly have the kind of their name.
struct SampleGenerator {
    private var numbers: SeededGenerator
    private var room = 400

    init(seed: Int) { numbers = SeededGenerator(seed: seed) }

    private static let names = [
        "id", "name", "html_url", "created_at", "labels", "user", "parent", "is_open", "state", "size", "a.b", "[x",
        "$.y",
        "/z", "a\\b", "+1", "", "é", "e\u{301}", "URL", "two words", "two_words", "twoWords", "categories", "data",
        "_id",
    ]

    private static let texts = [
        "", "open", "closed", "2012-01-31T10:20:30Z", "2012-01-31T10:20:30.5Z", "2012-01-31T10:20:30+02:00",
        "2012-01-31T10:20:30", "2012-01-31", "Mon Sep 24 03:35:21 +0000 2012", "https://example.org/a?b=c#d",
        "https://example.org/ä b", "HTTP://EXAMPLE.ORG", "http://[::1]/", "mailto:a@b",
        "4a275fbd-8217-4397-964b-403f4c2b8545", "4A275FBD-8217-4397-964B-403F4C2B8545", "é", "e\u{301}", "\u{0}\n\"\\",
    ]

    private static let numberTexts = [
        "0", "-0", "1", "1.0", "1e2", "-7", "0.1", "1.5", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "1443164400", "1443164400250", "0.1234567890123456789", "1e-7",
        "1e300", "1e400", "123456789012345678901234567890", "5e-324",
    ]

    /// One object, or an array of some.
    mutating func document() -> JSONValue {
        switch numbers.below(6) {
        case 0: .object(sample())
        case 1: .array((0..<numbers.below(30) + 1).map { _ in .object(event()) })
        default: .array((0..<numbers.below(12) + 1).map { _ in .object(sample()) })
        }
    }

    /// An object whose members, and those of its payload, mostly depend on its type.
    private mutating func event() -> JSONObject {
        let type = numbers.below(4)
        var event: JSONObject = ["id": .number(JSONNumber(numbers.below(1000))), "type": .string("t\(type)")]
        var payload = JSONObject()
        for position in 0..<8 where position % 4 == type || position == 7 || numbers.once(in: 60) {
            event["own\(position)"] = value(position % 8, depth: 3)
            payload["inner_\(position)"] = value(position % 7, depth: 3)
        }
        if type == 3 || !numbers.once(in: 20) { event["payload"] = .object(payload) }
        if numbers.once(in: 40) { event["payload"] = .null }
        if numbers.once(in: 200) { event["type"] = .null }
        return event
    }

    /// A sample. Its names are no empty ones, which no root may have.
    private mutating func sample() -> JSONObject {
        var sample = JSONObject(object(depth: 0).filter { !$0.key.isEmpty })
        sample["number"] = .number(JSONNumber(numbers.below(100)))
        return sample
    }

    private mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        if depth > 0, numbers.once(in: 6) {
            // Names that are data.
            let kind = numbers.below(6)
            for _ in 0..<numbers.below(30) { object["\(numbers.below(90))"] = value(kind, depth: depth) }
            return object
        }
        for _ in 0..<numbers.below(8) {
            let position = numbers.below(Self.names.count)
            object[Self.names[position]] = value(numbers.once(in: 12) ? numbers.below(8) : position % 8, depth: depth)
        }
        return object
    }

    private mutating func value(_ kind: Int, depth: Int) -> JSONValue {
        room -= 1
        if room < 0 || numbers.once(in: 8) { return .null }
        switch kind {
        case 0: return .number(JSONNumber(numbers.below(5)))
        case 1: return .number(JSONNumber(text: numbers.pick(Self.numberTexts)) ?? JSONNumber(0))
        case 2: return .bool(numbers.once(in: 2))
        case 3, 4:
            // Neighbours are of the same kind, so that properties become dates, URLs and UUIDs.
            let first = numbers.below(Self.texts.count)
            return .string(Self.texts[numbers.once(in: 4) ? first : first / 4 * 4])
        case 5 where depth < 5:
            let element = numbers.below(8)
            return .array((0..<numbers.below(4)).map { _ in value(element, depth: depth + 1) })
        default: return depth < 5 ? .object(object(depth: depth + 1)) : .string("deep")
        }
    }
}
