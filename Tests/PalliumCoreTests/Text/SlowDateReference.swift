/// Date reading written for obviousness: one byte after the other, days counted year by year and month by month.
enum SlowDateReference {
    static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 0000-01-01 to the first of January of each year, by addition only.
    private static let yearStarts: [Int] = (0...10_000).reduce(into: [0]) { starts, year in
        starts.append((1...12).reduce(starts[year]) { $0 + daysInMonth($1, year) })
    }

    /// Days from 2001-01-01.
    static func days(year: Int, month: Int, day: Int) -> Int {
        stride(from: 1, to: month, by: 1).reduce(yearStarts[year] - yearStarts[2001] + day - 1) {
            $0 + daysInMonth($1, year)
        }
    }

    /// Whole seconds and fraction digits of a moment, or nil.
    static func parse(_ bytes: [UInt8]) -> (seconds: Int, fraction: [UInt8])? {
        var rest = bytes[...]
        func number(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        func one(of choices: String) -> Character? {
            guard let byte = rest.first, choices.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return Character(Unicode.Scalar(byte))
        }
        guard bytes.count <= 64,
            let year = number(4), one(of: "-") != nil, let month = number(2), one(of: "-") != nil, let day = number(2),
            one(of: "Tt") != nil, let hour = number(2), one(of: ":") != nil, let minute = number(2),
            one(of: ":") != nil, let second = number(2),
            (1...12).contains(month), (1...daysInMonth(month, year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: [UInt8] = []
        if one(of: ".,") != nil {
            fraction = rest.prefix { (48...57).contains($0) }.map { $0 - 48 }
            rest = rest.dropFirst(fraction.count)
            guard !fraction.isEmpty else { return nil }
        }
        var offset = 0
        guard let zone = one(of: "Zz+-") else { return nil }
        if zone == "+" || zone == "-" {
            guard let hours = number(2), hours < 24 else { return nil }
            var minutes = 0
            if !rest.isEmpty {
                _ = one(of: ":")
                guard let read = number(2), read < 60 else { return nil }
                minutes = read
            }
            offset = (hours * 60 + minutes) * (zone == "-" ? -60 : 60)
        }
        guard rest.isEmpty else { return nil }
        let seconds =
            days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        if second == 60 {
            let firstsOfMonths =
                (1...12).map { days(year: year, month: $0, day: 1) } + [days(year: year + 1, month: 1, day: 1)]
            guard firstsOfMonths.contains(where: { $0 * 86_400 == seconds }) else { return nil }
        }
        return (seconds, fraction)
    }
}
