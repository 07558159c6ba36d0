import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Numbers as locales write them: the rule of the article *Dates and numbers as people write them*.
struct LocalNumberTests {
    private static let locales = [
        "en_US", "de_DE", "fr_FR", "de_CH", "en_US_POSIX", "hi_IN", "ar_EG", "es_ES", "sv_SE",
    ]

    /// A decimal number of up to 20 digits.
    private func number(_ generator: inout SeededGenerator) -> Decimal {
        let digits = Decimal(UInt64.random(in: 0...9_999_999_999_999_999_999, using: &generator))
        let small = Decimal(Int.random(in: 0...20_000, using: &generator))
        let significand = Bool.random(using: &generator) ? digits : small
        let sign: FloatingPointSign = Bool.random(using: &generator) ? .minus : .plus
        return Decimal(sign: sign, exponent: -Int.random(in: 0...8, using: &generator), significand: significand)
    }

    @Test(.trials, arguments: locales) func whatANumberTransformerWritesItReads(locale: String) throws {
        let transformers = (0...6).map {
            Transformer.number(locale: Locale(identifier: locale), fractionDigits: $0...$0)
        }
        for seed in Trials(9) {
            var generator = SeededGenerator(seed: seed)
            let digits = seed % 7
            var (number, rounded) = (number(&generator), Decimal())
            unsafe NSDecimalRound(&rounded, &number, digits, .bankers)
            let text = try transformers[digits].reverse(number, as: String.self)
            let read = try transformers[digits].transform(text, as: Decimal.self)
            #expect(read == rounded, "\(number) \(text)")
            #expect(try transformers[digits].reverse(read, as: String.self) == text)
        }
    }

    @Test(arguments: [
        ("en_US", "12.50", "12.5"), ("en_US", "100.00", "100"), ("en_US", "0.10", "0.1"),
        ("en_US", "12345.68", "12345.68"), ("en_US", "1234567", "1234567"), ("en_US", "1,234,567.80", "1234567.8"),
        ("hi_IN", "12,34,567.5", "1234567.5"), ("hi_IN", "1234567.5", "1234567.5"), ("de_CH", "1’234.50", "1234.5"),
        ("es_ES", "1234,5", "1234.5"), ("ar_EG", "\u{61C}-١٢٣٤٫٥٠", "-1234.5"), ("sv_SE", "−12,0", "-12"),
        ("en_US_POSIX", "1234567.10", "1234567.1"), ("en_US", "-0.00", "0"),
    ])
    func aNumberIsReadWithAndWithoutGrouping(locale: String, text: String, number: String) throws {
        let transformer = Transformer.number(locale: Locale(identifier: locale))
        #expect(try transformer.transform(text, as: Decimal.self) == Decimal(string: number))
    }

    @Test(arguments: [
        ("en_US", "1,2345.68", "whose digits are grouped as \"12,345\", or not at all"),
        ("en_US", "12,34,567", "whose digits are grouped as \"1,234,567\", or not at all"),
        ("hi_IN", "1,234,567", "whose digits are grouped as \"12,34,567\", or not at all"),
        ("es_ES", "1.234", "whose digits are grouped as \"1234\", or not at all"),
        ("en_US", ",123", "whose digits are grouped as \"123\", or not at all"),
        ("en_US_POSIX", "1,234", "in which \",\" is no part of a number"),
        ("en_US", "1.234,5", "in which \",\" is no part of a number"),
        ("en_US", "12 km", "in which \" \" is no part of a number"),
        ("en_US", "1e5", "in which \"e\" is no part of a number"),
        ("ar_EG", "12", "in which \"1\" is no part of a number"), ("en_US", "", "in which digits are missing"),
        ("en_US", ".5", "in which digits are missing"), ("en_US", "5.", "in which digits are missing"),
        ("en_US", "-", "in which digits are missing"), ("en_US", "--1", "in which \"-\" is no part of a number"),
        ("en_US", "007", "which begins with a zero that counts for nothing"),
        ("en_US", String(repeating: "1", count: 50), "which has more digits than decimal numbers have"),
    ])
    func theErrorSaysWhatIsWrongWithANumber(locale: String, text: String, note: String) throws {
        let error = try Transformer.number(locale: Locale(identifier: locale)).refusal(of: text)
        #expect(error.expected == "a number as \(locale) writes it")
        #expect(error.found == "\(ModelError.quote(text)), \(note)")
    }
}
