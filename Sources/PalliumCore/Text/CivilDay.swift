import PalliumJSON

/// Days of the proleptic Gregorian calendar, counted from 2001-01-01, the zero of `Date`'s own clock.
///
/// Proleptic means that the current leap year rule also applies before its introduction in 1582, as ISO 8601 and RFC
/// 3339 demand. Foundation's formatters switch to the Julian calendar there and so return other days.
///
/// The formulas are those of C. Neri and L. Schneider, "Euclidean affine functions and their application to calendar
/// algorithms" (Software: Practice and Experience, 2022). They count years from March, so that the leap day is the
/// last day of a year and month lengths follow one straight line, cut to integers. 400 years, one full period of
/// 146,097 days, are added beforehand so that no intermediate number is negative.
enum CivilDay {
    static let secondsPerDay = 86_400

    /// Days from -0400-03-01, where the shifted count starts, to 2001-01-01.
    private static let shift = 876_888

    /// The days of the years 0000…9999, the years that four digits can name (RFC 3339, section 1).
    static let writable = -730_851..<2_921_574

    /// Days from 2001-01-01 to the given day.
    ///
    /// - Parameters:
    ///   - year: 0…9999.
    ///   - month: 1…12.
    ///   - day: 1…31.
    @inline(__always)
    static func number(year: Int, month: Int, day: Int) -> Int {
        let isBeforeMarch = month <= 2 ? 1 : 0
        let shiftedYear = year &+ 400 &- isBeforeMarch
        let shiftedMonth = month &+ 12 &* isBeforeMarch
        let century = shiftedYear / 100
        let daysOfYears = (1461 &* shiftedYear) / 4 &- century &+ century / 4
        let daysOfMonths = (979 &* shiftedMonth &- 2919) / 32
        return daysOfYears &+ daysOfMonths &+ day &- 1 &- shift
    }

    /// The calendar day that lies `number` days after 2001-01-01.
    ///
    /// - Parameter number: a day of the years 0000…10000.
    @inline(__always)
    static func components(of number: Int) -> (year: Int, month: Int, day: Int) {
        let quarterDays = 4 &* UInt64(truncatingIfNeeded: number &+ shift) &+ 3
        let century = quarterDays / 146_097
        let quarterDaysOfCentury = (quarterDays % 146_097) | 3
        // One multiplication gives year (upper half) and rest (lower half) of the division by 1461.
        let product = 2_939_745 &* quarterDaysOfCentury
        let dayOfYear = (product & 0xFFFF_FFFF) / 2_939_745 / 4
        let line = 2141 &* dayOfYear &+ 197_913
        let isBeforeMarch = dayOfYear >= 306
        let year = 100 &* century &+ product &>> 32 &+ (isBeforeMarch ? 1 : 0)
        let month = line &>> 16 &- (isBeforeMarch ? 12 : 0)
        let day = (line & 0xFFFF) / 2141 &+ 1
        return (
            Int(truncatingIfNeeded: year) &- 400, Int(truncatingIfNeeded: month), Int(truncatingIfNeeded: day)
        )
    }

    /// The number of days of a month.
    ///
    /// - Parameter month: 1…12; the result for other numbers means nothing.
    @inline(__always)
    static func length(ofMonth month: Int, year: Int) -> Int {
        if month == 2 {
            return isLeap(year) ? 29 : 28
        }
        // Odd months up to July and even ones from August on are the long ones: bit 3 flips the parity.
        return 30 | (month ^ month &>> 3)
    }

    /// Whether February has 29 days: every fourth year, but of the centuries only every fourth.
    @inline(__always)
    static func isLeap(_ year: Int) -> Bool {
        year & (year % 25 == 0 ? 15 : 3) == 0
    }

    /// Reads the ten bytes `YYYY-MM-DD` at the beginning of a text, which must have as many.
    ///
    /// - Returns: the number of the day, or nil unless the digits, the dashes and the day are right.
    @inline(__always)
    static func parse(_ bytes: BorrowedBytes) -> Int? {
        // After the exclusive or a digit is 0…9 and a dash 0; the sum reaches 128 for anything else.
        let front = bytes.word(at: 0) ^ 0x2D30_302D_3030_3030
        let excess = front | (front &+ 0x7F76_767F_7676_7676)
        let tens = bytes[8] &- 0x30
        let ones = bytes[9] &- 0x30
        guard excess & ByteLanes.highBits == 0, tens <= 9, ones <= 9 else {
            return nil
        }
        // Every lane becomes ten times itself plus its successor, at most 99: years in lanes 0 and 2, month in lane 5.
        let pairs = front &* 10 &+ front &>> 8
        let year = Int(pairs & 0xFF) &* 100 &+ Int(pairs &>> 16 & 0xFF)
        let month = Int(pairs &>> 40 & 0xFF)
        let day = Int(tens &* 10 &+ ones)
        guard month >= 1, month <= 12, day >= 1, day <= length(ofMonth: month, year: year) else {
            return nil
        }
        return number(year: year, month: month, day: day)
    }

    /// Writes the ten bytes `YYYY-MM-DD`.
    ///
    /// - Parameter number: a day of ``writable``.
    @inline(__always)
    static func write(_ number: Int, to room: BorrowedRoom) {
        let (year, month, day) = components(of: number)
        let century = year / 100
        let front =
            ByteLanes.twoDigits(century) | ByteLanes.twoDigits(year &- century &* 100) &<< 16
            | ByteLanes.twoDigits(month) &<< 40
        room.store(front | 0x2D30_302D_3030_3030, at: 0)
        let back = ByteLanes.twoDigits(day)
        room.store(0x30 | UInt8(truncatingIfNeeded: back), at: 8)
        room.store(0x30 | UInt8(truncatingIfNeeded: back &>> 8), at: 9)
    }
}
