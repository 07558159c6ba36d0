/// A decimal number as sign, significand and exponent: ± significand × 10^exponent, with a count of dropped digits.
///
///     -1234.5600e7      significand 12345600, exponent 3
///     18446744073709551615999.5
///                       significand 18446744073709551615, exponent 3, four dropped digits, the last of them not 0
///
/// Invariant: without dropped digits the value is exact. With them, `significand` has at least 19 digits, and the true
/// value lies strictly between `significand` and `significand + 1`, both times 10^exponent.
struct JSONDecimalParts: Sendable {
    /// The bound at which parsed exponents stop growing. Texts are shorter than 2^40 characters, so a number with such
    /// an exponent is zero or infinite as a Double whatever its digits, and adding digit counts to it cannot overflow.
    static let exponentLimit = 1 << 50

    var isNegative = false
    var significand: UInt64 = 0
    var exponent = 0

    /// The number of digits that `significand` does not hold, without zeros at the end.
    var droppedDigits = 0
    private var droppedZeros = 0

    /// Adds the next digit before the decimal point.
    @inline(__always)
    mutating func appendIntegerDigit(_ digit: UInt8) {
        if !take(digit) { exponent &+= 1 }
    }

    /// Adds the next digit after the decimal point.
    @inline(__always)
    mutating func appendFractionDigit(_ digit: UInt8) {
        if take(digit) { exponent &-= 1 }
    }

    /// Appends the digit to the significand if it fits; returns false when it was dropped.
    @inline(__always)
    private mutating func take(_ digit: UInt8) -> Bool {
        if significand < UInt64.max / 10 {
            significand = significand &* 10 &+ UInt64(digit)
            return true
        }
        return takeLast(digit)
    }

    private mutating func takeLast(_ digit: UInt8) -> Bool {
        if significand == UInt64.max / 10, droppedDigits == 0, droppedZeros == 0, digit <= UInt64.max % 10 {
            significand = significand &* 10 &+ UInt64(digit)
            return true
        }
        if digit == 0 {
            droppedZeros += 1
        } else {
            droppedDigits += droppedZeros + 1
            droppedZeros = 0
        }
        return false
    }

    /// Whether the value is mathematically zero.
    var isZero: Bool { significand == 0 }

    /// Whether the value is mathematically an integer, in whatever range.
    var isInteger: Bool {
        if isZero || exponent >= droppedDigits { return true }
        if droppedDigits > 0 || exponent < -20 { return false }
        return significand.isMultiple(of: Self.powersOfTen[min(-exponent, 19)]) && exponent >= -19
    }

    /// The magnitude, when it is an integer below 2^64.
    var magnitude: UInt64? {
        if isZero { return 0 }
        // Dropped digits that are not all zero make the value either larger than 2^64 or a fraction.
        guard droppedDigits == 0, exponent >= -19, exponent <= 19 else { return nil }
        if exponent == 0 { return significand }
        if exponent < 0 {
            let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: Self.powersOfTen[-exponent])
            return remainder == 0 ? quotient : nil
        }
        let (product, overflow) = significand.multipliedReportingOverflow(by: Self.powersOfTen[exponent])
        return overflow ? nil : product
    }

    /// The value, when it is an integer in the range of Int64.
    var int64: Int64? {
        guard let magnitude else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// The value, when it is an integer in the range of UInt64.
    var uint64: UInt64? {
        guard let magnitude, !isNegative || magnitude == 0 else { return nil }
        return magnitude
    }

    /// The same value without zeros at the end of the significand, unless it is zero or digits were dropped. Equal exact
    /// values other than zero then have equal parts.
    var withoutTrailingZeros: JSONDecimalParts {
        var parts = self
        guard droppedDigits == 0, significand != 0 else { return parts }
        while parts.significand.isMultiple(of: 10) {
            parts.significand /= 10
            parts.exponent += 1
        }
        return parts
    }

    static let powersOfTen: [UInt64] = (0..<20).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
