import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("Durations as text")
struct DurationTextTests {
    static let largest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    static let smallest = Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999)

    private func read(_ text: String) -> Result<Duration, DurationText.Problem> {
        Result { () throws(DurationText.Problem) in try DurationText.read(text.utf8) }
    }

    @Test(
        "Texts of ISO 8601, and what is written for them",
        arguments: [
            ("PT1H30M", Duration.seconds(5400), nil), ("P2DT3.5S", .milliseconds(172_803_500), nil),
            ("PT0S", .zero, nil), ("-PT0S", .zero, "PT0S"), ("P0D", .zero, "PT0S"), ("PT0.000S", .zero, "PT0S"),
            ("P2W", .seconds(1_209_600), "P14D"), ("P1W1DT1H", .seconds(694_800), "P8DT1H"),
            ("P1D", .seconds(86400), nil), ("PT24H", .seconds(86400), "P1D"), ("PT36H", .seconds(129_600), "P1DT12H"),
            ("PT90M", .seconds(5400), "PT1H30M"), ("PT86399S", .seconds(86399), "PT23H59M59S"),
            ("PT1H1S", .seconds(3601), nil), ("P1DT1S", .seconds(86401), nil), ("P10DT1M", .seconds(864_060), nil),
            ("-PT5M", .seconds(-300), nil), ("+PT5M", .seconds(300), "PT5M"),
            ("-P1DT0.5S", .milliseconds(-86_400_500), nil),
            ("PT0,5S", .milliseconds(500), "PT0.5S"), ("PT1.5H", .seconds(5400), "PT1H30M"),
            ("P0.5W", .seconds(302_400), "P3DT12H"), ("PT0.1M", .seconds(6), "PT6S"),
            ("P1.5D", .seconds(129_600), "P1DT12H"),
            ("pt1h30m", .seconds(5400), "PT1H30M"), ("PT01H002M", .seconds(3720), "PT1H2M"),
            (
                "PT0.000000000000000001S", Duration(secondsComponent: 0, attosecondsComponent: 1), nil
            ),
            (
                "PT0.000000000000000001H", Duration(secondsComponent: 0, attosecondsComponent: 3600),
                "PT0.0000000000000036S"
            ),
            ("PT9223372036854775807.999999999999999999S", largest, "P106751991167300DT15H30M7.999999999999999999S"),
            ("-PT9223372036854775808.999999999999999999S", smallest, "-P106751991167300DT15H30M8.999999999999999999S"),
        ] as [(String, Duration, String?)]
    )
    func readsAndWrites(text: String, duration: Duration, written: String?) throws {
        #expect(try read(text).get() == duration)
        #expect(DurationText.write(duration) == written ?? text)
        #expect(try read(written ?? text).get() == duration)
    }

    @Test(
        "Refused texts",
        arguments: [
            (
                DurationText.Problem.form,
                [
                    "", "P", "PT", "-P", "-", "P1", "PT1", "P1DT", "1H", "T1H", "PT1D", "P1H", "P1S", "PT1W", "PTT1H",
                    "PT1HT1M",
                    "PT1M1H", "P1D1W", "PT1H1H", "PT1.H", "PT.5H", "PT1.5H30M", "P1.5DT1H", "PT1..5S", "PT1.5.5S",
                    "PT-1H", "P-1D", "--PT1H", "PT1H ", " PT1H", "PT 1H", "PT1H\0", "PT1e3S", "PT１H", "PT1H30", "P1X",
                    "P1D/P2D", "PT1:30", "P0001-01-01T00:00:00",
                ]
            ),
            (.calendar, ["P1Y", "P1M", "P1Y2M3DT4H", "-P6M", "p1y", "P0Y", "P1.5Y", "P1M1W"]),
            (
                .precision,
                [
                    "PT0.0000000000000000001S", "PT0.1000000000000000000S",
                    "PT1." + String(repeating: "0", count: 1000) + "S",
                ]
            ),
            (
                .range,
                [
                    "PT9223372036854775808S", "-PT9223372036854775809S", "P106751991167301D", "PT99999999999999999999S",
                    "P99999999999999999999W",
                    "P15250284452471WT9223372036854775807S",
                ]
            ),
        ]
    )
    func refuses(problem: DurationText.Problem, texts: [String]) {
        for text in texts { #expect(read(text) == .failure(problem), "\(text.prefix(64))") }
    }

    @Test func refusesANumberWithManyDigits() {
        let isOutOfRange = read("PT" + String(repeating: "9", count: 100_000) + "H") == .failure(.range)
        #expect(isOutOfRange)
    }

    @Test("Random durations come back, and their text has the form of the article", .trials)
    func randomDurationsComeBack() throws {
        let form = try Regex("-?P([0-9]+D)?(T(([0-9]|1[0-9]|2[0-3])H)?([0-9]{1,2}M)?([0-9]{1,2}([.][0-9]{1,18})?S)?)?")
        var failures: [String] = []
        for seed in Trials(60) {
            var generator = SeededGenerator(seed: seed)
            let seconds = Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
            let rest =
                Int64.random(in: 0...999_999_999, using: &generator) * (generator.next() % 2 == 0 ? 1_000_000_000 : 1)
            let duration = Duration(secondsComponent: seconds, attosecondsComponent: seconds < 0 ? -rest : rest)
            let text = DurationText.write(duration) ?? "none"
            if (try? read(text).get()) != duration || text.wholeMatch(of: form) == nil { failures.append(text) }
        }
        #expect(failures.isEmpty)
    }

    @Test("A long number costs no more than its length") func longNumbersAreReadOnce() {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(read("PT\(zeros)1S") == .success(.seconds(1)))
    }

    @Test("Durations beyond 64 bits of seconds have no text") func longerDurationsHaveNoText() {
        for duration in [Self.largest + .nanoseconds(1), Self.smallest - .nanoseconds(1), Self.largest * 9] {
            #expect(DurationText.write(duration) == nil)
        }
    }
}
