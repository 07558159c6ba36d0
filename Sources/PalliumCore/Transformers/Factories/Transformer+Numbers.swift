public import Foundation

extension Transformer {
    /// Makes a transformer for decimal numbers as a locale writes them.
    ///
    ///     let price = Transformer.number(locale: Locale(identifier: "en_US"), fractionDigits: 2...2)
    ///     // "12,345.678" ⇒ 12345.678 ⇒ "12,345.68"
    ///
    /// Numbers are read with and without grouping separators, which may stand only where the locale puts them. What is
    /// written is rounded to the nearest number with these digits, half to the even one.
    ///
    /// - Parameters:
    ///   - locale: The locale of digits, signs and separators; `en_US_POSIX` has no grouping.
    ///   - fractionDigits: The number of digits written after the decimal separator. Any number is read.
    public static func number(
        locale: Locale = Locale(identifier: "en_US_POSIX"), fractionDigits: ClosedRange<Int> = 0...38
    ) -> Transformer {
        let text = LocalNumberText(locale)
        let style = Decimal.FormatStyle(locale: locale).precision(.fractionLength(fractionDigits))
        return formatted(
            "a number as \(locale.identifier) writes it", as: Decimal.self, parse: { try text.number(in: $0) },
            format: { number in
                guard !number.isNaN else { return nil }
                let written = style.format(number)
                // A small negative number may be written as a negative zero, which decimal numbers do not have.
                return number < 0 && (try? text.number(in: written)) == 0 ? style.format(0) : written
            })
    }
}

/// Reads decimal numbers as a locale writes them.
///
/// Foundation has no parser of its own here that takes a whole text: its strategies ignore what follows, and accept
/// separators anywhere. So digits, signs and separators are learnt from numbers that it writes.
private struct LocalNumberText: Sendable {
    private let digits: [Character: Character]
    private let decimal: String
    private let grouping: String
    private let minus: (prefix: String, suffix: String)
    private let integers: Decimal.FormatStyle

    init(_ locale: Locale) {
        let integers = Decimal.FormatStyle(locale: locale).precision(.fractionLength(0))
        var digits: [Character: Character] = [:]
        for digit in 0...9 {
            if let shown = integers.format(Decimal(digit)).first { digits[shown] = Character("\(digit)") }
        }
        func signs(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { digits[$0] != nil }
        }
        let negative = signs(integers.format(-1))
        minus = (String(negative.first ?? ""), String(negative.last ?? ""))
        let half = Decimal.FormatStyle(locale: locale).precision(.fractionLength(1)).format(Decimal(5) / 10)
        decimal = signs(half).first { !$0.isEmpty }.map(String.init) ?? "."
        // Long enough for every locale that groups digits at all.
        grouping = signs(integers.format(1_000_000_000)).first { !$0.isEmpty }.map(String.init) ?? ""
        self.digits = digits
        self.integers = integers
    }

    /// Returns the number of a whole text.
    ///
    /// - Throws: The reason why the text is none.
    func number(in text: String) throws(FormatProblem) -> Decimal {
        var rest = text[...]
        let isNegative =
            rest.hasPrefix(minus.prefix) && rest.dropFirst(minus.prefix.count).hasSuffix(minus.suffix)
            && !(minus.prefix.isEmpty && minus.suffix.isEmpty)
        if isNegative { rest = rest.dropFirst(minus.prefix.count).dropLast(minus.suffix.count) }
        let parts = rest.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
        let whole = try ascii(grouping.isEmpty ? String(parts[0]) : String(parts[0].replacing(grouping, with: "")))
        var plain = isNegative ? "-\(whole)" : whole
        if parts.count == 2 { plain += "." + (try ascii(String(parts[1]))) }
        guard let number = DecimalText.value(in: plain) else {
            throw FormatProblem(
                note: whole.hasPrefix("0") && whole != "0"
                    ? "which begins with a zero that counts for nothing"
                    : "which has more digits than decimal numbers have")
        }
        guard parts[0].count > whole.count, let value = DecimalText.value(in: whole) else { return number }
        let written = integers.format(value)
        guard written.utf8.elementsEqual(parts[0].utf8) else {
            throw FormatProblem(note: "whose digits are grouped as \(ModelError.quote(written)), or not at all")
        }
        return number
    }

    private func ascii(_ text: String) throws(FormatProblem) -> String {
        var plain = ""
        for character in text {
            guard let digit = digits[character] else {
                throw FormatProblem(note: "in which \(ModelError.quote(String(character))) is no part of a number")
            }
            plain.append(digit)
        }
        if plain.isEmpty { throw FormatProblem(note: "in which digits are missing") }
        return plain
    }
}
