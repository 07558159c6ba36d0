import PalliumCore
import TestSupport
import Testing

@Suite("Calendar days", .threat(.dates))
struct DateOnlyTextTests {
    private func parse(_ text: String) -> Double? {
        withExactMemory(Array(text.utf8)) { DateOnlyText.parse($0) }
    }

    private func write(_ seconds: Double) -> String? {
        written(capacity: DateOnlyText.byteCount) { DateOnlyText.write(seconds, into: $0) }
    }

    /// Centuries with and without a leap day at their end, the change of calendars, and both ends.
    @Test("Every day has the number found by counting days one by one")
    func agreesWithCounting() {
        let years: [ClosedRange<Int>] = [0...105, 1495...1605, 1695...1705, 1895...2105, 2395...2405, 9890...9999]
        var failures: [String] = []
        var number = SlowDateReference.days(year: 0, month: 1, day: 1)
        for year in 0...9999 {
            let isOfInterest = years.contains { $0.contains(year) }
            for month in 1...12 {
                let length = SlowDateReference.daysInMonth(month, year)
                if isOfInterest {
                    for day in 1...length {
                        let text = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
                        let seconds = Double((number + day - 1) * 86_400)
                        if parse(text) != seconds || write(seconds) != text || write(seconds + 86_399.5) != text {
                            failures.append(text)
                        }
                    }
                }
                number += length
            }
        }
        #expect(failures.isEmpty)
        #expect(number == 2_921_574)
    }

    private func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: count - digits.utf8.count) + digits
    }

    @Test("Every month ends where the calendar says")
    func knowsMonthLengths() {
        var failures: [String] = []
        for year in [0, 1, 4, 100, 400, 1582, 1900, 2000, 2023, 2024, 2100, 9999] {
            for month in 0...13 {
                for day in 0...32 {
                    let text = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
                    let exists =
                        (1...12).contains(month) && day >= 1 && day <= SlowDateReference.daysInMonth(month, year)
                    if (parse(text) != nil) != exists {
                        failures.append(text)
                    }
                }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test(
        "Refused texts",
        arguments: [
            "", "2001", "2001-01", "2001-1-1", "2001-01-1", "2001-01-011", "20010101", "2001-01-01Z", " 2001-01-01",
            "2001-01-01T00:00:00Z", "2001/01/01", "-001-01-01", "2001-01--1", "2001-01-1 ", "200A-01-01", "2001-0é-1",
        ]
    )
    func refuses(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("The time of day is dropped, also before 2001", arguments: [(0.5, "2001-01-01"), (-0.5, "2000-12-31")])
    func dropsTheTimeOfDay(seconds: Double, text: String) {
        #expect(write(seconds) == text)
    }
}
