import Foundation
import ModelTestSupport
import Pallium
import Testing

/// `multipleOf` agrees with school arithmetic on decimal digits.
struct MultipleTests {
    /// A decimal number: its digits without a sign, times ten to the exponent.
    struct Digits {
        var digits: [UInt8]
        var exponent: Int

        /// Of a JSON text such as `-1.25e-7`.
        init(_ text: String) {
            let parts = text.lowercased().split(separator: "e")
            let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            let fraction = mantissa.count > 1 ? mantissa[1] : ""
            digits = (mantissa[0] + fraction).utf8.map { $0 - 48 }
            exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
        }

        /// The digits where one is 10 to a power that is at most the exponent.
        func scaled(to power: Int) -> [UInt8] { digits + [UInt8](repeating: 0, count: exponent - power) }
    }

    /// Whether the one number is the other times an integer: long division, digit by digit.
    private func isMultiple(_ value: String, of limit: String) -> Bool {
        let (value, limit) = (Digits(value), Digits(limit))
        let power = min(value.exponent, limit.exponent)
        let divisor = Array(limit.scaled(to: power).drop { $0 == 0 })
        var rest: [UInt8] = []
        for digit in value.scaled(to: power) {
            if !(rest.isEmpty && digit == 0) { rest.append(digit) }
            while !precedes(rest, divisor) { subtract(divisor, from: &rest) }
        }
        return rest.isEmpty
    }

    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left.count != right.count { return left.count < right.count }
        return left.lexicographicallyPrecedes(right)
    }

    private func subtract(_ right: [UInt8], from left: inout [UInt8]) {
        var borrow = 0
        let offset = left.count - right.count
        for index in left.indices.reversed() {
            var digit = Int(left[index]) - borrow - (index >= offset ? Int(right[index - offset]) : 0)
            borrow = digit < 0 ? 1 : 0
            if digit < 0 { digit += 10 }
            left[index] = UInt8(digit)
        }
        left = Array(left.drop { $0 == 0 })
    }

    /// The digits of a product.
    private func product(_ left: [UInt8], _ right: [UInt8]) -> String {
        var result = [Int](repeating: 0, count: left.count + right.count)
        for (row, one) in left.reversed().enumerated() {
            for (column, other) in right.reversed().enumerated() { result[row + column] += Int(one) * Int(other) }
        }
        for index in result.indices.dropLast() {
            result[index + 1] += result[index] / 10
            result[index] %= 10
        }
        let text = result.reversed().map(String.init).joined()
        let digits = text.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    @Test(arguments: [
        ("6", "3", true), ("7", "3", false), ("0", "9", true), ("0.3", "0.1", true), ("0.35", "0.1", false),
        ("-1.5e3", "5e-1", true), ("1e-2", "1e2", false), ("123456789012345678901234567890", "9", true),
    ])
    func theReferenceIsRight(value: String, limit: String, expected: Bool) {
        #expect(isMultiple(value, of: limit) == expected)
    }

    private enum Kind: CaseIterable { case integer, unsigned, double, float, decimal }

    private func digits(_ count: Int, _ random: inout SeededGenerator) -> String {
        let others = (1..<max(count, 1)).map { _ in String(random.below(10)) }.joined()
        return String(1 + random.below(9)) + others
    }

    /// The text that JSON has for the value of a kind that is nearest to a number; nil where there is none.
    private func written(_ text: String, as kind: Kind) -> String? {
        switch kind {
        case .integer: Int64(text)?.description
        case .unsigned: UInt64(text)?.description
        case .double: Double(text).flatMap { $0.isFinite ? $0.description : nil }
        case .float: Float(text).flatMap { $0.isFinite ? $0.description : nil }
        case .decimal: text
        }
    }

    private func property(_ kind: Kind) -> PropertySchema {
        switch kind {
        case .integer: .integer
        case .unsigned: .unsigned
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        }
    }

    @Test(.trials, arguments: Kind.allCases) private func multiplesAreThoseOfTheReference(kind: Kind) throws {
        let trials = Trials(6)
        var (tried, multiples) = (0, 0)
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            let isWhole = kind == .integer || kind == .unsigned
            let size = 1 + random.below(kind == .float ? 4 : kind == .decimal ? 18 : 9)
            let exponent = isWhole ? 0 : random.below(25) - 12
            let mantissa = digits(size, &random)
            guard let limit = written("\(mantissa)e\(exponent)", as: kind) ?? written(mantissa, as: kind) else {
                continue
            }
            let adapter = try Plain.adapter(["p": property(kind).rules(.multipleOf(number(limit)))]).adapter
            for _ in 0..<5 {
                let factor =
                    random.once(in: 12)
                    ? "0" : digits(1 + random.below(kind == .float ? 3 : kind == .decimal ? 17 : 7), &random)
                var parts = Digits(limit)
                parts.digits = product(parts.digits, factor.utf8.map { $0 - 48 }).utf8.map { $0 - 48 }
                if random.once(in: 2) { parts.digits[parts.digits.count - 1] = UInt8(random.below(10)) }
                let whole = parts.digits.map(String.init).joined()
                let sign = kind != .unsigned && random.once(in: 3) ? "-" : ""
                let shift = parts.exponent
                let spelling = isWhole ? sign + whole : "\(sign)\(whole)e\(shift)"
                guard let value = written(spelling, as: kind) else { continue }
                let expected = isMultiple(value, of: limit)
                let found = problem { () throws(ModelError) in try adapter.model(from: #"{"p": \#(value)}"#) }
                #expect((found == nil) == expected, "\(kind): \(value) of \(limit): \(found?.description ?? "kept")")
                if let found { #expect(found.code == .ruleBroken, "\(kind): \(value) of \(limit): \(found)") }
                tried += 1
                if expected { multiples += 1 }
            }
        }
        #expect(tried >= trials.count * 10 / 3)
        // The test is of no use where every value is a multiple, or none.
        #expect((tried / 5..<tried * 9 / 10).contains(multiples), "\(multiples)")
    }
}
