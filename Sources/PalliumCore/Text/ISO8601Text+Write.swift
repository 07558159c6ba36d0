/// Writes moments in UTC, `YYYY-MM-DDTHH:MM:SS[.fraction]Z`.
///
/// Four digits express only the years 0000…9999, but with an offset a text can express a moment just outside them in
/// UTC: `0000-01-01T00:00:00+14:00`. Every moment that was read can be written, so such a moment is written with the
/// largest offset.
///
/// Safety: at most ``ISO8601Text/maximumWrittenByteCount`` bytes are written, from `start` on, without gaps.
extension ISO8601Text {
    /// The room that ``write(_:into:)`` needs, rounded up for callers that reserve once for text of any zone.
    ///
    /// The text has 20 bytes, a full stop and nine digits.
    package static let maximumWrittenByteCount = 35

    /// Writes one moment.
    ///
    /// There is no fraction if it is zero. Otherwise it has 3, 6 or 9 digits, the fewest that ``parse(_:)`` reads back
    /// as the same number. Within 97 days of 2001-01-01 a `Double` is more precise than a nanosecond; a moment that
    /// nine digits cannot express is written as the nearest nanosecond.
    ///
    /// - Parameters:
    ///   - secondsSinceReference: seconds since 2001-01-01T00:00:00Z.
    ///   - start: room for ``maximumWrittenByteCount`` bytes.
    /// - Returns: the number of bytes written. Nil, with nothing written, for a moment that no text of the years
    ///   0000…9999 expresses, and for a number that is not finite.
    package static func write(_ secondsSinceReference: Double, into start: UnsafeMutablePointer<UInt8>) -> Int? {
        guard let whole = wholeSeconds(secondsSinceReference) else {
            return unsafe writeWithOffset(secondsSinceReference, into: start)
        }
        guard Double(whole) != secondsSinceReference else {
            unsafe writeWhole(whole, to: start)
            return 20
        }
        return unsafe writeFraction(secondsSinceReference, whole: whole, into: start)
    }

    /// Writes a moment at most 23:59 before or after the years of four digits.
    private static func writeWithOffset(_ seconds: Double, into start: UnsafeMutablePointer<UInt8>) -> Int? {
        let isEarly = seconds < 0
        let offset = Double((23 * 60 + 59) * 60)
        let local = isEarly ? seconds + offset : seconds - offset
        // In range now, or too far outside, so this ends.
        guard wholeSeconds(local) != nil, let count = unsafe write(local, into: start) else { return nil }
        let zone: StaticString = isEarly ? "+23:59" : "-23:59"
        for position in 0..<6 { unsafe start[count &- 1 &+ position] = zone.utf8Start[position] }
        return count &+ 5
    }

    /// Rounds the number down to whole seconds; nil outside the years 0000…9999.
    @inline(__always)
    static func wholeSeconds(_ seconds: Double) -> Int? {
        let first = CivilDay.writable.lowerBound &* CivilDay.secondsPerDay
        let end = CivilDay.writable.upperBound &* CivilDay.secondsPerDay
        // Written so that NaN, which compares false with everything, fails.
        guard seconds >= Double(first), seconds < Double(end) else {
            return nil
        }
        let cut = Int(seconds)
        return Double(cut) > seconds ? cut &- 1 : cut
    }

    /// Returns the day since 2001-01-01 and the second of the day, 0…86399, also before 2001.
    @inline(__always)
    static func dayAndSecond(_ whole: Int) -> (day: Int, second: Int) {
        // A multiple of a day that makes every year from -0400 on positive, so that division rounds down.
        let shift = 876_888
        let positive = UInt64(truncatingIfNeeded: whole &+ shift &* CivilDay.secondsPerDay)
        let day = positive / 86_400
        return (
            Int(truncatingIfNeeded: day) &- shift, Int(truncatingIfNeeded: positive &- day &* 86_400)
        )
    }

    /// Writes the 20 bytes of a whole second.
    @inline(__always)
    private static func writeWhole(_ whole: Int, to start: UnsafeMutablePointer<UInt8>) {
        let (day, second) = dayAndSecond(whole)
        unsafe CivilDay.write(day, to: start)
        let hour = second / 3600
        let minute = (second &- hour &* 3600) / 60
        unsafe start[10] = UInt8(ascii: "T")
        let clock =
            ByteLanes.twoDigits(hour) | ByteLanes.twoDigits(minute) &<< 24
            | ByteLanes.twoDigits(second &- hour &* 3600 &- minute &* 60) &<< 48
        unsafe ByteLanes.store(clock | 0x3030_3A30_303A_3030, to: start + 11)
        unsafe start[19] = UInt8(ascii: "Z")
    }

    /// Tries 3, 6 and 9 digits with the arithmetic of the reader.
    private static func writeFraction(
        _ seconds: Double, whole: Int, into start: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let fraction = seconds - Double(whole)
        var digitCount = 3
        var denominator = 1000
        // The fraction is 0…1, both included since the difference is rounded, so the product fits any integer.
        var numerator = Int(fraction * 1000 + 0.5)
        while digitCount < 9, Double(whole) + Double(numerator) / Double(denominator) != seconds {
            digitCount &+= 3
            denominator &*= 1000
            numerator = Int(fraction * Double(denominator) + 0.5)
        }
        if numerator == 0 || numerator == denominator {
            // Closer to a whole second than to any other nanosecond: only within 97 days of 2001, so in range.
            unsafe writeWhole(numerator == 0 ? whole : whole &+ 1, to: start)
            return 20
        }
        unsafe writeWhole(whole, to: start)
        unsafe start[19] = UInt8(ascii: ".")
        for position in stride(from: 19 &+ digitCount, to: 19, by: -1) {
            unsafe start[position] = 0x30 | UInt8(truncatingIfNeeded: numerator % 10)
            numerator /= 10
        }
        unsafe start[20 &+ digitCount] = UInt8(ascii: "Z")
        return 21 &+ digitCount
    }
}
