package import PalliumJSON

/// Reads and writes calendar days, `YYYY-MM-DD` (the `full-date` of RFC 3339), as midnight in UTC.
package enum DateOnlyText {
    /// The number of bytes of every text.
    package static let byteCount = 10

    /// Reads a day of the years 0000…9999 of the proleptic Gregorian calendar.
    ///
    /// - Returns: seconds from 2001-01-01T00:00:00Z to midnight UTC of that day. Nil unless the bytes are exactly ten,
    ///   with ASCII digits and dashes at their positions, and are a day that exists.
    package static func parse(_ bytes: BorrowedBytes) -> Double? {
        guard bytes.count == byteCount, let day = CivilDay.parse(bytes) else {
            return nil
        }
        return Double(day &* CivilDay.secondsPerDay)
    }

    /// Writes the day of a moment in UTC, without the time of day.
    ///
    /// - Parameters:
    ///   - secondsSinceReference: seconds since 2001-01-01T00:00:00Z.
    ///   - room: room for ten bytes.
    /// - Returns: ten, or nil (nothing written) for a moment outside of the years 0000…9999 or a number not finite.
    package static func write(_ secondsSinceReference: Double, into room: BorrowedRoom) -> Int? {
        guard let whole = ISO8601Text.wholeSeconds(secondsSinceReference) else {
            return nil
        }
        CivilDay.write(ISO8601Text.dayAndSecond(whole).day, to: room)
        return byteCount
    }
}
