/// The integer that a number text stands for, by moving the decimal point through its digits.
struct ExactInteger {
    /// The digits without leading zeros, with a minus sign where it counts.
    let text: String

    /// Nil when the number is no integer or has more than 400 digits.
    init?(_ number: String) {
        let parts = number.lowercased().split(separator: "e", maxSplits: 1)
        let isNegative = number.hasPrefix("-")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        var digits = Array((String(mantissa[0]) + fraction).utf8)
        guard digits.contains(where: { $0 != 0x30 }) else {
            text = "0"
            return
        }
        var exponent = -fraction.utf8.count
        if parts.count > 1 {
            guard let written = Int(parts[1]), abs(written) < 1_000_000 else { return nil }
            exponent += written
        }
        while exponent < 0 {
            guard digits.popLast() == 0x30 else { return nil }
            exponent += 1
        }
        guard digits.count + exponent <= 400 else { return nil }
        digits += Array(repeating: 0x30, count: exponent)
        let significant = digits.drop { $0 == 0x30 }
        text = (isNegative ? "-" : "") + String(decoding: significant, as: UTF8.self)
    }
}
