import PalliumJSON

/// Converts between time since 1970-01-01T00:00:00Z and the seconds since 2001-01-01T00:00:00Z of `Date`.
package enum UnixTime {
    /// The seconds from the start of 1970 to the start of 2001: 31 years, eight of them leap years.
    private static let referenceSeconds: Int64 = 978_307_200

    /// Reads the digits of a JSON number of seconds since 1970, and rounds once, to the nearest moment.
    ///
    /// - Returns: nil for a number that no `Double` is near. O(*n*) in the length of the number.
    package static func date(in number: String) -> SpelledDate? {
        guard var digits = DecimalDigits(number) else {
            // So far away, neighbouring moments are farther from each other than 1970 is from 2001.
            return Double(number).flatMap { $0.isFinite ? SpelledDate(seconds: $0) : nil }
        }
        digits.add(-referenceSeconds)
        guard let seconds = Double(digits.text), seconds.isFinite else { return nil }
        let parts = number.split(separator: ".")
        guard parts.count == 2, parts[1].utf8.count <= DateSpelling.maximumDigitCount, let fraction = Int(parts[1])
        else {
            return SpelledDate(seconds: seconds)
        }
        let spelling = DateSpelling(.unixSeconds, fraction: fraction, digitCount: parts[1].utf8.count)
        return SpelledDate(
            seconds: seconds, spelling: spelling.isShortest(for: seconds) ? .canonical : spelling)
    }

    /// Returns the JSON number of seconds since 1970 as it was spelled, or else with the fewest digits that ``date(in:)``
    /// reads back as the same moment; nil for a moment that is not finite.
    package static func text(of date: SpelledDate) -> String? {
        guard date.seconds.isFinite else { return nil }
        guard var digits = DecimalDigits(date.seconds.description) else { return date.seconds.description }
        digits.add(referenceSeconds)
        // Where moments are more than a second apart, their sum as a `Double` has fewer digits.
        let sum = (date.seconds + Double(referenceSeconds)).description
        if date.seconds.magnitude > 0x1p53, self.date(in: sum)?.seconds == date.seconds { return sum }
        if date.spelling.form == .unixSeconds, date.spelling.digitCount <= DateSpelling.maximumDigitCount {
            let fraction = "\(date.spelling.fraction)"
            let zeros = String(repeating: "0", count: max(0, date.spelling.digitCount - fraction.utf8.count))
            // The moment may have been rounded to another second.
            for whole in [digits.whole, digits.whole - 1, digits.whole + 1] where whole >= 0 {
                let text = "\(digits.isNegative ? "-" : "")\(whole).\(zeros)\(fraction)"
                if self.date(in: text)?.seconds == date.seconds { return text }
            }
        }
        return digits.text
    }

    /// Returns the moment as seconds since 2001; nil when it is so far away that milliseconds cannot be distinguished.
    package static func sinceReference(milliseconds: Int64) -> Double? {
        let (shifted, overflow) = milliseconds.subtractingReportingOverflow(referenceSeconds * 1000)
        guard !overflow else { return nil }
        // One division of exact numbers is rounded once, to the nearest moment.
        let sinceReference = Double(shifted) / 1000
        return self.milliseconds(sinceReference) == milliseconds ? sinceReference : nil
    }

    /// Returns the nearest milliseconds since 1970; nil when 64 bits cannot hold them or the moment is not finite.
    package static func milliseconds(_ sinceReference: Double) -> Int64? {
        let whole = sinceReference.rounded(.down)
        // Whole seconds and fraction are converted separately, since their product with 1000 needs more bits than a
        // Double has.
        guard let seconds = Int64(exactly: whole) else { return nil }
        let fraction = Int64(((sinceReference - whole) * 1000).rounded())
        let (sinceUnix, addition) = seconds.addingReportingOverflow(referenceSeconds)
        let (product, multiplication) = sinceUnix.multipliedReportingOverflow(by: 1000)
        let (sum, last) = product.addingReportingOverflow(fraction)
        return addition || multiplication || last ? nil : sum
    }
}

/// A decimal number of any length, to which whole numbers are added exactly.
private struct DecimalDigits {
    private(set) var isNegative: Bool
    /// The magnitude before the decimal point.
    private(set) var whole: Int128
    /// The digits behind it.
    private var fraction: [UInt8]

    /// Reads a JSON number; nil for one with more than 128 bits before the decimal point.
    init?(_ number: String) {
        isNegative = number.hasPrefix("-")
        let parts = number.drop { $0 == "-" }.split { $0 == "e" || $0 == "E" }
        let mantissa = (parts.first ?? "").split(separator: ".")
        var digits = Array(mantissa.joined().utf8.map { $0 &- 0x30 })
        // Beyond, every number is zero or infinite.
        let exponent = parts.count == 2 ? min(max(Int(parts[1]) ?? (parts[1].first == "-" ? -400 : 400), -400), 400) : 0
        var point = (mantissa.first?.utf8.count ?? 0) + exponent
        if point < 0 {
            digits.insert(contentsOf: repeatElement(0, count: -point), at: 0)
            point = 0
        }
        digits += repeatElement(0, count: max(0, point - digits.count))
        whole = 0
        for digit in digits[..<point] {
            let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 10)
            if isTooLarge || product > .max - 10 { return nil }
            whole = product + Int128(digit)
        }
        fraction = Array(digits[point...])
    }

    var text: String {
        let last = fraction.lastIndex { $0 != 0 }
        let digits = last.map { "." + String(decoding: fraction[...$0].map { $0 | 0x30 }, as: UTF8.self) } ?? ""
        return (isNegative && (whole != 0 || last != nil) ? "-" : "") + "\(whole)" + digits
    }

    mutating func add(_ other: Int64) {
        let isFractional = fraction.contains { $0 != 0 }
        // A negative fraction is counted from the whole number below.
        var sum = isNegative ? -whole : whole
        if isNegative, isFractional {
            sum -= 1
            complement()
        }
        sum += Int128(other)
        isNegative = sum < 0
        if isNegative, isFractional {
            sum += 1
            complement()
        }
        whole = isNegative ? -sum : sum
    }

    /// Replaces a fraction by what it lacks to one.
    private mutating func complement() {
        guard let last = fraction.lastIndex(where: { $0 != 0 }) else { return }
        for index in 0..<last { fraction[index] = 9 - fraction[index] }
        fraction[last] = 10 - fraction[last]
    }
}
