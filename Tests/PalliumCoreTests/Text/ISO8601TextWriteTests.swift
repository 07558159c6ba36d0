import PalliumCore
import TestSupport
import Testing

@Suite("ISO 8601 moments, writing", .threat(.dates))
struct ISO8601TextWriteTests {
    private func write(_ seconds: Double) -> String? {
        written(capacity: ISO8601Text.maximumWrittenByteCount) { ISO8601Text.write(seconds, into: $0) }
    }

    private func parse(_ text: String) -> Double? {
        withExactMemory(Array(text.utf8)) { ISO8601Text.parse($0)?.seconds }
    }

    @Test(
        "Moments and their texts",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
            (317_761_272, "2011-01-26T19:01:12Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
            (0.5, "2001-01-01T00:00:00.5Z"), (-0.5, "2000-12-31T23:59:59.5Z"), (0.001, "2001-01-01T00:00:00.001Z"),
            (1.000001, "2001-01-01T00:00:01.000001Z"), (0.123456789, "2001-01-01T00:00:00.123456789Z"),
            (-0.000000001, "2000-12-31T23:59:59.999999999Z"),
            // Finer than a nanosecond: the nearest one, which may be a whole second.
            (1e-12, "2001-01-01T00:00:00Z"), (-1e-12, "2001-01-01T00:00:00Z"), (1 - 1e-12, "2001-01-01T00:00:01Z"),
            (59.9999999999, "2001-01-01T00:01:00Z"), (.leastNonzeroMagnitude, "2001-01-01T00:00:00Z"),
            (-.leastNonzeroMagnitude, "2001-01-01T00:00:00Z"), (1.0 / 3, "2001-01-01T00:00:00.333333333Z"),
            (-63_145_526_400, "0000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (252_423_993_599.5, "9999-12-31T23:59:59.5Z"),
            // What the leap second at the end of 9999 is read as.
            (252_423_993_600, "9999-12-31T00:01:00-23:59"),
            ((252_423_993_600 as Double).nextDown, "9999-12-31T23:59:59.99997Z"),
            // Only an offset names these, and the readers take such text.
            (252_423_993_600, "9999-12-31T00:01:00-23:59"), (252_424_079_939.5, "9999-12-31T23:59:59.5-23:59"),
            (-63_145_526_401, "0000-01-01T23:58:59+23:59"), (-63_145_576_800, "0000-01-01T09:59:00+23:59"),
            (-63_145_612_740, "0000-01-01T00:00:00+23:59"),
        ] as [(Double, String)]
    )
    func writes(seconds: Double, text: String) {
        #expect(write(seconds) == text)
    }

    @Test(
        "Moments without a text",
        arguments: [
            .nan, .signalingNaN, .infinity, -.infinity, 252_424_079_940, (-63_145_612_740 as Double).nextDown,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e19, -1e19,
        ] as [Double]
    )
    func refuses(seconds: Double) {
        #expect(write(seconds) == nil)
        #expect(written(capacity: DateOnlyText.byteCount) { DateOnlyText.write(seconds, into: $0) } == nil)
    }

    @Test("Days that four digits cannot name", arguments: [252_423_993_600, (-63_145_526_400 as Double).nextDown])
    func refusesDays(seconds: Double) {
        #expect(written(capacity: DateOnlyText.byteCount) { DateOnlyText.write(seconds, into: $0) } == nil)
    }

    @Test("Random moments read back as the same number, to the nanosecond near 2001", .trials)
    func readsBackWhatItWrites() {
        var failures: [Double] = []
        for seed in Trials(2000) {
            var generator = SeededGenerator(seed: seed)
            let magnitude = [1, 1000, 8_388_608, 1e9, 63_145_612_740][seed % 5] as Double
            let seconds = Double.random(in: -magnitude...magnitude, using: &generator)
            guard let back = write(seconds).flatMap(parse) else {
                failures.append(seconds)
                continue
            }
            // From 2²³ seconds on neighbouring numbers are more than a nanosecond apart.
            let isNear = abs(seconds) < 8_388_608
            if isNear ? abs(back - seconds) > 0.500_001e-9 + seconds.ulp : back != seconds {
                failures.append(seconds)
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("No shorter fraction would have read back as the same number", .trials, arguments: 1...9)
    func writesTheFewestDigits(digitCount: Int) {
        var failures: [String] = []
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let digits = (0..<digitCount).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let text = "20\(Int.random(in: 10...99, using: &generator))-03-04T05:06:07.\(digits)Z"
            guard let seconds = parse(text), let shortest = write(seconds), parse(shortest) == seconds else {
                failures.append(text)
                continue
            }
            if shortest.utf8.count > text.utf8.count {
                failures.append(text)
            }
        }
        #expect(failures.isEmpty)
    }
}
