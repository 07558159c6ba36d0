import PalliumJSON

/// One rule, compiled for a kind.
///
/// Safety: a rule for text is compiled for the kind `string` alone, whose slots hold a `String`.
struct ValueCheck: Sendable {
    let rule: PropertySchema.Rule
    let test: RuleTest
    /// The text of the schema for people.
    var message: String?

    /// Compiles a rule.
    ///
    /// - Throws: ``RuleProblem`` when the rule means nothing for the kind.
    init(_ rule: PropertySchema.Rule, kind: PropertyKind, formats: FormatRegistry) throws(RuleProblem) {
        self.rule = rule
        if case .number(let limit) = rule.limit, limit.double < 0, rule.hasCount {
            throw RuleProblem("the rule \(rule) needs a count from 0 on", fix: "name such a number")
        }
        test =
            switch rule {
            case .minimum(let limit): try Self.number(limit, .minimum, rule, kind)
            case .maximum(let limit): try Self.number(limit, .maximum, rule, kind)
            case .exclusiveMinimum(let limit): try Self.number(limit, .exclusiveMinimum, rule, kind)
            case .exclusiveMaximum(let limit): try Self.number(limit, .exclusiveMaximum, rule, kind)
            case .multipleOf(let divisor): try Self.multiple(of: divisor, rule, kind)
            case .minLength(let length): try Self.text(rule, kind, .lengthAtLeast(length))
            case .maxLength(let length): try Self.text(rule, kind, .lengthAtMost(length))
            case .pattern(let text): try Self.pattern(text, rule, kind)
            case .format(let name): try Self.format(name, rule, kind, formats)
            case .minCount(let count): try Self.collection(rule, kind, .countAtLeast(count))
            case .maxCount(let count): try Self.collection(rule, kind, .countAtMost(count))
            case .unique: try Self.unique(rule, kind)
            }
    }

    private static func text(
        _ rule: PropertySchema.Rule, _ kind: PropertyKind, _ test: RuleTest
    ) throws(RuleProblem) -> RuleTest {
        guard case .string = kind else { throw misplaced(rule, kind, "text") }
        return test
    }

    private static func pattern(
        _ text: String, _ rule: PropertySchema.Rule, _ kind: PropertyKind
    ) throws(RuleProblem) -> RuleTest {
        let pattern: Pattern
        do throws(PatternError) { pattern = try Pattern(text) } catch {
            throw RuleProblem("the pattern \(ModelError.quote(text)) cannot be used: \(error)")
        }
        return try self.text(rule, kind, .other { $0.withText { pattern.matches($0) } })
    }

    private static func format(
        _ name: String, _ rule: PropertySchema.Rule, _ kind: PropertyKind, _ formats: FormatRegistry
    ) throws(RuleProblem) -> RuleTest {
        guard let format = formats.format(named: name) else {
            throw RuleProblem(
                "names the format \(ModelError.quote(name)), which is not registered",
                fix: ModelError.nearest(to: name, among: formats.names).map { "did you mean \($0)?" }
                    ?? "register it before the schema")
        }
        return try text(rule, kind, .other { format($0.load(String.self)) })
    }

    private static func collection(
        _ rule: PropertySchema.Rule, _ kind: PropertyKind, _ test: RuleTest
    ) throws(RuleProblem) -> RuleTest {
        guard kind.element != nil else { throw misplaced(rule, kind, "an array, a set or a dictionary") }
        return test
    }

    private static func unique(_ rule: PropertySchema.Rule, _ kind: PropertyKind) throws(RuleProblem) -> RuleTest {
        guard case .array = kind else { throw misplaced(rule, kind, "an array") }
        return .other { $0.list.firstDuplicate == nil }
    }

    /// Makes the problem of a rule for values of another kind.
    static func misplaced(_ rule: PropertySchema.Rule, _ kind: PropertyKind, _ expected: String) -> RuleProblem {
        RuleProblem(
            "the rule \(rule.name) is for \(expected), and \(kind.name) is not", fix: "drop it, or change the kind")
    }
}

extension ValueCheck {
    /// Makes the error for a slot whose value breaks the rule.
    func problem(with slot: PropertySlot) -> ModelError {
        let duplicate = rule == .unique ? slot.list.firstDuplicate : nil
        let error = ModelError(
            .ruleBroken, slot.description, expected: rule.expectation, found: found(in: slot, duplicate)
        ).with(.rule(rule, found: slot.description.isSensitive ? nil : measure(of: slot, duplicate)))
            .with(ruleMessage: message)
        return duplicate.map { error.under(index: $0.second) } ?? error
    }

    /// The part of the value that the rule limits, as JSON.
    private func measure(of slot: PropertySlot, _ duplicate: (first: Int, second: Int)?) -> JSONValue? {
        switch rule {
        case .minLength, .maxLength: .number(JSONNumber(slot.load(String.self).unicodeScalars.count))
        case .minCount, .maxCount: .number(JSONNumber(slot.list.count))
        case .unique: duplicate.map { .number(JSONNumber($0.first)) }
        default: try? slot.naturalJSON()
        }
    }

    private func found(in slot: PropertySlot, _ duplicate: (first: Int, second: Int)?) -> String {
        switch rule {
        case .minLength, .maxLength:
            let text = slot.load(String.self)
            return "\(ModelError.quote(text)), which has \(text.unicodeScalars.count)"
        case .minCount, .maxCount: return "\(slot.list.count)"
        case .unique: return "an element that equals the one at index \(duplicate?.first ?? 0)"
        default: return ModelError.describe(slot.naturalValue)
        }
    }
}

extension PropertySchema.Rule {
    /// The expectation in errors: "text of at most 5 characters".
    package var expectation: String {
        switch self {
        case .minimum(let limit): "a number of at least \(limit)"
        case .maximum(let limit): "a number of at most \(limit)"
        case .exclusiveMinimum(let limit): "a number above \(limit)"
        case .exclusiveMaximum(let limit): "a number below \(limit)"
        case .multipleOf(let divisor): "a multiple of \(divisor)"
        case .minLength(let length): "text of at least \(length.counted("character"))"
        case .maxLength(let length): "text of at most \(length.counted("character"))"
        case .pattern(let text): "text that matches the pattern \(ModelError.quote(text))"
        case .format(let name): "text of the format \(ModelError.shorten(name, to: 64))"
        case .minCount(let number): "at least \(number.counted("element"))"
        case .maxCount(let number): "at most \(number.counted("element"))"
        case .unique: "different elements"
        }
    }

    /// Whether the limit counts something.
    fileprivate var hasCount: Bool {
        switch self {
        case .minLength, .maxLength, .minCount, .maxCount: true
        default: false
        }
    }
}

extension SlotList {
    /// The positions of the first element that equals an earlier one, and of that one; nil if all are different.
    ///
    /// - Complexity: O(*n*) in the size of the elements.
    fileprivate var firstDuplicate: (first: Int, second: Int)? {
        if count < 2 { return nil }
        var positions: [SlotElementKey: Int] = [:]
        for (index, key) in SlotElementKey.keys(of: self, isAlone: true).enumerated() {
            if let first = positions.updateValue(index, forKey: key) { return (first, index) }
        }
        return nil
    }
}
