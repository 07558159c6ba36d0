import PalliumCore
import PalliumJSON

/// Reads the cases of enumerations.
///
/// There are three forms: a list of texts, a list of integers, and an object of texts by case, of which the first is
/// written and the others are accepted when reading. The case names in the object are for people and for `fallback`.
extension SchemaReader {
    mutating func readEnumeration(_ value: LocatedJSON, unknown: LocatedJSON?) -> EnumerationSchema? {
        var caseNames: [UTF8Key: EnumerationSchema.RawValue] = [:]
        let cases: [EnumerationSchema.Case]
        let problemsBefore = problems.count
        switch value.content {
        case .array(let elements): cases = readPlainCases(elements)
        case .object: cases = readSpelledCases(value, &caseNames)
        default:
            mismatch(value, "cases", "a list of texts or integers, or an object of texts by case")
            return nil
        }
        if cases.isEmpty, problems.count == problemsBefore {
            problems.report(at: value.offset, "cases: an enumeration needs a case")
        }
        let policy = unknown.flatMap { readUnknownPolicy($0, cases: cases, caseNames: caseNames) }
        return EnumerationSchema(cases: cases, unknown: policy ?? .fail)
    }

    private mutating func readPlainCases(_ elements: [LocatedJSON]) -> [EnumerationSchema.Case] {
        var isText: Bool?
        var cases: [EnumerationSchema.Case] = []
        var visited: Set<EnumerationSchema.RawValue> = []
        for element in elements {
            let expected = isText.map { $0 ? "text" : "an integer" } ?? "text or an integer"
            guard let raw = rawValue(element, "cases", expected: expected) else { continue }
            if raw.isNumber == isText ?? !raw.isNumber {
                mismatch(element, "cases", expected, fix: "cases are all texts or all integers")
                continue
            }
            isText = !raw.isNumber
            if visited.insert(raw).inserted {
                cases.append(EnumerationSchema.Case(raw))
            } else {
                problems.reportRepetition(at: element.offset, of: "cases: \(element.summary)")
            }
        }
        return cases
    }

    private mutating func readSpelledCases(
        _ value: LocatedJSON, _ caseNames: inout [UTF8Key: EnumerationSchema.RawValue]
    ) -> [EnumerationSchema.Case] {
        var cases: [EnumerationSchema.Case] = []
        var visited: Set<UTF8Key> = []
        for member in entries(of: value, "cases", expected: "an object of texts by case") ?? [] {
            checkName(member.name, at: member.nameOffset, "cases")
            guard case .array(let elements) = member.value.content, !elements.isEmpty else {
                mismatch(member.value, "cases", "the list of the texts of the case")
                continue
            }
            var spellings: [EnumerationSchema.RawValue] = []
            for element in elements {
                guard let text = self.text(element, "cases") else { continue }
                if visited.insert(UTF8Key(text)).inserted {
                    spellings.append(.text(text))
                } else {
                    problems.reportRepetition(
                        at: element.offset, of: "cases: \(element.summary)", fix: "give each text to one case")
                }
            }
            guard let first = spellings.first else { continue }
            caseNames[UTF8Key(member.name)] = first
            cases.append(EnumerationSchema.Case(first, aliases: Array(spellings.dropFirst())))
        }
        return cases
    }

    private mutating func readUnknownPolicy(
        _ value: LocatedJSON, cases: [EnumerationSchema.Case], caseNames: [UTF8Key: EnumerationSchema.RawValue]
    ) -> EnumerationSchema.UnknownCasePolicy<EnumerationSchema.RawValue>? {
        let expected = "\"fail\", \"keep\" or {\"fallback\": case}"
        switch value.content {
        case .string(let text) where UTF8Text.equal(text, "fail"): return .fail
        case .string(let text) where UTF8Text.equal(text, "keep"): return .keep
        case .object: break
        default:
            mismatch(value, "unknown", expected)
            return nil
        }
        guard let members = knownMembers(of: value, "the policy for unknown cases", ["fallback"]) else { return nil }
        guard let fallback = members["fallback"] else {
            mismatch(value, "unknown", expected)
            return nil
        }
        guard let raw = rawValue(fallback, "fallback", expected: "a case") else { return nil }
        if let text = fallback.text, let named = caseNames[UTF8Key(text)] { return .fallback(named) }
        if !cases.contains(where: { $0.rawValue == raw }) {
            let texts = cases.map(\.rawValue.description)
            problems.report(
                at: fallback.offset, "fallback: \(fallback.summary) is no case",
                fix: fallback.text.flatMap { SchemaError.Problem.suggestion(for: $0, among: texts) }
                    ?? "name one of the cases")
            return nil
        }
        return .fallback(raw)
    }

    private mutating func rawValue(_ value: LocatedJSON, _ member: String, expected: String) -> EnumerationSchema
        .RawValue?
    {
        if let raw = EnumerationSchema.RawValue(value.value) { return raw }
        mismatch(value, member, expected)
        return nil
    }
}
