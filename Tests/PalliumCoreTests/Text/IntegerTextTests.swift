import PalliumCore
import TestSupport
import Testing

@Suite("Whole numbers as text")
struct IntegerTextTests {
    private func parse(_ text: String) -> Int64? {
        withExactMemory(Array(text.utf8)) { IntegerText.parse($0) }
    }

    private func parseUnsigned(_ text: String) -> UInt64? {
        withExactMemory(Array(text.utf8)) { IntegerText.parseUnsigned($0) }
    }

    @Test(
        "Texts and what they stand for, signed and unsigned",
        arguments: [
            ("0", 0, 0), ("-0", 0, nil), ("7", 7, 7), ("-7", -7, nil), ("1234567890", 1_234_567_890, 1_234_567_890),
            ("9223372036854775807", .max, 9_223_372_036_854_775_807), ("-9223372036854775808", .min, nil),
            ("9223372036854775808", nil, 9_223_372_036_854_775_808), ("-9223372036854775809", nil, nil),
            ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil),
            ("-18446744073709551615", nil, nil),
            ("18446744073709551620", nil, nil), ("99999999999999999999", nil, nil), ("100000000000000000000", nil, nil),
            ("", nil, nil), ("-", nil, nil), ("+1", nil, nil), ("--1", nil, nil), ("01", nil, nil), ("00", nil, nil),
            ("-01", nil, nil), (" 1", nil, nil), ("1 ", nil, nil), ("1.0", nil, nil), ("1e2", nil, nil),
            ("0x1", nil, nil), ("1_000", nil, nil), ("١", nil, nil), ("1\0", nil, nil), ("/", nil, nil),
            (":", nil, nil),
        ] as [(String, Int64?, UInt64?)]
    )
    func readsOrRefuses(text: String, signed: Int64?, unsigned: UInt64?) {
        #expect(parse(text) == signed)
        #expect(parseUnsigned(text) == unsigned)
    }

    @Test("Random numbers of every length read back", .trials)
    func readsRandomNumbers() {
        var failures: [UInt64] = []
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let unsigned = generator.next() >> (seed % 64)
            let signed = Int64(bitPattern: unsigned)
            if parseUnsigned(String(unsigned)) != unsigned || parse(String(signed)) != signed {
                failures.append(unsigned)
            }
        }
        #expect(failures.isEmpty)
    }
}
