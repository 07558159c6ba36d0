import Foundation
import PalliumCore

/// A decimal number as a text: texts have the order of the numbers, byte by byte, and equal numbers have one text.
///
/// ```
///    12.5  ▶  1 501 125      sign, exponent of the first digit + 500, digits without zeros at the end
///       0  ▶  0
///   -12.5  ▶  - 498 874 ~    the complements of the digits of exponent and number, and an end behind all digits
/// ```
/// The exponents of `Decimal` are from -128 to 165, so three digits are enough.
struct OrderedNumber {
    let text: String

    /// - Parameter value: A finite number.
    init(_ value: Decimal) {
        // Plain digits, with a point before a fraction.
        let literal = value.magnitude.description.utf8
        let point = literal.firstIndex(of: UInt8(ascii: ".")) ?? literal.endIndex
        let integer = literal[..<point].drop { $0 == UInt8(ascii: "0") }
        let fraction = literal[point...].dropFirst()
        let zeros = integer.isEmpty ? fraction.prefix { $0 == UInt8(ascii: "0") }.count : 0
        var digits = Array(integer) + fraction.dropFirst(zeros)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty {
            text = "0"
            return
        }
        let exponent = integer.isEmpty ? -1 - zeros : integer.count - 1
        digits = Array(String(exponent + 500).utf8) + digits
        guard value < 0 else {
            text = "1" + String(decoding: digits, as: UTF8.self)
            return
        }
        // The complement of a digit to 9.
        let complements = digits.map { UInt8(ascii: "9") + UInt8(ascii: "0") - $0 }
        text = "-" + String(decoding: complements, as: UTF8.self) + "~"
    }

    /// Returns the number of a text; nil if it is none.
    static func value(of text: String) -> Decimal? {
        var digits = Array(text.utf8)
        guard digits.count > 4 else { return text == "0" ? 0 : nil }
        let isNegative = digits.removeFirst() == UInt8(ascii: "-")
        if isNegative { digits = digits.dropLast().map { UInt8(ascii: "9") + UInt8(ascii: "0") - $0 } }
        let literal = String(decoding: digits, as: UTF8.self)
        guard let exponent = Int(literal.prefix(3)) else { return nil }
        return DecimalText.value(
            in: "\(isNegative ? "-" : "")\(literal.dropFirst(3))e\(exponent - 500 - (digits.count - 4))")
    }
}
