/// RFC 3339 moments, read part by part and counted day by day.
struct SlowDate {
    /// Days from 1970-01-01 to the first day of each month from year 0 on, by addition only.
    private static let monthStarts: [Int] = {
        var starts: [Int] = []
        var day = 0
        for year in 0...10_000 {
            for month in 1...12 {
                starts.append(day)
                day += daysInMonth(month, year)
            }
        }
        let epoch = starts[1970 * 12]
        return starts.map { $0 - epoch }
    }()

    static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whole seconds since 1970.
    let seconds: Int

    /// The moment at a place of the calendar; nil when there is no such day or time.
    ///
    /// The 60th second is a leap second, which there may be at the end of a month in UTC only; it is the same moment as
    /// the first second of the next month.
    init?(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, offsetMinutes: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...Self.daysInMonth(month, year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let days = Self.monthStarts[year * 12 + month - 1] + day - 1
        seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offsetMinutes * 60
        if second == 60, !Self.isFirstOfMonth(seconds) { return nil }
    }

    private static func isFirstOfMonth(_ seconds: Int) -> Bool {
        guard seconds % 86_400 == 0 else { return false }
        let day = seconds / 86_400
        var low = 0
        var high = monthStarts.count - 1
        while low < high {
            let middle = (low + high) / 2
            if monthStarts[middle] < day { low = middle + 1 } else { high = middle }
        }
        return monthStarts[low] == day
    }
}
