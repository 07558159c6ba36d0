package import PalliumJSON

/// Writes moments as they were spelled; others in UTC, `YYYY-MM-DDTHH:MM:SS[.fraction]Z`.
///
/// Four digits express only the years 0000…9999, but with an offset a text can express a moment just outside them in
/// UTC: `0000-01-01T00:00:00+14:00`. Every moment that was read can be written, so such a moment is written with the
/// largest offset.
///
/// At most ``ISO8601Text/maximumWrittenByteCount`` bytes are written, without gaps.
extension ISO8601Text {
    /// The room that ``write(_:into:)`` needs, rounded up for callers that reserve once for text of any zone.
    ///
    /// The text has 19 bytes, a full stop, twelve digits and a zone of six bytes.
    package static let maximumWrittenByteCount = 38

    /// Writes one moment.
    ///
    /// There is no fraction if it is zero. Otherwise it has the fewest of 1 to 9 digits that ``parse(_:)`` reads back as
    /// the same number. Within 97 days of 2001-01-01 a `Double` is more precise than a nanosecond; a moment that
    /// nine digits cannot express is written as the nearest nanosecond.
    ///
    /// - Parameters:
    ///   - secondsSinceReference: seconds since 2001-01-01T00:00:00Z.
    ///   - room: room for ``maximumWrittenByteCount`` bytes.
    /// - Returns: the number of bytes written. Nil, with nothing written, for a moment that no text of the years
    ///   0000…9999 expresses, and for a number that is not finite.
    package static func write(_ secondsSinceReference: Double, into room: BorrowedRoom) -> Int? {
        guard let whole = wholeSeconds(secondsSinceReference) else {
            return writeWithOffset(secondsSinceReference, into: room)
        }
        guard Double(whole) != secondsSinceReference else {
            writeWhole(whole, to: room)
            return 20
        }
        let (second, spelling) = split(secondsSinceReference, whole: whole)
        return write(second, spelling, into: room)
    }

    /// Writes a moment at most 23:59 before or after the years of four digits.
    private static func writeWithOffset(_ seconds: Double, into room: BorrowedRoom) -> Int? {
        let isEarly = seconds < 0
        let offset = Double((23 * 60 + 59) * 60)
        let local = isEarly ? seconds + offset : seconds - offset
        // In range now, or too far outside, so this ends.
        guard wholeSeconds(local) != nil, let count = write(local, into: room) else { return nil }
        var end = count &- 1
        for byte in (isEarly ? "+23:59" : "-23:59").utf8 {
            room.store(byte, at: end)
            end &+= 1
        }
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
    private static func writeWhole(_ whole: Int, to room: BorrowedRoom) {
        // So that no store below needs a check of its own.
        precondition(room.count >= 20)
        let (day, second) = dayAndSecond(whole)
        CivilDay.write(day, to: room)
        let hour = second / 3600
        let minute = (second &- hour &* 3600) / 60
        room.store(UInt8(ascii: "T"), at: 10)
        let clock =
            ByteLanes.twoDigits(hour) | ByteLanes.twoDigits(minute) &<< 24
            | ByteLanes.twoDigits(second &- hour &* 3600 &- minute &* 60) &<< 48
        room.store(clock | 0x3030_3A30_303A_3030, at: 11)
        room.store(UInt8(ascii: "Z"), at: 19)
    }

    /// Splits a moment into whole seconds and the fewest of 1 to 9 digits that read back as the same number; none if it is
    /// closer to a whole second than to any other nanosecond, which only moments within 97 days of 2001 are.
    @inline(never)
    private static func split(_ seconds: Double, whole: Int) -> (whole: Int, spelling: DateSpelling) {
        let fraction = seconds - Double(whole)
        var digits = DateSpelling.canonical
        var denominator = 1.0
        for digitCount in 1...9 {
            denominator *= 10
            // The fraction is 0…1, both included since the difference is rounded, so the product fits any integer.
            digits = DateSpelling(.zoned, fraction: Int(fraction * denominator + 0.5), digitCount: digitCount)
            if digits.moment(whole) == seconds { break }
        }
        if digits.fraction == 0 { return (whole, .whole) }
        return Double(digits.fraction) == denominator ? (whole &+ 1, .whole) : (whole, digits.with(.zoned))
    }

    /// The whole seconds of a moment and its spelling with all digits; nil for moments that are far from all texts.
    static func parts(of date: SpelledDate) -> (whole: Int, spelling: DateSpelling)? {
        if date.spelling != .canonical, let whole = date.spelling.whole(of: date.seconds) {
            return (whole, date.spelling)
        }
        let whole = date.seconds.rounded(.down)
        guard abs(whole) < DateSpelling.maximumSeconds else { return nil }
        return whole == date.seconds ? (Int(whole), .whole) : split(date.seconds, whole: Int(whole))
    }

    // MARK: Spellings

    /// Writes a moment as it was spelled; in the canonical spelling if it had no text with a zone.
    package static func write(_ date: SpelledDate, into room: BorrowedRoom) -> Int? {
        if date.spelling.form == .zoned, let whole = date.spelling.whole(of: date.seconds),
            let count = write(whole, date.spelling, into: room)
        {
            return count
        }
        return write(date.seconds, into: room)
    }

    /// Writes whole seconds and what a spelling adds to them; nil if no text has that spelling.
    private static func write(
        _ whole: Int, _ spelling: DateSpelling, into room: BorrowedRoom
    ) -> Int? {
        guard let zone = DateZone(spelling) else { return nil }
        var local = whole &+ zone.minutes &* 60
        if spelling.isLeapSecond {
            let (day, second) = dayAndSecond(whole)
            guard second == 0, CivilDay.components(of: day).day == 1 else { return nil }
            local &-= 1
        }
        guard CivilDay.writable.contains(dayAndSecond(local).day) else { return nil }
        writeWhole(local, to: room)
        if spelling.isLeapSecond {
            room.store(UInt8(ascii: "6"), at: 17)
            room.store(UInt8(ascii: "0"), at: 18)
        }
        if spelling.hasSmallT { room.store(UInt8(ascii: "t"), at: 10) }
        var end = 19
        if spelling.digitCount > 0 {
            room.store(UInt8(ascii: spelling.hasComma ? "," : "."), at: 19)
            end = 20 &+ spelling.digitCount
            var rest = spelling.fraction
            for position in stride(from: end &- 1, to: 19, by: -1) {
                room.store(0x30 | UInt8(truncatingIfNeeded: rest % 10), at: position)
                rest /= 10
            }
            guard rest == 0 else { return nil }
        }
        switch zone.form {
        case .capitalZ, .smallZ:
            room.store(UInt8(ascii: zone.form == .capitalZ ? "Z" : "z"), at: end)
            return end &+ 1
        case .colon, .digits, .hours:
            let minutes = abs(zone.minutes)
            room.store(UInt8(ascii: zone.minutes < 0 || zone.isNegativeZero ? "-" : "+"), at: end)
            writeTwoDigits(minutes / 60, to: room, at: end &+ 1)
            end &+= 3
            if zone.form == .colon {
                room.store(UInt8(ascii: ":"), at: end)
                end &+= 1
            }
            if zone.form == .hours { return end }
            writeTwoDigits(minutes % 60, to: room, at: end)
            return end &+ 2
        }
    }

    private static func writeTwoDigits(_ number: Int, to room: BorrowedRoom, at index: Int) {
        room.store(0x30 | UInt8(truncatingIfNeeded: number / 10), at: index)
        room.store(0x30 | UInt8(truncatingIfNeeded: number % 10), at: index &+ 1)
    }
}
