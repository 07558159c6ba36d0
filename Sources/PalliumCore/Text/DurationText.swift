/// Reads and writes durations as text (ISO 8601-1:2019, section 5.5.2).
///
///     PT1H30M        P2DT3.5S        -P1W        PT0S
///
/// The last number may have a fraction, of at most 18 digits. As ISO 8601-2 allows, there may be a sign, and weeks
/// besides other units. Lower case is read, too, as RFC 3339 allows. Days, hours, minutes and seconds are written, of
/// which the last two are below 60 and hours below 24. A day has 24 hours. Years and months are refused, because their
/// length depends on the date.
package enum DurationText {
    package enum Problem: Error {
        case form, calendar, precision, range
    }

    /// The attoseconds of a second.
    static let second: UInt64 = 1_000_000_000_000_000_000
    static let maximumFractionDigits = 18

    /// A unit and its seconds; 0 for one whose length depends on the date.
    private typealias Unit = (letter: UInt8, seconds: UInt128)
    private static let dateUnits: [Unit] = [
        (UInt8(ascii: "Y"), 0), (UInt8(ascii: "M"), 0), (UInt8(ascii: "W"), 604_800), (UInt8(ascii: "D"), 86400),
    ]
    private static let timeUnits: [Unit] = [(UInt8(ascii: "H"), 3600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1)]

    /// Reads the duration of the whole text.
    package static func read(_ text: some Sequence<UInt8>) throws(Problem) -> Duration {
        var bytes = text.makeIterator()
        var next = bytes.next()
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { next = bytes.next() }
        guard upper(next) == UInt8(ascii: "P") else { throw .form }
        next = bytes.next()
        // The units that may follow, each once and in this order.
        var units = dateUnits[...]
        var isTime = false
        var isComplete = false
        var hasFraction = false
        var (total, isTooLarge) = (UInt128(0), false)
        while next != nil {
            if !isTime, upper(next) == UInt8(ascii: "T") {
                (isTime, isComplete, units) = (true, false, timeUnits[...])
                next = bytes.next()
            }
            guard !hasFraction, digit(next) != nil else { throw .form }
            var whole = UInt128(0)
            while let digit = digit(next) {
                // More seconds than any duration has; from there on the number does not matter.
                whole = min(whole * 10 + digit, UInt128(UInt64.max))
                next = bytes.next()
            }
            var fraction = UInt128(0)
            if next == UInt8(ascii: ".") || next == UInt8(ascii: ",") {
                hasFraction = true
                next = bytes.next()
                var count = 0
                while let digit = digit(next), count <= maximumFractionDigits {
                    fraction = fraction * 10 + digit
                    count += 1
                    next = bytes.next()
                }
                guard count > 0 else { throw .form }
                guard count <= maximumFractionDigits else { throw .precision }
                for _ in count..<maximumFractionDigits { fraction *= 10 }
            }
            guard let unit = units.firstIndex(where: { $0.letter == upper(next) }) else { throw .form }
            guard units[unit].seconds > 0 else { throw .calendar }
            let (product, overflows) = (whole * UInt128(second) + fraction).multipliedReportingOverflow(
                by: units[unit].seconds)
            let (sum, exceeds) = total.addingReportingOverflow(product)
            (total, isTooLarge) = (sum, isTooLarge || overflows || exceeds)
            units = units[(unit + 1)...]
            isComplete = true
            next = bytes.next()
        }
        guard isComplete else { throw .form }
        guard !isTooLarge, let duration = Duration(attoseconds: total, isNegative: isNegative) else { throw .range }
        return duration
    }

    private static func upper(_ byte: UInt8?) -> UInt8? { byte.map { $0 >= 0x61 && $0 <= 0x7A ? $0 & 0xDF : $0 } }

    private static func digit(_ byte: UInt8?) -> UInt128? {
        byte.flatMap { $0 >= 0x30 && $0 <= 0x39 ? UInt128($0 & 0xF) : nil }
    }

    /// Returns the text of a duration; nil for one that has no parts.
    package static func write(_ duration: Duration) -> String? {
        guard let parts = duration.parts else { return nil }
        let (minutes, seconds) = parts.seconds.quotientAndRemainder(dividingBy: 60)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let (days, hour) = hours.quotientAndRemainder(dividingBy: 24)
        let last = seconds > 0 || parts.attoseconds > 0 ? "\(seconds)\(fraction(parts.attoseconds))S" : ""
        let time = (hour > 0 ? "\(hour)H" : "") + (minute > 0 ? "\(minute)M" : "") + last
        let text = (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T" + time)
        return (parts.isNegative ? "-P" : "P") + (text.isEmpty ? "T0S" : text)
    }

    /// Returns the fraction of a second with its full stop; empty text for none.
    static func fraction(_ attoseconds: UInt64) -> String {
        guard attoseconds > 0 else { return "" }
        // The digit before the fraction keeps its zeros.
        let digits = "\(second + attoseconds)".dropFirst()
        return "." + digits.prefix(digits.count - digits.reversed().prefix { $0 == "0" }.count)
    }
}

extension Duration {
    static let rangeExpectation = "a duration whose whole seconds fit into 64 bits"

    /// The sign, the whole seconds and the rest; nil for a duration of more seconds than 64 bits hold, which has no
    /// components.
    var parts: (isNegative: Bool, seconds: UInt64, attoseconds: UInt64)? {
        let rest: Int64 = 999_999_999_999_999_999
        let range =
            Duration(
                secondsComponent: .min, attosecondsComponent: -rest)...Duration(
                secondsComponent: .max, attosecondsComponent: rest)
        guard range.contains(self) else { return nil }
        return (self < .zero, components.seconds.magnitude, components.attoseconds.magnitude)
    }

    /// Makes the duration of a number of attoseconds; nil if 64 bits do not hold its seconds.
    init?(attoseconds: UInt128, isNegative: Bool) {
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: UInt128(DurationText.second))
        guard seconds <= UInt128(isNegative ? Int64.min.magnitude : Int64.max.magnitude) else { return nil }
        self.init(
            secondsComponent: isNegative ? Int64(truncatingIfNeeded: 0 &- seconds) : Int64(seconds),
            attosecondsComponent: isNegative ? -Int64(rest) : Int64(rest))
    }
}
