import PalliumCore
import PalliumJSON

/// Proposes JSON for single values, by their kind, transformers and rules.
///
/// The lists may contain values that the property refuses; a trial decides which are used.
struct SampleValues {
    let transformers: TransformerRegistry

    /// Returns values for a property that holds neither models nor, without a transformer, a collection.
    func candidates(_ property: PropertySchema, rules: [PropertySchema.Rule]) -> [JSONValue] {
        guard let name = property.conversions.first else { return Self.values(of: property.kind, rules: rules) }
        if let known = Self.inputs(of: name, property.kind, rules: rules) { return known }
        guard let transformer = try? transformers.transformer(named: name) else { return [] }
        // A transformer of the program may accept anything of its type, so anything may be tried.
        guard let kind = transformer.readType._naturalKind else { return transformer.examples }
        return transformer.examples + Self.values(of: kind, rules: rules)
    }

    /// Returns what a predefined transformer reads; nil for others.
    private static func inputs(
        of name: TransformerName, _ kind: PropertyKind, rules: [PropertySchema.Rule]
    ) -> [JSONValue]? {
        switch name {
        case .url: return urls
        case .urlPercentEncoding: return urls + ["https://example.org/ä b"]
        case .emptyTextAsNull: return values(of: .string, rules: rules)
        case .uuid, .lowercaseUUID: return values(of: .uuid, rules: rules)
        case .boolean: return [true, false, 1, 0]
        case .iso8601Date: return dates
        case .localISO8601Date:
            return ["2026-01-31T12:00:00", "2024-02-29T23:59:59.125", "1969-12-31T23:59:59", "2026-01-31T12:00:00.000"]
        case .dateOnly: return ["2026-01-31", "2024-02-29", "1969-12-31"]
        case .unixSeconds: return [1_443_164_400, 0, 0.5, -1, 4_102_444_800.25]
        case .unixMilliseconds: return [1_443_164_400_250, 0, -1, 4_102_444_800_000]
        case .durationSeconds: return [90.5, 0, -0.001, 86400]
        case .base64Data: return base64
        case .decimalText, .integerText:
            return SampleNumbers.candidates(
                name == .integerText && !kind.isWhole ? .integer(.bits64) : kind, rules: rules
            )
            .map { .string($0.numberValue?.text ?? "") }
        case .scaledDecimalText: return ["12.50", "0.00", "-1", "0", "100.000"]
        case .numberOrText:
            let numbers = SampleNumbers.candidates(kind, rules: rules)
            return numbers + numbers.map { .string($0.numberValue?.text ?? "") }
        default: return nil
        }
    }

    /// Returns values of a kind without transformers.
    private static func values(of kind: PropertyKind, rules: [PropertySchema.Rule]) -> [JSONValue] {
        switch kind {
        case .bool: return [true, false]
        case .integer, .unsigned, .double, .float, .decimal: return SampleNumbers.candidates(kind, rules: rules)
        case .string: return SampleTexts.candidates(rules: rules)
        case .date: return dates
        case .duration: return ["PT1H30M", "PT0S", "-PT0.001S", "P2DT3.5S"]
        case .url: return urls
        case .uuid: return ["4A275FBD-8217-4397-964B-403F4C2B8545", "4a275fbd-8217-4397-964b-403f4c2b8545"]
        case .data: return base64
        case .enumeration(let enumeration): return cases(of: enumeration)
        case .json: return json
        case .array, .set: return [[], ["text"], [1, 2], [true]]
        case .dictionary: return [[:], ["key": "text"], ["a": 1, "b": 2], ["key": true]]
        case .model, .custom: return []
        @unknown default: return []
        }
    }

    private static let dates: [JSONValue] = [
        "2026-01-31T12:00:00Z", "2024-02-29T23:59:59.125Z", "1969-12-31T23:59:59Z", "2026-01-31T14:00:00.000001+02:00",
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-01-31T05:30:00.000-0800",
        "2026-01-31T12:00:00.123456789Z", "2026-01-31t12:00:00,50z", "2016-12-31T23:59:60+00",
    ]
    private static let urls: [JSONValue] = [
        "https://example.org/a?b=c", "mailto:ada@example.org", "https://example.org/%C3%A4#part",
    ]
    private static let base64: [JSONValue] = ["aGk=", "", "AP8Q"]
    private static let json: [JSONValue] = [
        "text", 7, true, [1, [nil]], ["a": ["b": nil]], [], -0.5, "Ünï \"\n",
    ]

    private static func cases(of enumeration: EnumerationSchema) -> [JSONValue] {
        let listed = enumeration.cases.map(\.rawValue) + enumeration.cases.flatMap(\.aliases)
        switch enumeration.unknown {
        case .fail: return listed.map(\.json)
        case .keep, .fallback:
            // Registration has no rule about unlisted values, so the first free one is taken.
            return listed.map(\.json) + unlisted(among: listed).map(\.json)
        }
    }

    /// Values of which most kinds have one, and for each number another.
    static func numbered(_ number: Int) -> [JSONValue] {
        [
            .number(JSONNumber(number + 1000)), .number(JSONNumber(number)), .string("text \(number)"),
            .string("a\(number)"),
        ]
    }

    /// A text and a number that no case lists.
    static func unlisted(among listed: [EnumerationSchema.RawValue]) -> [EnumerationSchema.RawValue] {
        let known = Set(listed)
        var found: [EnumerationSchema.RawValue] = []
        var text = "unlisted"
        while known.contains(.text(text)) { text += "_" }
        found.append(.text(text))
        var number: Int64 = 1001
        while known.contains(.number(number)) { number += 1 }
        found.append(.number(number))
        return found
    }
}
