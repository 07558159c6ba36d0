import Foundation
import Pallium

/// Texts that stand for values of other kinds, by their standards.
enum ReferenceTexts {
    /// RFC 3339 (§5.6), field by field.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
            let day = digits(bytes[8..<10]), let hour = digits(bytes[11..<13]), let minute = digits(bytes[14..<16]),
            let second = digits(bytes[17..<19])
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let places = rest.prefix { (0x30...0x39).contains($0) }
            guard !places.isEmpty else { return nil }
            fraction = Double("0." + String(decoding: places, as: UTF8.self)) ?? 0
            rest = rest.dropFirst(places.count)
        }
        guard let offset = zone(Array(rest)),
            let moment = SlowDate(year, month, day, hour, minute, second, offsetMinutes: offset)
        else { return nil }
        return Date(timeIntervalSince1970: Double(moment.seconds) + fraction)
    }

    /// `YYYY-MM-DD`.
    static func day(_ text: String) -> Date? {
        text.utf8.count == 10 ? date(text + "T00:00:00Z") : nil
    }

    private static func zone(_ bytes: [UInt8]) -> Int? {
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), let hours = digits(bytes[1..<3]), let minutes = digits(bytes[4..<6]),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Strictly a URL, and not the empty text.
    static func url(_ text: String) -> String? {
        guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
        return url.absoluteString
    }

    static func uuid(_ text: String) -> UUID? {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
            default: if !Character(Unicode.Scalar(byte)).isHexDigit { return nil }
            }
        }
        return UUID(uuidString: text)
    }

    /// RFC 4648, section 4, with padding.
    static func data(_ text: String) -> Data? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return data
    }

    /// Exactly, or not at all: up to 38 digits.
    static func decimal(_ text: String) -> Decimal? {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        let isNegative = text.hasPrefix("-")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        var digits = Array((String(mantissa[0]) + fraction).utf8.drop { $0 == 0x30 })
        var exponent = (parts.count > 1 ? Int(parts[1]) ?? 9999 : 0) - fraction.utf8.count
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else { return 0 }
        while exponent > 127, digits.count < 38 {
            digits.append(0x30)
            exponent -= 1
        }
        guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
        var result = Decimal(0)
        for digit in digits { result = result * 10 + Decimal(Int(digit - 0x30)) }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: result)
    }
}

extension ReferenceTexts {
    /// A moment in UTC, with three digits of a fraction only where there is one.
    static func text(_ date: Date) -> String {
        let ticks = Int((date.timeIntervalSince1970 * 1000).rounded())
        var seconds = ticks / 1000
        var thousandths = ticks % 1000
        if thousandths < 0 {
            thousandths += 1000
            seconds -= 1
        }
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        // Search for the day: the years one by one, then the months.
        var year = 1970
        while days < 0 || days >= length(year) {
            if days < 0 {
                year -= 1
                days += length(year)
            } else {
                days -= length(year)
                year += 1
            }
        }
        var month = 1
        while days >= SlowDate.daysInMonth(month, year) {
            days -= SlowDate.daysInMonth(month, year)
            month += 1
        }
        let fraction = thousandths == 0 ? "" : "." + padded(thousandths, 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(days + 1, 2))"
            + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))\(fraction)Z"
    }

    private static func length(_ year: Int) -> Int { SlowDate.daysInMonth(2, year) + 337 }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
