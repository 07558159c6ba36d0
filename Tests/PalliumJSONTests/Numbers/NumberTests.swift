import PalliumJSON
import TestSupport
import Testing

struct NumberTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let int64: Int64?
        let uint64: UInt64?
        let double: Double
        let isInteger: Bool
        var testDescription: String { text }

        init(_ text: String, _ int64: Int64?, _ uint64: UInt64?, _ double: Double, isInteger: Bool) {
            self.text = text
            self.int64 = int64
            self.uint64 = uint64
            self.double = double
            self.isInteger = isInteger
        }
    }

    static let cases: [Case] = [
        Case("0", 0, 0, 0, isInteger: true),
        Case("-0", 0, 0, -0.0, isInteger: true),
        Case("-0.0e5", 0, 0, -0.0, isInteger: true),
        Case("0e999999999999999999999", 0, 0, 0, isInteger: true),
        Case("1.0", 1, 1, 1, isInteger: true),
        Case("1e2", 100, 100, 100, isInteger: true),
        Case("1E+2", 100, 100, 100, isInteger: true),
        Case("1200e-2", 12, 12, 12, isInteger: true),
        Case("1250e-2", nil, nil, 12.5, isInteger: false),
        Case("1.5", nil, nil, 1.5, isInteger: false),
        Case("-7", -7, nil, -7, isInteger: true),
        Case("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_993, 9_007_199_254_740_992, isInteger: true),
        Case("9223372036854775807", .max, 9_223_372_036_854_775_807, 0x1p63, isInteger: true),
        Case("9223372036854775807.0", .max, 9_223_372_036_854_775_807, 0x1p63, isInteger: true),
        Case("922337203685477580700e-2", .max, 9_223_372_036_854_775_807, 0x1p63, isInteger: true),
        Case("9223372036854775808", nil, 9_223_372_036_854_775_808, 0x1p63, isInteger: true),
        Case("-9223372036854775808", .min, nil, -0x1p63, isInteger: true),
        Case("-9223372036854775809", nil, nil, -0x1p63, isInteger: true),
        Case("18446744073709551615", nil, .max, 0x1p64, isInteger: true),
        Case("18446744073709551616", nil, nil, 0x1p64, isInteger: true),
        Case("18446744073709551619", nil, nil, 0x1p64, isInteger: true),
        Case("184467440737095516193", nil, nil, 184_467_440_737_095_516_160, isInteger: true),
        Case("1844674407370955161900000e-5", nil, nil, 0x1p64, isInteger: true),
        Case("1844674407370955161500000e-5", nil, .max, 0x1p64, isInteger: true),
        Case("1844674407370955161500001e-5", nil, nil, 0x1p64, isInteger: false),
        Case("1.00000000000000000000000000000000", 1, 1, 1, isInteger: true),
        Case("1.00000000000000000000000000000001", nil, nil, 1, isInteger: false),
        Case("100000000000000000000000000000001e-1", nil, nil, 1e31, isInteger: false),
        Case("1000000000000000000000000000000010e-1", nil, nil, 1e32, isInteger: true),
        Case("1e19", nil, 10_000_000_000_000_000_000, 1e19, isInteger: true),
        Case("1e20", nil, nil, 1e20, isInteger: true),
        Case("1e400", nil, nil, .infinity, isInteger: true),
        Case("-1e400", nil, nil, -.infinity, isInteger: true),
        Case("1e-400", nil, nil, 0, isInteger: false),
        Case("1e999999999999999999999999", nil, nil, .infinity, isInteger: true),
        Case("1e-999999999999999999999999", nil, nil, 0, isInteger: false),
        Case("0.1", nil, nil, 0.1, isInteger: false),
        Case("123456789012345678901234567890e-20", nil, nil, 1_234_567_890.123_456_8, isInteger: false),
        Case("0.000000000000000000000000000000000001e36", 1, 1, 1, isInteger: true),
        Case("5e-324", nil, nil, .leastNonzeroMagnitude, isInteger: false),
        Case("1.7976931348623157e308", nil, nil, .greatestFiniteMagnitude, isInteger: true),
    ]

    @Test(.threat(.numberRange), arguments: cases)
    func aTokenTellsItsExactValue(_ expected: Case) throws {
        try withReader(expected.text) { reader throws(JSONSyntaxError) in
            let token = try reader.readNumber()
            #expect(token.int64 == expected.int64)
            #expect(token.uint64 == expected.uint64)
            #expect(token.double.bitPattern == expected.double.bitPattern)
            #expect(token.isInteger == expected.isInteger)
            #expect(token.count == expected.text.utf8.count)
        }
    }

    @Test(arguments: cases)
    func aNumberKeepsItsExactValue(_ expected: Case) throws {
        let number = try #require(JSONNumber(text: expected.text))
        #expect(number.int64 == expected.int64)
        #expect(number.uint64 == expected.uint64)
        #expect(number.double.bitPattern == expected.double.bitPattern)
        #expect(number.finiteDouble == (expected.double.isFinite ? expected.double : nil))
        #expect(JSONNumber(text: number.text) == number, "the text \(number.text) reads back as another number")
    }

    @Test(arguments: [
        "", "-", "+1", "01", "00", "-01", ".5", "1.", "1.e2", "1e", "1e+", "0x10", "1 ", " 1", "1_000", "NaN",
        "Infinity",
        "1e2.5", "1d2", "1D2", "1f2", "--1", "1,0", "１",
    ])
    func aNumberIsMadeOnlyFromItsGrammar(text: String) {
        #expect(JSONNumber(text: text) == nil)
    }

    /// Each line is one number in different spellings; numbers of different lines differ.
    static let equalSpellings: [[String]] = [
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "100000000000000000000000e-23"],
        ["0", "-0", "0.0", "0e10", "-0e-10", "0e99999999999999999999"],
        ["0.1", "1e-1", "0.10", "100000000000000000000e-21"],
        ["0.30000000000000004", "30000000000000004e-17", "0.300000000000000040"],
        ["0.30000000000000003", "3.0000000000000003e-1"], ["0.3000000000000000444", "3000000000000000444e-19"],
        ["0.3"], ["-0.1", "-1e-1"],
        ["18446744073709551615", "18446744073709551615.0", "1844674407370955161500e-2"],
        ["18446744073709551616", "1.8446744073709551616e19"], ["18446744073709551617"],
        ["9223372036854775807"], ["9223372036854775808", "9.223372036854775808e18"],
        ["1e400", "10e399", "0.1e401", "1000e397"], ["1e-400", "0.1e-399", "10e-401"], ["1e401"], ["-1e400"],
        ["1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001"],
        ["1e1000000000000000000000000", "10e999999999999999999999999", "100e0999999999999999999999998"],
        ["1e-1000000000000000000000000", "0.1e-999999999999999999999999", "10e-1000000000000000000000001"],
        ["1e-1000000000000000000000001", "10e-1000000000000000000000002"],
        ["1e99999999999999999999", "0.01e100000000000000000001"], ["1e100000000000000000000"],
        ["123456789012345678901234567890", "12345678901234567890123456789e1", "123456789012345678901234567890.000"],
        ["123456789012345678901234567891"], ["4e-324", "0.4e-323"], ["5e-324", "50e-325"], ["3e-324"],
    ]

    @Test func numbersAreEqualWhenTheirMathematicalValuesAre() throws {
        for (line, spellings) in Self.equalSpellings.enumerated() {
            for (otherLine, others) in Self.equalSpellings.enumerated() {
                for spelling in spellings {
                    for other in others {
                        let left = try #require(JSONNumber(text: spelling))
                        let right = try #require(JSONNumber(text: other))
                        #expect((left == right) == (line == otherLine), "\(spelling) and \(other)")
                        if left == right { #expect(left.hashValue == right.hashValue, "\(spelling) and \(other)") }
                    }
                }
            }
        }
    }

    /// Numbers in each of the forms in which they are kept.
    @Test(arguments: ["", "-", "1844674407370955", "0.", "1e", "12345678901234567890."])
    func theHashTellsMostNumbersApart(_ beginning: String) throws {
        let numbers = try (1000..<2000).map { try #require(JSONNumber(text: "\(beginning)\($0)")) }
        #expect(Set(numbers.map(\.hashValue)).count > 900)
    }

    /// Significands around those that a `Double` certainly tells apart, and those that it surely does not.
    @Test(arguments: [
        "999999999999999", "1000000000000001", "9999999999999999", "10000000000000001", "99999999999999999",
        "100000000000000001", "1234567890123456", "12345678901234567", "123456789012345678",
    ])
    func manyDigitsKeepTheirValue(_ digits: String) throws {
        for exponent in [-340, -323, -308, -20, -17, -16, -15, -1, 0, 1, 6, 290, 293, 308] {
            let text = "\(digits)e\(exponent)"
            let number = try #require(JSONNumber(text: text))
            #expect(number.double == Double(text), "\(text)")
            #expect(JSONNumber(text: number.text) == number, "\(text)")
            #expect(number != JSONNumber(text: "\(digits)0000001e\(exponent - 7)"), "\(text)")
            #expect(number == JSONNumber(text: "\(digits)0000000e\(exponent - 7)"), "\(text)")
        }
    }

    @Test func numbersFromCodeEqualTheirTexts() throws {
        #expect(JSONNumber(1) == JSONNumber(text: "1.0"))
        #expect(JSONNumber(UInt64.max) == JSONNumber(text: "18446744073709551615"))
        #expect(JSONNumber(Int128.max) == JSONNumber(text: "170141183460469231731687303715884105727"))
        #expect(JSONNumber(0.1 as Double) == JSONNumber(text: "0.1"))
        #expect(JSONNumber(0.1 + 0.2 as Double) == JSONNumber(text: "0.30000000000000004"))
        #expect(JSONNumber(1e300 as Double) == JSONNumber(text: "1e300"))
        #expect(JSONNumber(0x1p60 as Double)?.int64 == 1 << 60)
        #expect(JSONNumber(-0.0 as Double)?.double.sign == .minus)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(text: "0.1")?.exactDouble == 0.1)
        #expect(JSONNumber(text: "0.10000000000000000001")?.exactDouble == nil)
        #expect(JSONNumber(text: "9007199254740993")?.exactDouble == nil)
    }

    @Test(.trials) func randomDoublesSurviveTextInBothDirections() throws {
        for seed in Trials(1000) {
            var random = SeededGenerator(seed: seed)
            let double = Double(bitPattern: random.next())
            guard double.isFinite else { continue }
            var buffer = JSONByteBuffer(capacity: 32)
            buffer.append(double: double)
            let text = buffer.text
            let number = try #require(JSONNumber(text: text))
            // Integers between 2^53 and 2^64 are kept exactly when made in code, and their shortest text is another.
            let isLargeInteger = double.magnitude >= 0x1p53 && double.magnitude < 0x1p64
            if number.double.bitPattern != double.bitPattern || number != JSONNumber(double) && !isLargeInteger {
                Issue.record("\(double) was written as \(text)")
            }
        }
    }

    @Test(.trials) func randomIntegersSurviveTextInBothDirections() throws {
        for seed in Trials(400) {
            var random = SeededGenerator(seed: seed)
            let word = random.next() >> (random.next() % 64)
            for value in [Int64(truncatingIfNeeded: word), 0 &- Int64(truncatingIfNeeded: word)] {
                var buffer = JSONByteBuffer(capacity: 32)
                buffer.append(integer: value)
                if buffer.text != String(value) || JSONNumber(text: buffer.text)?.int64 != value {
                    Issue.record("\(value) was written as \(buffer.text)")
                }
            }
            var buffer = JSONByteBuffer(capacity: 32)
            buffer.append(unsigned: word)
            if buffer.text != String(word) || JSONNumber(text: buffer.text)?.uint64 != word {
                Issue.record("\(word) was written as \(buffer.text)")
            }
        }
    }
}
