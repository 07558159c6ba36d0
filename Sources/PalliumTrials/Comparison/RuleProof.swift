import Foundation
import PalliumCore
import PalliumJSON

/// Decides whether a rule of a property follows from the rules of the same property in another version.
///
/// If it does not, there is mostly a value that shows it.
struct RuleProof {
    private(set) var isProved = false
    /// A text that the other rules accept and this one refuses.
    private(set) var text: String?
    /// A number of elements that the other rules accept and this one refuses, or for `unique` the number of equal ones.
    private(set) var count: Int?
    private let isUnique: Bool

    /// The longest texts and lists that are made.
    private static let maximumLength = 1_000_000
    private static let maximumCount = 100_000
    private static let maximumBytes = 10_000_000

    /// - Parameters:
    ///   - rule: The rule that is to follow.
    ///   - descriptor: The property or element for which the other rules are declared.
    ///   - rules: The other rules.
    init(of rule: PropertySchema.Rule, given rules: [PropertySchema.Rule], for descriptor: ValueDescriptor) {
        let isWhole = descriptor.property.kind.isWhole
        let rules = (rules + descriptor.rulesOfKind).map { $0.closed(isWhole) }
        let rule = rule.closed(isWhole)
        isUnique = rules.contains(.unique) || [.set, .dictionary].contains(descriptor.kind)
        isProved = rules.contains { $0.implies(rule) }
        if isProved { return }
        switch rule {
        case .minLength, .maxLength, .pattern: decideText(rule, rules, descriptor)
        case .minCount, .maxCount, .unique: decideCount(rule, rules)
        default: break
        }
    }

    private mutating func decideText(
        _ rule: PropertySchema.Rule, _ rules: [PropertySchema.Rule], _ descriptor: ValueDescriptor
    ) {
        guard case .string = descriptor.property.kind else { return }
        var (least, most) = (0, Int.max)
        var patterns: [Pattern] = []
        for case .minLength(let length) in rules { least = max(least, length) }
        for case .maxLength(let length) in rules { most = min(most, length) }
        for case .pattern(let text) in rules { (try? Pattern(text)).map { patterns.append($0) } }
        var excluded: Pattern?
        switch rule {
        case .minLength(let length): most = min(most, length - 1)
        case .maxLength(let length): least = max(least, length == .max ? length : length + 1)
        case .pattern(let text):
            guard let pattern = try? Pattern(text) else { return }
            excluded = pattern
        default: return
        }
        if least > most {
            isProved = true
        } else if patterns.isEmpty, excluded == nil {
            if least <= Self.maximumLength { text = String(repeating: "a", count: least) }
        } else {
            do throws(PatternError) {
                text = try Pattern.text(matching: patterns, butNot: excluded, lengths: least...most)
                isProved = text == nil
            } catch {
                // The search was given up, so nothing is known.
            }
        }
    }

    private mutating func decideCount(_ rule: PropertySchema.Rule, _ rules: [PropertySchema.Rule]) {
        var (least, most) = (0, Int.max)
        for case .minCount(let count) in rules { least = max(least, count) }
        for case .maxCount(let count) in rules { most = min(most, count) }
        switch rule {
        case .minCount(let count): most = min(most, count - 1)
        case .maxCount(let count): least = max(least, count == .max ? count : count + 1)
        default: least = max(least, 2)
        }
        isProved = least > most || rule == .unique && isUnique
        if !isProved, least <= Self.maximumCount { count = least }
    }
}

extension RuleProof {
    /// Returns a value that shows that the rule does not follow; nil if none is known.
    ///
    /// - Parameter known: A value that the other rules accept.
    func counterexample(like known: JSONValue?) -> JSONValue? {
        if let text { return .string(text) }
        // A list of large elements would be too large.
        guard let count, count * (known?.firstElementBytes ?? 0) <= Self.maximumBytes else { return nil }
        switch known {
        case .array(let elements):
            guard count <= elements.count || !elements.isEmpty else { return nil }
            // Equal elements will do, and are what `unique` refuses.
            if !isUnique { return .array(Array(repeating: elements.first ?? .null, count: count)) }
            var (different, seen) = (Array(elements.prefix(count)), Set(elements))
            for number in 0..<2 * count where different.count < count {
                let value = Self.value(number, like: elements.first)
                if seen.insert(value).inserted { different.append(value) }
            }
            return .array(different)
        case .object(let members):
            guard count <= members.count || !members.isEmpty else { return nil }
            let element = members.first?.value ?? .null
            return .object(JSONObject((0..<count).map { (key: "key \($0)", value: element) }))
        default: return nil
        }
    }

