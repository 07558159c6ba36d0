import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("Decimal numbers as text")
struct DecimalTextTests {
    private func parse(_ text: String) -> Decimal? {
        withExactMemory(Array(text.utf8)) { DecimalText.parse($0) }
    }

    @Test(
        "Accepted texts in Foundation's plain spelling",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.000", "0"), ("0e999999999999999999999", "0"), ("-0.0E-5", "0"), ("1", "1"),
            ("-1", "-1"),
            ("0.1", "0.1"), ("10", "10"), ("100.00", "100"), ("1e2", "100"), ("1E+2", "100"), ("1.5e-3", "0.0015"),
            ("-12.50", "-12.5"), ("1e-0", "1"), ("1e00000000000000000000000002", "100"), ("0.12345", "0.12345"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
            ("-0.99999999999999999999999999999999999999", "-0.99999999999999999999999999999999999999"),
            ("100000000000000000000000000000000000001", "100000000000000000000000000000000000001"),
            ("18446744073709551616", "18446744073709551616"),
            ("1.00000000000000000000000000000000000000000000000000000000000", "1"),
            ("100000000000000000000000000000000000000000000000000e-50", "1"),
            ("0.00000000000000000000000000000000000000000000000000001e53", "1"),
            ("1e127", "1" + String(repeating: "0", count: 127)), ("1e130", "1" + String(repeating: "0", count: 130)),
            ("-3e165", "-3" + String(repeating: "0", count: 165)),
            ("1e-128", "0." + String(repeating: "0", count: 127) + "1"),
            ("10e-129", "0." + String(repeating: "0", count: 127) + "1"),
        ]
    )
    func accepts(text: String, plain: String) throws {
        let value = try #require(parse(text))
        #expect(value.description == plain)
        #expect(DecimalText.write(value) == plain)
        #expect(parse(plain) == value)
    }

    @Test(
        "Refused: no JSON number",
        arguments: [
            "", "-", "+1", "--1", "01", "-01", "00", ".5", "5.", "-.5", "1.e2", "1e", "1e+", "1e-", "1e+-2", "1e2.0",
            "1.2.3", "12abc",
            "abc", " 1", "1 ", "1\n", "1\0", "1,5", "1_000", "0x10", "NaN", "nan", "Infinity", "-inf", "١", "１", "1é",
            "/", ":",
        ]
    )
    func refusesOtherGrammars(text: String) {
        #expect(parse(text) == nil)
    }

    @Test(
        "Refused: no Decimal is equal to it",
        arguments: [
            "340282366920938463463374607431768211456", "999999999999999999999999999999999999999",
            "1000000000000000000000000000000000000001", "0.1234567890123456789012345678901234567890123",
            "1.0000000000000000000000000000000000000000000000000000000001", "1e-129", "1.1e-128", "4e165", "1e166",
            "1e200",
            "1e99999999999999999999999999", "1e-99999999999999999999999999", "1e9223372036854775807",
            "1e-9223372036854775808",
        ]
    )
    func refusesWhatItWouldHaveToRound(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("Random numbers of up to 128 bits and all powers are exact and read back", .trials)
    func readsBackRandomNumbers() {
        var failures: [String] = []
        for seed in Trials(400) {
            var generator = SeededGenerator(seed: seed)
            let unsigned =
                UInt128.random(in: 0...UInt128.max, using: &generator) >> UInt128.random(in: 0...127, using: &generator)
            let exponent = Int.random(in: -128...127, using: &generator)
            let sign = Bool.random(using: &generator) && unsigned != 0 ? "-" : ""
            let text = "\(sign)\(unsigned)e\(exponent)"
            guard let value = parse(text), let plain = DecimalText.write(value), parse(plain) == value,
                plain == spelled(sign, String(unsigned), exponent)
            else {
                failures.append(text)
                continue
            }
        }
        #expect(failures.isEmpty)
    }

    /// The number without an exponent and without zeros at the end of a fraction.
    private func spelled(_ sign: String, _ digits: String, _ exponent: Int) -> String {
        guard digits != "0" else { return "0" }
        guard exponent < 0 else { return sign + digits + String(repeating: "0", count: exponent) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count)) + digits
        var fraction = Array(padded.utf8.suffix(-exponent))
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        let whole = sign + padded.dropLast(-exponent)
        return fraction.isEmpty ? whole : whole + "." + String(decoding: fraction, as: UTF8.self)
    }

    @Test(
        "Numbers that arithmetic makes are written and read back",
        arguments: [
            .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .pi, Decimal(1) / 3,
            Decimal(2) / 3,
            Decimal(Int64.min), Decimal(UInt64.max), Decimal(0.1), -Decimal(0), Decimal(10) / 5,
        ] as [Decimal]
    )
    func readsBackArithmetic(value: Decimal) throws {
        #expect(parse(try #require(DecimalText.write(value))) == value)
    }

    @Test("NaN has no text")
    func refusesToWriteNaN() {
        #expect(DecimalText.write(.nan) == nil)
    }

    @Test("Megabytes of digits are judged without a crash")
    func survivesLongTexts() {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(parse("1." + zeros) == 1)
        #expect(parse("0." + zeros) == 0)
        #expect(parse("1" + zeros) == nil)
        #expect(parse("1" + zeros + "e-1000000") == 1)
        #expect(parse("0." + zeros + "1e1000001") == 1)
        #expect(parse("1." + zeros + "1") == nil)
        #expect(parse(String(repeating: "9", count: 1_000_000)) == nil)
        #expect(parse("1e" + zeros + "1") == 10)
        #expect(parse("1e" + String(repeating: "9", count: 1_000_000)) == nil)
    }
}
