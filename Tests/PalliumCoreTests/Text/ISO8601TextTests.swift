import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("ISO 8601 moments, reading", .threat(.dates))
struct ISO8601TextTests {
    private func parse(_ text: String) -> Double? {
        withExactMemory(Array(text.utf8)) { ISO8601Text.parse($0)?.seconds }
    }

    @Test(
        "Accepted texts and their seconds since 2001",
        arguments: [
            ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", -978_307_200),
            ("2011-01-26T19:01:12Z", 317_761_272), ("2001-01-01t00:00:00z", 0),
            ("2001-01-01T00:00:00+00:00", 0), ("2001-01-01T00:00:00-00:00", 0),
            ("2001-01-01T02:00:00+02:00", 0), ("2001-01-01T02:00:00+0200", 0), ("2001-01-01T02:00:00+02", 0),
            ("2000-12-31T14:30:00-09:30", 0), ("2001-01-01T23:59:00+23:59", 0), ("2000-12-31T00:01:00-23:59", 0),
            ("2001-01-01T00:00:01.5Z", 1.5), ("2001-01-01T00:00:01,5Z", 1.5), ("2001-01-01T00:00:01.500000+00:00", 1.5),
            ("2001-01-01T00:00:00.0Z", 0), ("2001-01-01T00:00:00.123456789Z", 0.123456789),
            ("2000-12-31T23:59:59.75Z", -0.25), ("2001-01-01T00:00:00.1Z", 0.1),
            ("2024-02-29T12:00:00Z", 730_900_800), ("2000-02-29T00:00:00Z", -26_524_800),
            ("0000-01-01T00:00:00Z", -63_145_526_400), ("0001-01-01T00:00:00Z", -63_113_904_000),
            ("9999-12-31T23:59:59Z", 252_423_993_599),
        ] as [(String, Double)]
    )
    func acceptsAndConverts(text: String, seconds: Double) {
        #expect(parse(text) == seconds)
    }

    @Test(
        "Leap seconds are read as the second after them",
        arguments: [
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
            ("2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00Z"),
            ("2015-06-30T23:59:60.25Z", "2015-07-01T00:00:00.25Z"),
            ("2024-02-29T23:59:60Z", "2024-03-01T00:00:00Z"),
        ]
    )
    func readsLeapSeconds(text: String, next: String) {
        let seconds = parse(text)
        #expect(seconds != nil)
        #expect(seconds == parse(next))
    }