    /// A value of which each number has another one.
    private static func value(_ number: Int, like known: JSONValue?) -> JSONValue {
        if case .number? = known { .number(JSONNumber(number)) } else { .string("text\(number)") }
    }
}

extension JSONValue {
    /// The size of the first element or member; 0 without one.
    fileprivate var firstElementBytes: Int {
        (arrayValue?.first ?? objectValue?.first?.value)?.description.utf8.count ?? 0
    }
}

extension ValueDescriptor {
    /// The limits that the kind itself sets for numbers.
    var rulesOfKind: [PropertySchema.Rule] {
        switch property.kind {
        case .integer:
            [
                .minimum(JSONNumber(signedRange.lowerBound)), .maximum(JSONNumber(signedRange.upperBound)),
                .multipleOf(JSONNumber(1)),
            ]
        case .unsigned: [.minimum(JSONNumber(0)), .maximum(JSONNumber(unsignedMaximum)), .multipleOf(JSONNumber(1))]
        default: []
        }
    }
}

extension PropertySchema.Rule {
    /// The rule with a limit that itself is allowed, where that means the same.
    fileprivate func closed(_ isWhole: Bool) -> PropertySchema.Rule {
        switch self {
        case .exclusiveMinimum(let limit):
            guard isWhole, let integer = limit.int64, integer < .max else { return self }
            return .minimum(JSONNumber(integer + 1))
        case .exclusiveMaximum(let limit):
            guard isWhole, let integer = limit.int64, integer > .min else { return self }
            return .maximum(JSONNumber(integer - 1))
        default: return self
        }
    }

    /// Whether every value that keeps this rule keeps another one, as far as their limits tell.
    fileprivate func implies(_ other: PropertySchema.Rule) -> Bool {
        switch (self, other) {
        case (.minimum(let limit), .exclusiveMinimum(let other)): limit != other && other.isAtMost(limit)
        case (.maximum(let limit), .exclusiveMaximum(let other)): limit != other && limit.isAtMost(other)
        case (.minimum(let limit), .minimum(let other)), (.exclusiveMinimum(let limit), .minimum(let other)),
            (.exclusiveMinimum(let limit), .exclusiveMinimum(let other)):
            other.isAtMost(limit)
        case (.maximum(let limit), .maximum(let other)), (.exclusiveMaximum(let limit), .maximum(let other)),
            (.exclusiveMaximum(let limit), .exclusiveMaximum(let other)):
            limit.isAtMost(other)
        case (.multipleOf(let divisor), .multipleOf(let other)): divisor.isMultiple(of: other)
        default: self == other
        }
    }
}

extension JSONNumber {
    /// Whether a number is known to be no greater than another one.
    fileprivate func isAtMost(_ other: JSONNumber) -> Bool {
        if let left = exactDouble, let right = other.exactDouble { return left <= right }
        guard let left = Decimal(string: text), let right = Decimal(string: other.text) else { return false }
        return !left.isNaN && !right.isNaN && left <= right
    }

    /// Whether a number is known to be an integer times another one. Products of so few digits are exact.
    fileprivate func isMultiple(of other: JSONNumber) -> Bool {
        guard self != other else { return true }
        guard let product = Decimal(string: text), let factor = Decimal(string: other.text), factor != 0 else {
            return false
        }
        let quotient = NSDecimalNumber(decimal: product / factor).doubleValue
        guard abs(quotient) < 1e15, quotient == quotient.rounded() else { return false }
        return Decimal(quotient) * factor == product
    }
}
