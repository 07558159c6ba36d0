/// Reads and writes calendar days, `YYYY-MM-DD` (the `full-date` of RFC 3339), as midnight in UTC.
///
/// Safety: the reader reads the bytes only after their count was checked to be ten.
package enum DateOnlyText {
    /// The number of bytes of every text.
    package static let byteCount = 10

    /// Reads a day of the years 0000…9999 of the proleptic Gregorian calendar.
    ///
    /// - Returns: seconds from 2001-01-01T00:00:00Z to midnight UTC of that day. Nil unless the bytes are exactly ten,
    ///   with ASCII digits and dashes at their positions, and are a day that exists.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count == byteCount, let start = bytes.baseAddress, let day = unsafe CivilDay.parse(start) else {
            return nil
        }
        return Double(day &* CivilDay.secondsPerDay)
    }

    /// Writes the day of a moment in UTC, without the time of day.
    ///
    /// - Parameters:
    ///   - secondsSinceReference: seconds since 2001-01-01T00:00:00Z.
    ///   - start: room for ten bytes.
    /// - Returns: ten, or nil (nothing written) for a moment outside of the years 0000…9999 or a number not finite.
    package static func write(_ secondsSinceReference: Double, into start: UnsafeMutablePointer<UInt8>) -> Int? {
        guard let whole = ISO8601Text.wholeSeconds(secondsSinceReference) else {
            return nil
        }
        unsafe CivilDay.write(ISO8601Text.dayAndSecond(whole).day, to: start)
        return byteCount
    }
}
