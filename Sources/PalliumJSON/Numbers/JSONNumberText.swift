/// A number that only its text can hold: `1e400`, integers beyond 64 bits, more digits than a Double has.
///
/// A class, so that the numbers that need no text stay small.
final class JSONNumberText: Sendable {
    /// Valid by the grammar of RFC 8259 §6.
    let text: String

    init(_ text: String) { self.text = text }

    /// The nearest Double.
    var double: Double { text.withBorrowedBytes { $0.numberParts(isWhole: false)?.double(text: $0) } ?? .infinity }

    var isInteger: Bool { parts?.isInteger ?? false }

    /// The spelling that all texts of the same value share: sign, digits, `e`, exponent. The digits have no zeros at
    /// either end. O(length).
    var canonicalBytes: [UInt8] {
        var digits: [UInt8] = []
        var written: [UInt8] = []
        var isNegative = false
        var isExponentNegative = false
        var isFraction = false
        var isExponent = false
        var shift = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if isExponent { isExponentNegative = true } else { isNegative = true }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isExponent {
                    if byte != UInt8(ascii: "0") || !written.isEmpty { written.append(byte) }
                } else {
                    if isFraction { shift -= 1 }
                    if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
                }
            default: break
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            shift += 1
        }
        // Zero is never kept as text, so there are digits.
        let sign = isNegative ? [UInt8(ascii: "-")] : []
        return sign + digits + [UInt8(ascii: "e")]
            + Self.sum(magnitude: written, isNegative: isExponentNegative, shift)
    }

    /// Returns the decimal text of ±magnitude + shift, for a magnitude of any length.
    ///
    /// `shift` counts digits of a text, so it is far below 10^17. A magnitude of more than 18 digits therefore keeps
    /// its sign and carries or borrows at most one.
    private static func sum(magnitude: [UInt8], isNegative: Bool, _ shift: Int) -> [UInt8] {
        let split = max(0, magnitude.count - 18)
        var high = Array(magnitude[..<split])
        var low = magnitude[split...].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        if high.isEmpty { return Array(String((isNegative ? -low : low) + shift).utf8) }
        low += isNegative ? -shift : shift
        let carry = 1_000_000_000_000_000_000
        if low >= carry {
            low -= carry
            step(&high, from: UInt8(ascii: "9"), to: UInt8(ascii: "0"), by: 1)
        } else if low < 0 {
            low += carry
            step(&high, from: UInt8(ascii: "0"), to: UInt8(ascii: "9"), by: -1)
        }
        let lowDigits = Array(String(low).utf8)
        let filled = high + Array(repeating: UInt8(ascii: "0"), count: 18 - lowDigits.count) + lowDigits
        let digits = Array(filled.drop { $0 == UInt8(ascii: "0") })
        return isNegative ? [UInt8(ascii: "-")] + digits : digits
    }

    /// Adds or subtracts one: digits equal to `from` wrap around to `to` and carry to the left.
    private static func step(_ digits: inout [UInt8], from: UInt8, to: UInt8, by difference: Int) {
        var position = digits.count - 1
        while position >= 0, digits[position] == from {
            digits[position] = to
            position -= 1
        }
        if position >= 0 {
            digits[position] = UInt8(Int(digits[position]) + difference)
        } else {
            digits.insert(UInt8(ascii: "1"), at: 0)
        }
    }
}

extension JSONDecimalParts {
    /// Returns the Double whose shortest text has exactly these digits, if there is one.
    func doubleWithSameDigits(text: BorrowedBytes) -> Double? {
        guard droppedDigits == 0 else { return nil }
        let parts = withoutTrailingZeros
        guard parts.significand < 100_000_000_000_000_000 else { return nil }
        let double = double(text: text)
        guard double.isFinite else { return nil }
        // Converting 15 digits to a normal Double and back never changes them (DBL_DIG of IEEE 754 binary64).
        if parts.significand < 1_000_000_000_000_000, double.isNormal { return double }
        guard double != 0 else { return nil }
        let shortest = JSONNumberText(double.description).parts?.withoutTrailingZeros
        guard let shortest, shortest.significand == parts.significand, shortest.exponent == parts.exponent else {
            return nil
        }
        return double
    }
}

extension JSONNumberText {
    /// The decimal parts of the text.
    var parts: JSONDecimalParts? { text.withBorrowedBytes { $0.numberParts(isWhole: false) } }
}
