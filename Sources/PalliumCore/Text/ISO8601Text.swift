package import PalliumJSON

/// Reads moments as text by RFC 3339, the internet profile of ISO 8601, without a formatter.
///
///     2026-07-14T09:05:03.25+02:00
///     0         10       19  the fraction and the zone have no fixed position
///
/// Where RFC 3339 and ISO 8601 leave a choice, these texts are read:
/// - `T` and `Z` also in lower case (RFC 3339, 5.6); no space instead of `T`, which ISO 8601 does not know.
/// - Years 0000…9999 (RFC 3339, section 1) of the proleptic Gregorian calendar.
/// - Hours 00…23; `24:00:00`, taken back by ISO 8601 in 2004, is refused.
/// - A fraction of any length of at least one digit, after a full stop or, as in ISO 8601, a comma. Digits after the
///   ninth are checked and cut.
/// - The zone is mandatory: `Z`, `±HH:MM` and, since servers send them, `±HHMM` and `±HH`; at most 23:59.
///   `-00:00` is UTC (RFC 3339, 4.3).
/// - Second 60 only where a leap second can be: as 23:59:60 in UTC on the last day of a month (RFC 3339, 5.7). It is
///   read as the second after it, since `Date` counts days of 86,400 seconds. At the end of 9999 that is the first second
///   of 10000, which is written with an offset: the same moment in the year 9999 of another zone.
package enum ISO8601Text {
    /// The largest number of bytes of a text. Longer ones are refused unread, since no sensible fraction needs more.
    package static let maximumByteCount = 64

    /// Reads one moment, whose text must be all of `bytes`.
    ///
    /// Complexity: at most ``maximumByteCount`` steps, whatever the input.
    ///
    /// - Returns: the moment, exact if there is no fraction, and its spelling. Nil for a text that breaks one of the rules
    ///   above.
    package static func parse(_ bytes: BorrowedBytes) -> SpelledDate? {
        let count = bytes.count
        guard count >= 20, count <= maximumByteCount, bytes[10] | 0x20 == UInt8(ascii: "t"),
            let day = CivilDay.parse(bytes)
        else {
            return nil
        }
        // `HH:MM:SS`, by the method of `CivilDay.parse`: lanes 0, 3 and 6 become the numbers.
        let clock = bytes.word(at: 11) ^ 0x3030_3A30_303A_3030
        let excess = clock | (clock &+ 0x7676_7F76_767F_7676)
        guard excess & ByteLanes.highBits == 0 else {
            return nil
        }
        let pairs = clock &* 10 &+ clock &>> 8
        let hour = Int(pairs & 0xFF)
        let minute = Int(pairs &>> 24 & 0xFF)
        let second = Int(pairs &>> 48 & 0xFF)
        guard hour <= 23, minute <= 59, second <= 60 else {
            return nil
        }
        let local = day &* CivilDay.secondsPerDay &+ hour &* 3600 &+ minute &* 60 &+ second
        if count == 20, bytes[19] == UInt8(ascii: "Z") && bytes[10] == UInt8(ascii: "T"), second != 60 {
            return SpelledDate(seconds: Double(local))
        }
        return parseTail(bytes, local: local, isLeapSecond: second == 60)
    }

    /// Reads fraction and zone, from byte 19 on.
    @inline(never)
    private static func parseTail(
        _ bytes: BorrowedBytes, local: Int, isLeapSecond: Bool
    ) -> SpelledDate? {
        var index = 19
        var fraction = 0
        let hasComma = bytes[19] == UInt8(ascii: ",")
        if bytes[19] == UInt8(ascii: ".") || hasComma {
            index = 20
            while let byte = bytes.byte(at: index), byte &- 0x30 <= 9 {
                if index < 20 &+ DateSpelling.maximumDigitCount {
                    fraction = fraction &* 10 &+ Int(byte &- 0x30)
                }
                index &+= 1
            }
            guard index > 20 else {
                return nil
            }
        }
        guard index < bytes.count, let zone = parseZone(bytes.part(from: index)) else {
            return nil
        }
        let whole = local &- zone.minutes &* 60
        if isLeapSecond {
            // Second 60 was added unchanged, so `whole` is the first second of the following day, or the text is wrong.
            let (day, second) = dayAndSecond(whole)
            guard second == 0, CivilDay.components(of: day).day == 1 else {
                return nil
            }
        }
        let digitCount = max(index &- 20, 0)
        let digits = DateSpelling(
            .zoned, fraction: fraction, digitCount: min(digitCount, DateSpelling.maximumDigitCount))
        let seconds = digits.moment(whole)
        let hasSmallT = bytes[10] == UInt8(ascii: "t")
        let isCanonical = zone.form == .capitalZ && !hasComma && !hasSmallT && !isLeapSecond
        if digitCount > DateSpelling.maximumDigitCount || isCanonical && digits.isShortest(for: seconds) {
            return SpelledDate(seconds: seconds)
        }
        let spelling = digits.with(zone, comma: hasComma, smallT: hasSmallT, leapSecond: isLeapSecond)
        return SpelledDate(seconds: seconds, spelling: spelling)
    }

    /// Reads the zone, which must fill all of at least one byte.
    private static func parseZone(_ bytes: BorrowedBytes) -> DateZone? {
        if bytes.count == 1 {
            guard bytes[0] | 0x20 == UInt8(ascii: "z") else {
                return nil
            }
            return bytes[0] == UInt8(ascii: "Z") ? .utc : DateZone(minutes: 0, form: .smallZ)
        }
        let isWest = bytes[0] == UInt8(ascii: "-")
        guard isWest || bytes[0] == UInt8(ascii: "+") else {
            return nil
        }
        let form: DateZone.Form
        switch bytes.count {
        case 3: form = .hours
        case 5: form = .digits
        case 6 where bytes[3] == UInt8(ascii: ":"): form = .colon
        default: return nil
        }
        guard let hours = parseTwoDigits(bytes, at: 1), hours <= 23,
            let rest = form == .hours ? 0 : parseTwoDigits(bytes, at: bytes.count &- 2), rest <= 59
        else {
            return nil
        }
        let minutes = hours &* 60 &+ rest
        return DateZone(minutes: isWest ? -minutes : minutes, form: form, isNegativeZero: isWest && minutes == 0)
    }

    @inline(__always)
    private static func parseTwoDigits(_ bytes: BorrowedBytes, at index: Int) -> Int? {
        let tens = bytes[index] &- 0x30
        let ones = bytes[index &+ 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens &* 10 &+ ones) : nil
    }
}
