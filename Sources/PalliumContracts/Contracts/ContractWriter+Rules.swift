import PalliumCore
import PalliumJSON

/// Describes the rules of values.
extension ContractWriter {
    /// Adds the rules of values to their description: as keywords where the notation has them, as sentences elsewhere.
    func describe(_ rules: [PropertySchema.Rule], of kind: PropertyKind, in result: inout JSONObject) {
        var sentences: [String] = []
        var others: [JSONObject] = []
        for rule in rules {
            guard notation != .strict, let keyword = Self.keyword(rule, kind) else {
                sentences.append(Self.sentence(for: rule))
                continue
            }
            guard let existing = result[keyword] else {
                result[keyword] = rule.limit
                continue
            }
            // The limit of an integer's width, or a rule that a parent has as well.
            let isWidth = !rules.contains { $0 != rule && $0.name == rule.name }
            switch isWidth ? Self.isTighter(rule, than: existing) : nil {
            case true?: result[keyword] = rule.limit
            case false?: break
            case nil: others.append([keyword: rule.limit])
            }
        }
        if !others.isEmpty { result["allOf"] = .array(others.map { .object($0) }) }
        Self.add(sentences, to: &result)
    }

    /// Returns the keyword that means the same as a rule; nil if there is none.
    private static func keyword(_ rule: PropertySchema.Rule, _ kind: PropertyKind) -> String? {
        let isDictionary = if case .dictionary = kind { true } else { false }
        switch rule {
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern:
            return rule.name
        case .format(let name):
            // The others allow more or less than the format of JSON Schema with the same name.
            return ["date", "ipv4", "ipv6", "uuid"].contains { UTF8Text.equal($0, name) } ? "format" : nil
        case .minCount: return isDictionary ? "minProperties" : "minItems"
        case .maxCount:
            // A set drops repeated elements before it counts.
            if case .set = kind { return nil }
            return isDictionary ? "maxProperties" : "maxItems"
        case .unique: return "uniqueItems"
        }
    }

    /// Whether a rule allows fewer numbers than another limit; nil if that is not clear.
    private static func isTighter(_ rule: PropertySchema.Rule, than other: JSONValue) -> Bool? {
        guard case .number(let other) = other, case .number(let limit) = rule.limit, limit.double != other.double else {
            return nil
        }
        return switch rule {
        case .minimum: limit.double > other.double
        case .maximum: limit.double < other.double
        default: nil
        }
    }

    /// Returns a rule in words.
    static func sentence(for rule: PropertySchema.Rule) -> String {
        switch rule {
        case .minimum(let limit): "At least \(limit)."
        case .maximum(let limit): "At most \(limit)."
        case .exclusiveMinimum(let limit): "Above \(limit)."
        case .exclusiveMaximum(let limit): "Below \(limit)."
        case .multipleOf(let divisor): "A multiple of \(divisor)."
        case .minLength(let length): "At least \(length.counted("character"))."
        case .maxLength(let length): "At most \(length.counted("character"))."
        case .pattern(let text): "Matches the regular expression \(text)."
        case .format(let name): "Text of the format \(name)."
        case .minCount(let number): "At least \(number.counted("element"))."
        case .maxCount(let number): "At most \(number.counted("element"))."
        case .unique: "Different elements."
        }
    }
}
