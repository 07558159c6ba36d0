package import Foundation
package import PalliumJSON

/// Reads and writes decimal numbers as JSON number text (RFC 8259, section 6), exactly or not at all.
///
/// A `Decimal` is a whole number of 128 bits times a power of ten from -128 to 127. A text is read if its value is such
/// a number in any spelling (`1e2`, `100`, `100.000`), and refused otherwise: nothing is rounded, and no text makes a
/// NaN. All numbers of up to 38 significant digits fit, and those of 39 up to 2¹²⁸ - 1.
///
/// `Decimal(string:)` is not used: it accepts the beginning of `12abc` and drops digits silently.
package enum DecimalText {
    /// The powers of ten that a `Decimal` can carry.
    private static let exponents = -128...127

    /// Reads one number; the whole of `bytes` must be its text.
    ///
    /// `-0` is read as 0, since `Decimal` has no negative zero. Complexity: linear in the count.
    ///
    /// - Returns: nil where the text is no JSON number or no `Decimal` is equal to it.
    package static func parse(_ bytes: BorrowedBytes) -> Decimal? {
        guard let parts = parts(bytes) else { return nil }
        return decimal(isNegative: parts.isNegative, mantissa: parts.mantissa, exponent: parts.exponent)
    }

    /// Reads the sign, the digits without zeros at the end, and the power of ten of one number.
    ///
    /// - Returns: nil where the text is no JSON number or the digits have more than 128 bits.
    static func parts(
        _ bytes: BorrowedBytes
    ) -> (isNegative: Bool, mantissa: UInt128, exponent: Int)? {
        var index = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative {
            index = 1
        }
        var digits = SignificantDigits()
        let integerIndex = index
        digits.take(bytes, from: &index, isFraction: false)
        guard index > integerIndex, bytes[integerIndex] != UInt8(ascii: "0") || index == integerIndex + 1 else {
            return nil
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fractionIndex = index
            digits.take(bytes, from: &index, isFraction: true)
            guard index > fractionIndex else {
                return nil
            }
        }
        var exponent = 0
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            guard let written = parseExponent(bytes, from: &index) else {
                return nil
            }
            exponent = written
        }
        guard index == bytes.count, digits.fit else {
            return nil
        }
        // Neither can overflow: `exponent` is limited to a quarter of the range, and the number of digits is at most
        // the count.
        return (isNegative, digits.mantissa, exponent + digits.exponent)
    }

    /// Writes the number without an exponent: an optional minus sign, digits, at most one full stop.
    ///
    /// - Returns: text that ``parse(_:)`` reads back as an equal number, or nil for NaN, which JSON cannot write.
    package static func write(_ value: Decimal) -> String? {
        // `description` uses no locale, and never an exponent.
        value.isNaN ? nil : value.description
    }

    /// Reads sign and digits of an exponent. It stops growing far beyond what any number of digits could bring back
    /// into range, so that it never overflows.
    private static func parseExponent(_ bytes: BorrowedBytes, from index: inout Int) -> Int? {
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let digitsIndex = index
        var exponent = 0
        while index < bytes.count, bytes[index] &- 0x30 <= 9 {
            if exponent < Int.max / 40 {
                exponent = exponent * 10 + Int(bytes[index] &- 0x30)
            }
            index += 1
        }
        return index == digitsIndex ? nil : isNegative ? -exponent : exponent
    }

    /// Returns the number of this mantissa and exponent, if a `Decimal` can be equal to it.
    private static func decimal(isNegative: Bool, mantissa: UInt128, exponent: Int) -> Decimal? {
        guard mantissa != 0 else {
            // A zero with a sign would be a NaN.
            return Decimal(0)
        }
        let sign: FloatingPointSign = isNegative ? .minus : .plus
        guard exponent > exponents.upperBound else {
            // The digits end with one that is not zero, so a power that is too low cannot be raised.
            return exponent >= exponents.lowerBound
                ? Decimal(sign: sign, exponent: exponent, significand: whole(mantissa)) : nil
        }
        // A power that is too high can be lowered by zeros at the end of the mantissa.
        var padded = mantissa
        for _ in exponents.upperBound..<min(exponent, exponents.upperBound + 39) {
            let (product, overflows) = padded.multipliedReportingOverflow(by: 10)
            guard !overflows else {
                return nil
            }
            padded = product
        }
        // Foundation would move those zeros back into the power, which is too small for them. It cannot if the last
        // digit is nine, and one is added afterwards.
        return Decimal(sign: sign, exponent: exponents.upperBound, significand: whole(padded - 1))
            + Decimal(sign: sign, exponent: exponents.upperBound, significand: 1)
    }

    /// Returns the number made of three parts of 13 digits. 39 digits hold 128 bits, so every sum is exact.
    private static func whole(_ number: UInt128) -> Decimal {
        let (front, low) = number.quotientAndRemainder(dividingBy: 10_000_000_000_000)
        let (high, middle) = front.quotientAndRemainder(dividingBy: 10_000_000_000_000)
        return Decimal(sign: .plus, exponent: 26, significand: Decimal(UInt64(high)))
            + Decimal(sign: .plus, exponent: 13, significand: Decimal(UInt64(middle))) + Decimal(UInt64(low))
    }
}
