import Foundation
import PalliumJSON

// Compares numbers with limits.
//
// The kinds of numbers hold values with one shortest decimal text each, and are ordered as those texts. So a limit that a
// kind can hold is compared in the form of the kind, and every comparison is exact.
//
// Safety: a slot with a value holds the type of its kind.
extension ValueCheck {
    enum Bound {
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum

        var isMinimum: Bool { self == .minimum || self == .exclusiveMinimum }
        var isExclusive: Bool { self == .exclusiveMinimum || self == .exclusiveMaximum }
    }

    static func number(
        _ limit: JSONNumber, _ bound: Bound, _ rule: PropertySchema.Rule, _ kind: PropertyKind
    ) throws(RuleProblem) -> RuleTest {
        switch kind {
        case .integer:
            let nearest = try nearest(to: limit, bound, rule, Int64.self)
            return nearest.map { bound.isMinimum ? .integerAtLeast($0) : .integerAtMost($0) } ?? .never
        case .unsigned:
            let nearest = try nearest(to: limit, bound, rule, UInt64.self)
            return nearest.map { bound.isMinimum ? .unsignedAtLeast($0) : .unsignedAtMost($0) } ?? .never
        case .double:
            guard let limit = limit.exactDouble else { throw inexact(rule, kind) }
            return double(limit, bound)
        case .float:
            // Slots hold floats as doubles.
            let nearest = Double(limit.float)
            guard JSONNumber(single: nearest) == limit else { throw inexact(rule, kind) }
            return double(nearest, bound)
        case .decimal:
            guard let limit = DecimalText.value(in: limit.text) else { throw inexact(rule, kind) }
            return switch bound {
            case .minimum: .other { $0.decimal >= limit }
            case .maximum: .other { $0.decimal <= limit }
            case .exclusiveMinimum: .other { $0.decimal > limit }
            case .exclusiveMaximum: .other { $0.decimal < limit }
            }
        default: throw misplaced(rule, kind, "numbers")
        }
    }

    private static func double(_ limit: Double, _ bound: Bound) -> RuleTest {
        switch bound {
        case .minimum: .doubleAtLeast(limit)
        case .maximum: .doubleAtMost(limit)
        case .exclusiveMinimum: .doubleAbove(limit)
        case .exclusiveMaximum: .doubleBelow(limit)
        }
    }

    /// Returns the first integer, seen from the limit, that keeps a rule; nil if none does.
    ///
    /// The limit may be a fraction, or beyond all integers of the type.
    private static func nearest<Integer: FixedWidthInteger>(
        to limit: JSONNumber, _ bound: Bound, _ rule: PropertySchema.Rule, _ type: Integer.Type
    ) throws(RuleProblem) -> Integer? {
        if let integer = limit.integer(Integer.self) {
            guard bound.isExclusive else { return integer }
            let (next, overflows) =
                bound.isMinimum ? integer.addingReportingOverflow(1) : integer.subtractingReportingOverflow(1)
            return overflows ? nil : next
        }
        guard let limit = limit.exactDouble else {
            throw RuleProblem("the limit of \(rule) has more digits than can be compared", fix: "round it")
        }
        if let integer = Integer(exactly: limit.rounded(bound.isMinimum ? .up : .down)) { return integer }
        // Beyond all integers: either all of them keep the rule, or none.
        let extreme = bound.isMinimum ? Integer.min : Integer.max
        return bound.isMinimum == (limit < 0) ? extreme : nil
    }

    private static func inexact(_ rule: PropertySchema.Rule, _ kind: PropertyKind) -> RuleProblem {
        RuleProblem("the limit of \(rule) is a number that no \(kind.name) equals", fix: "round it")
    }
}

extension JSONNumber {
    /// The integer of a type with 64 bits; nil for fractions and larger numbers.
    fileprivate func integer<Stored: FixedWidthInteger>(_ type: Stored.Type) -> Stored? {
        int64.flatMap { Stored(exactly: $0) } ?? uint64.flatMap { Stored(exactly: $0) }
    }
}
