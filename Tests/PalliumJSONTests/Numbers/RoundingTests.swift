import PalliumJSON
import TestSupport
import Testing

/// Decimal to binary against exact arithmetic: a number that lies halfway between two Doubles, and its neighbours
/// on both sides, spelled out in full.
@Suite(.threat(.numberRange))
struct RoundingTests {
    /// The exact decimal digits of significand × 2^exponent as an integer and a power of ten.
    private func exactDecimal(_ significand: UInt64, _ exponent: Int) -> (digits: [UInt8], exponent: Int) {
        var digits = String(significand).utf8.reversed().map { $0 - UInt8(ascii: "0") }
        // 2^-n = 5^n / 10^n.
        for _ in 0..<abs(exponent) { Self.multiply(&digits, by: exponent < 0 ? 5 : 2) }
        return (digits.reversed().map { $0 + UInt8(ascii: "0") }, min(exponent, 0))
    }

    private static func multiply(_ digits: inout [UInt8], by factor: Int) {
        var carry = 0
        for position in digits.indices {
            let product = Int(digits[position]) * factor + carry
            digits[position] = UInt8(product % 10)
            carry = product / 10
        }
        while carry > 0 {
            digits.append(UInt8(carry % 10))
            carry /= 10
        }
    }

    /// The digits of the next smaller integer; the number is not zero.
    private static func lessOne(_ digits: [UInt8]) -> [UInt8] {
        var digits = digits
        var position = digits.count - 1
        while digits[position] == UInt8(ascii: "0") {
            digits[position] = UInt8(ascii: "9")
            position -= 1
        }
        digits[position] -= 1
        return Array(digits.drop { $0 == UInt8(ascii: "0") })
    }

    private func double(_ digits: [UInt8], _ exponent: Int) -> Double? {
        JSONNumber(text: String(decoding: digits, as: UTF8.self) + "e\(exponent)")?.double
    }

    private func check(_ lower: Double) {
        // Halfway between `lower` and the next Double: (2m + 1) × 2^(e - 1).
        let bits = lower.bitPattern
        let biased = Int(bits >> 52 & 0x7FF)
        let significand = biased == 0 ? bits & 0xF_FFFF_FFFF_FFFF : bits & 0xF_FFFF_FFFF_FFFF | 1 << 52
        let exponent = max(biased, 1) - 1075
        let halfway = exactDecimal(significand * 2 + 1, exponent - 1)
        let even = significand.isMultiple(of: 2) ? lower : lower.nextUp
        #expect(double(halfway.digits, halfway.exponent) == even, "halfway above \(lower)")
        #expect(double(halfway.digits + Array("0000".utf8), halfway.exponent - 4) == even, "with zeros above \(lower)")
        #expect(double(halfway.digits + Array("0001".utf8), halfway.exponent - 4) == lower.nextUp, "above \(lower)")
        let far = Array(repeating: UInt8(ascii: "0"), count: 900) + [UInt8(ascii: "1")]
        #expect(double(halfway.digits + far, halfway.exponent - 901) == lower.nextUp, "far above \(lower)")
        let below = Self.lessOne(halfway.digits)
        #expect(double(below + Array("9999".utf8), halfway.exponent - 4) == lower, "below \(lower)")
        // And the Double itself, spelled out.
        let itself = exactDecimal(significand, exponent)
        #expect(double(itself.digits, itself.exponent) == lower, "\(lower) itself")
    }

    @Test(arguments: [
        1, 0.5, 3, 9007199254740991, 9007199254740992, 0x1p63, 0x1p64, 1e22, 1e23, 8.5e22, 0.1, 0.3,
        .leastNonzeroMagnitude, .leastNonzeroMagnitude * 2, Double.leastNormalMagnitude.nextDown,
        2.2250738585072014e-308, 1.7976931348623155e308, 4.35, 1e-7, 6.02e23,
    ])
    func numbersNearAHalfwayPointGoToTheRightSide(lower: Double) {
        check(lower)
    }

    @Test(.trials) func randomNumbersNearAHalfwayPointGoToTheRightSide() {
        for seed in Trials(3) {
            var random = SeededGenerator(seed: seed)
            var double = Double.infinity
            while !double.isFinite || !double.nextUp.isFinite {
                double = Double(bitPattern: random.next() & Int64.max.magnitude)
            }
            check(double)
        }
    }

    @Test func theEdgesOfTheRangeAreRounded() {
        // 2^1024 - 2^970, halfway between the largest Double and infinity, goes to infinity.
        let halfway = exactDecimal((1 << 54) - 1, 970)
        #expect(double(halfway.digits, 0) == .infinity)
        #expect(double(Self.lessOne(halfway.digits), 0) == .greatestFiniteMagnitude)
        // Half of the smallest Double goes to zero, anything above it to the smallest.
        let smallest = exactDecimal(1, -1075)
        #expect(double(smallest.digits, smallest.exponent) == 0)
        #expect(double(smallest.digits + [UInt8(ascii: "1")], smallest.exponent - 1) == .leastNonzeroMagnitude)
    }

    @Test func digitsFarBehindThePointAreNotLost() {
        let zeros = String(repeating: "0", count: 2000)
        #expect(JSONNumber(text: "0.\(zeros)1e2001")?.double == 1)
        #expect(JSONNumber(text: "1\(zeros)e-2000")?.double == 1)
        #expect(JSONNumber(text: "1\(zeros)1e-2001")?.double == 1)
        #expect(JSONNumber(text: "0.\(zeros)12345678901234567890123e2001")?.double == 1.234_567_890_123_456_7)
        #expect(JSONNumber(text: "12345678901234567890123\(zeros)e-2022")?.double == 1.234_567_890_123_456_7)
    }

    /// A Float is rounded once: numbers at and beside the middle between two Floats, which is a Double.
    @Test(
        arguments: [
            ("1.00000005960464477539062500001", 0x3F80_0001), ("1.000000059604644775390625", 0x3F80_0000),
            ("1.00000005960464477539062499999", 0x3F80_0000), ("1.0000000596046448", 0x3F80_0001),
            ("-1.00000005960464477539062500001", 0xBF80_0001), ("1.000000178813934326171875", 0x3F80_0002),
            ("1.00000017881393432617187499999", 0x3F80_0001), ("16777217", 0x4B80_0000), ("16777219", 0x4B80_0002),
            ("16777217.000000000000001", 0x4B80_0001), ("-0.0", 0x8000_0000), ("0.1", 0x3DCC_CCCD),
            // Half of the smallest Float, and a little more.
            ("7.0064923216240853546186479164495806564013097093825788587853e-46", 0x0000_0000),
            ("7.0064923216240853546186479164495806564013097093825788587854e-46", 0x0000_0001),
            // Where Floats end.
            ("340282356779733661637539395458142568447.9", 0x7F7F_FFFF),
            ("340282356779733661637539395458142568448", 0x7F80_0000),
            ("-340282356779733661637539395458142568447.9", 0xFF7F_FFFF), ("1e39", 0x7F80_0000), ("-1e400", 0xFF80_0000),
        ] as [(String, UInt32)]) func aFloatIsRoundedOnce(text: String, bits: UInt32) throws
    {
        let number = try #require(JSONNumber(text: text))
        #expect(number.float.bitPattern == bits)
        #expect(number.float == Float(text))
    }
}
