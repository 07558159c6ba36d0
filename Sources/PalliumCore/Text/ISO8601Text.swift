import PalliumJSON

/// Reads moments as text by RFC 3339, the internet profile of ISO 8601, without a formatter.
///
///     2026-07-14T09:05:03.25+02:00
///     0         10       19  the fraction and the zone have no fixed position
///
/// Safety: the fixed 19 bytes are read only if there are at least 20. Every later byte is read only after its index was
/// compared with the count.
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
    /// - Returns: seconds since 2001-01-01T00:00:00Z, exact if there is no fraction. Nil for a text that breaks one of
    ///   the rules above.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        let count = bytes.count
        guard count >= 20, count <= maximumByteCount, let start = bytes.baseAddress,
            unsafe start[10] | 0x20 == UInt8(ascii: "t"), let day = unsafe CivilDay.parse(start)
        else {
            return nil
        }
        // `HH:MM:SS`, by the method of `CivilDay.parse`: lanes 0, 3 and 6 become the numbers.
        let clock = unsafe EightBytes.load(start + 11) ^ 0x3030_3A30_303A_3030
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
        if count == 20, unsafe start[19] | 0x20 == UInt8(ascii: "z"), second != 60 {
            return Double(local)
        }
        return unsafe parseTail(start, count: count, local: local, isLeapSecond: second == 60)
    }

    /// Reads fraction and zone, from byte 19 on.
    @inline(never)
    private static func parseTail(
        _ start: UnsafePointer<UInt8>, count: Int, local: Int, isLeapSecond: Bool
    ) -> Double? {
        var index = 19
        var numerator = 0
        var denominator = 1
        if unsafe start[19] == UInt8(ascii: ".") || start[19] == UInt8(ascii: ",") {
            index = 20
            while index < count, unsafe start[index] &- 0x30 <= 9 {
                if denominator < 1_000_000_000 {
                    numerator = unsafe numerator &* 10 &+ Int(start[index] &- 0x30)
                    denominator = denominator &* 10
                }
                index &+= 1
            }
            guard index > 20 else {
                return nil
            }
        }
        guard index < count, let offset = unsafe parseZone(start + index, count: count &- index) else {
            return nil
        }
        let whole = local &- offset
        if isLeapSecond {
            // Second 60 was added unchanged, so `whole` is the first second of the following day, or the text is wrong.
            let (day, second) = dayAndSecond(whole)
            guard second == 0, CivilDay.components(of: day).day == 1 else {
                return nil
            }
        }
        guard numerator != 0 else {
            return Double(whole)
        }
        return Double(whole) + Double(numerator) / Double(denominator)
    }

    /// Reads the zone, which must fill all `count` bytes.
    ///
    /// - Parameter count: at least 1.
    /// - Returns: seconds east of UTC.
    private static func parseZone(_ start: UnsafePointer<UInt8>, count: Int) -> Int? {
        if count == 1 {
            return unsafe start[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil
        }
        let isWest = unsafe start[0] == UInt8(ascii: "-")
        guard unsafe isWest || start[0] == UInt8(ascii: "+") else {
            return nil
        }
        let minutesIndex: Int
        switch count {
        case 3: minutesIndex = 1  // none: the hours are read twice and the second reading is dropped
        case 5: minutesIndex = 3
        case 6 where unsafe start[3] == UInt8(ascii: ":"): minutesIndex = 4
        default: return nil
        }
        guard let hours = unsafe parseTwoDigits(start + 1), hours <= 23,
            let minutes = unsafe parseTwoDigits(start + minutesIndex), minutes <= 59
        else {
            return nil
        }
        let seconds = hours &* 3600 &+ (count == 3 ? 0 : minutes &* 60)
        return isWest ? -seconds : seconds
    }

    @inline(__always)
    private static func parseTwoDigits(_ start: UnsafePointer<UInt8>) -> Int? {
        let tens = unsafe start[0] &- 0x30
        let ones = unsafe start[1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens &* 10 &+ ones) : nil
    }
}
