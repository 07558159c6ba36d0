import Foundation
import PalliumJSON

// Tests whether a number is a multiple of another, exactly in decimal.
//
// Safety: a slot with a value holds the type of its kind.
extension ValueCheck {
    static func multiple(
        of divisor: JSONNumber, _ rule: PropertySchema.Rule, _ kind: PropertyKind
    ) throws(RuleProblem) -> RuleTest {
        guard let exact = DecimalScale(divisor.text), exact.mantissa != 0, divisor.double > 0 else {
            throw RuleProblem(
                "the rule \(rule) needs a number above zero with at most 38 digits", fix: "name such a number")
        }
        switch kind {
        case .integer:
            guard let divisor = divisor.int64 else { return general(exact) }
            return .integerMultiple(divisor)
        case .unsigned:
            guard let divisor = divisor.uint64 else { return general(exact) }
            return .other { $0.load(UInt64.self) % divisor == 0 }
        case .double:
            guard let quick = QuickMultiple(exact) else { return general(exact) }
            return .other { quick.divides($0.load(Double.self)) ?? Self.isMultiple($0, of: exact) }
        case .float, .decimal: return general(exact)
        default: throw misplaced(rule, kind, "numbers")
        }
    }

    private static func general(_ divisor: DecimalScale) -> RuleTest { .other { isMultiple($0, of: divisor) } }

    private static func isMultiple(_ slot: PropertySlot, of divisor: DecimalScale) -> Bool {
        guard case .number(let number)? = slot.description.traits.write(slot), let value = DecimalScale(number.text)
        else { return false }
        return divisor.divides(value)
    }
}

/// A number without its sign: an integer that does not end with zero, times a power of ten.
private struct DecimalScale: Sendable {
    let mantissa: UInt128
    let exponent: Int

    /// Reads the text of a JSON number; nil if the integer has more than 128 bits.
    init?(_ text: String) {
        guard let parts = text.withBorrowedBytes(DecimalText.parts) else { return nil }
        mantissa = parts.mantissa
        exponent = parts.exponent
    }

    func divides(_ value: DecimalScale) -> Bool {
        if value.mantissa == 0 { return true }
        let shift = value.exponent - exponent
        if shift >= 0 { return Self.product(value.mantissa, Self.powerOfTen(shift, modulo: mantissa), mantissa) == 0 }
        // The divisor ends further left than the value, so it needs zeros behind it.
        var divisor = mantissa
        for _ in 0..<(-shift) {
            let (product, overflows) = divisor.multipliedReportingOverflow(by: 10)
            if overflows || product > value.mantissa { return false }
            divisor = product
        }
        return value.mantissa % divisor == 0
    }

    private static func powerOfTen(_ exponent: Int, modulo divisor: UInt128) -> UInt128 {
        var result: UInt128 = 1 % divisor
        var factor: UInt128 = 10 % divisor
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, factor, divisor) }
            factor = product(factor, factor, divisor)
            rest >>= 1
        }
        return result
    }

    /// The product of two numbers modulo a divisor. The left one is reduced first, so that the quotient fits.
    private static func product(_ left: UInt128, _ right: UInt128, _ divisor: UInt128) -> UInt128 {
        divisor.dividingFullWidth((left % divisor).multipliedFullWidth(by: right)).remainder
    }
}

/// Divisors with few digits, by which most doubles are divided without looking at their digits.
///
/// Let *p* be the decimal places of the divisor, and *n* the double times 10^*p*, rounded. If *n* has at most 15 digits
/// and *n* / 10^*p* is the double again, then *n* / 10^*p* is the decimal text of the double: texts of 15 digits are
/// different for different doubles (DBL_DIG of IEEE 754), and with *p* of at most 22 both numbers are exact, so that the
/// division rounds once. If the quotient is another double, the text has more than *p* places and is no multiple.
private struct QuickMultiple: Sendable {
    private let power: Double
    private let mantissa: Int64

    init?(_ divisor: DecimalScale) {
        guard (-22...0).contains(divisor.exponent), let mantissa = Int64(exactly: divisor.mantissa) else { return nil }
        var power = 1.0
        for _ in 0..<(-divisor.exponent) { power *= 10 }
        self.power = power
        self.mantissa = mantissa
    }

    /// Whether the divisor divides a double; nil if that takes a closer look.
    func divides(_ value: Double) -> Bool? {
        let scaled = (value * power).rounded()
        guard scaled.magnitude < 1e15, let integer = Int64(exactly: scaled) else { return nil }
        return scaled / power == value && integer % mantissa == 0
    }
}