    @Test(
        "Refused texts",
        arguments: [
            "", "Z", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00Z", "20010101T000000Z",
            "2001-01-01 00:00:00Z", "2001-01-01T00:00:00 Z", " 2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z ",
            "2001-01-01T00:00:00Z\n", "2001-01-01T00:00:00Z\0", "2001-01-01T00:00:00ZZ", "+2001-01-01T00:00:00Z",
            "-2001-01-01T00:00:00Z", "12001-01-01T00:00:00Z", "2001-W01-1T00:00:00Z", "2001-001T00:00:00ZZZ",
            "2001-00-01T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z",
            "2001-04-31T00:00:00Z", "2001-06-31T00:00:00Z", "2001-09-31T00:00:00Z", "2001-11-31T00:00:00Z",
            "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
            "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:61Z", "2001-01-01T99:00:00Z",
            "2001-01-01T00:00:60Z", "2016-12-31T23:58:60Z", "2016-12-30T23:59:60Z", "2016-12-31T22:59:60Z",
            "2016-12-31T23:59:60+01:00", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.", "2001-01-01T00:00:00.5",
            "2001-01-01T00:00:00.5.5Z", "2001-01-01T00:00:00.-5Z", "2001-01-01T00:00:00;5Z",
            "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+00:60", "2001-01-01T00:00:00+1:00",
            "2001-01-01T00:00:00+010", "2001-01-01T00:00:00+01:", "2001-01-01T00:00:00+01:0", "2001-01-01T00:00:00+",
            "2001-01-01T00:00:00+01:000", "2001-01-01T00:00:00+01-00", "2001-01-01T00:00:00~01:00",
            "2001-01-01T00:00:00+01:00:00", "2001-01-01T00:00:00GMT", "2001-01-01T00:00:00ZUTC",
            "２００１-01-01T00:00:00Z", "2001-01-01T00:00:0٠Z", "2001‐01-01T00:00:00Z",
            "2001/01/01T00:00:00Z", "2001-01-01T00.00.00Z", "2001-1-01T00:00:00.0Z", "0000-00-00T00:00:00Z",
        ]
    )
    func refuses(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("Fractions of any length within the limit are cut after nine digits", arguments: 1...44)
    func cutsFractions(digitCount: Int) {
        let scale = (0..<min(digitCount, 9)).reduce(1.0) { scale, _ in scale * 10 }
        let expected = (scale - 1) / scale
        let text = "2001-01-01T00:00:00." + String(repeating: "9", count: digitCount)
        // The limit of 64 bytes leaves room for 43 digits and a Z.
        #expect(parse(text + "Z") == (digitCount <= 43 ? expected : nil))
        #expect(parse(text) == nil)
    }

    @Test("Every replacement of one byte is judged as by the slow reference")
    func agreesWithTheSlowReferenceOnEveryByte() {
        let templates = [
            "2024-02-29T23:59:59Z", "1999-10-31T09:45:30.25Z", "2016-12-31T23:59:60Z",
            "2017-01-01T01:29:60,123456789012+01:30",
            "0000-03-01T00:00:00-0130", "9999-12-31T20:05:10+23",
        ]
        var differences: [[UInt8]] = []
        var acceptedCount = 0
        for template in templates {
            forEachReplacement(in: template) { changed, _ in
                acceptedCount += agrees(changed, &differences) ? 1 : 0
            }
        }
        #expect(differences.isEmpty)
        #expect(acceptedCount > 500)
    }

    @Test("Random changes are judged as by the slow reference, without a crash", .trials)
    func agreesWithTheSlowReferenceOnMutations() {
        let templates = [
            "2024-02-29T23:59:59Z", "1999-10-31T09:45:30.25+01:00", "2016-12-31T23:59:60Z", "2001-02-03T04:05:06-0700",
        ]
        let alphabet = Array("0123456789-:.,+-TtZz /\u{0}é".utf8)
        let trials = Trials(2000)
        var differences: [[UInt8]] = []
        var acceptedCount = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let template = Array(templates[seed % templates.count].utf8)
            let changed = mutated(template, alphabet: alphabet, using: &generator)
            acceptedCount += agrees(changed, &differences) ? 1 : 0
        }
        #expect(differences.isEmpty)
        #expect(acceptedCount > trials.count / 100)
    }

    /// Records texts that are judged differently; returns whether the text was accepted.
    private func agrees(_ bytes: [UInt8], _ differences: inout [[UInt8]]) -> Bool {
        let fast = withExactMemory(bytes) { ISO8601Text.parse($0)?.seconds }
        let slow = SlowDateReference.parse(bytes).map { reference in
            var nanoseconds = 0
            for place in 0..<9 {
                nanoseconds = nanoseconds * 10 + (place < reference.fraction.count ? Int(reference.fraction[place]) : 0)
            }
            return Double(reference.seconds) + Double(nanoseconds) / 1e9
        }
        if fast != slow {
            differences.append(bytes)
        }
        return fast != nil
    }

    @Test("Foundation reads the same moments from 1583 on, where its calendar is Gregorian", .trials)
    func agreesWithFoundation() throws {
        var differences: [String] = []
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let text = Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: -13_190_000_000..<252_423_993_600, using: &generator))
            ).formatted(.iso8601)
            let expected = try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate
            if parse(text) != expected {
                differences.append(text)
            }
        }
        #expect(differences.isEmpty)
    }

    @Test("Arbitrary bytes of any length never crash the reader", .trials)
    func survivesArbitraryBytes() {
        var acceptedCount = 0
        for seed in Trials(1000) {
            var generator = SeededGenerator(seed: seed)
            let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            acceptedCount +=
                withExactMemory(bytes) { ISO8601Text.parse($0)?.seconds ?? DateOnlyText.parse($0) } == nil ? 0 : 1
        }
        #expect(acceptedCount == 0)
    }
}
