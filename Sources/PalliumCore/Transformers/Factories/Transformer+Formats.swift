public import Foundation
import PalliumJSON

/// Transformers for dates and numbers in formats for people.
///
/// They do not depend on the settings of the machine: locale, calendar and time zone are `en_US_POSIX`, Gregorian and
/// UTC by default. A text is refused unless the whole text is the value. The transformers can be used from any thread.
extension Transformer {
    /// The largest number of bytes of a formatted value. Foundation needs more than linear time for long ones.
    private static var maximumFormattedBytes: Int { 1024 }

    /// Makes a transformer for dates in a pattern of Unicode Technical Standard #35.
    ///
    ///     try registry.register(.date(format: "MMMM d, yyyy"), as: "LongDate")        // "September 25, 2015"
    ///     try registry.register(
    ///         .date(format: "d. MMMM yyyy HH:mm", locale: Locale(identifier: "de_DE"), timeZone: berlin),
    ///         as: "GermanDate")
    ///
    /// Fields that the pattern does not have are taken from `default`, or from the start of the year 2000:
    ///
    ///     .date(format: "HH:mm", default: today)        // "09:05" ⇒ 09:05 of the day of `today`
    ///
    /// Texts are read by the rules of `DateFormatter`, which accepts `9` for `MM`. The Gregorian calendar is the one of
    /// ISO 8601: it counts in the same way before October 1582, when it was introduced. For dates written by programs, the
    /// predefined transformers are stricter and faster.
    ///
    /// - Parameters:
    ///   - format: The pattern, such as `"yyyy-MM-dd'T'HH:mm"`.
    ///   - locale: The language of names of months and days.
    ///   - calendar: The calendar of years, months and days. Its own time zone is ignored.
    ///   - timeZone: The time zone of texts without one.
    ///   - default: The date of the fields that the pattern does not have.
    /// - Throws: ``ModelError`` with the code `notConvertible` when the pattern is empty, malformed, or writes dates that it
    ///   cannot read.
    public static func date(
        format: String, locale: Locale = Locale(identifier: "en_US_POSIX"),
        calendar: Calendar = Calendar(identifier: .gregorian), timeZone: TimeZone = .gmt, default: Date? = nil
    ) throws(ModelError) -> Transformer {
        if let mistake = DatePattern.mistake(in: format) {
            throw ModelError(.notConvertible, expected: mistake, found: ModelError.quote(format))
        }
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = calendar
        // The Gregorian calendar of ISO 8601 also counts the days before it was introduced.
        formatter.gregorianStartDate = .distantPast
        formatter.timeZone = timeZone
        formatter.isLenient = false
        formatter.defaultDate = `default`
        formatter.dateFormat = format
        // 22 November 2001, 13:14:15 UTC: no two fields are alike.
        guard let text = formatter.string(for: Date(timeIntervalSince1970: 1_006_434_855)), !text.isEmpty,
            formatter.date(from: text) != nil
        else {
            throw ModelError(
                .notConvertible, expected: "a date format that reads what it writes", found: ModelError.quote(format))
        }
        let shared = Lock(formatter)
        return formatted(
            "a date in the format \(ModelError.quote(format))", as: Date.self,
            parse: { text in
                // DateFormatter ignores white space at both ends.
                guard DatePattern.hasSameEnds(text, format) else { return nil }
                return shared.withLock { $0.date(from: text) }
            },
            format: { date in
                guard date.timeIntervalSinceReferenceDate.isFinite else { return nil }
                let text = shared.withLock { $0.string(from: date) }
                return text.isEmpty ? nil : text
            })
    }

    /// Makes a transformer for values in a format style of Foundation.
    ///
    ///     let price = Transformer.formatted(Decimal.FormatStyle.Currency(code: "EUR", locale: german))
    ///     let percent = Transformer.formatted(FloatingPointFormatStyle<Double>.Percent(locale: english))
    ///
    /// A style uses the locale of the machine unless it is given one. Some styles read only the beginning of a text;
    /// such a text is refused here, unless the style would write the same text.
    public static func formatted<Style: ParseableFormatStyle & Sendable>(_ style: Style) -> Transformer
    where Style.FormatInput: PropertyValue, Style.FormatOutput == String, Style.Strategy.ParseInput == String {
        formatted(
            "text in the format \(String(reflecting: Style.self))", as: Style.FormatInput.self,
            parse: { text in try parse(text, style) }, format: { style.format($0) })
    }

    /// - Parameters:
    ///   - expected: The values that are read, for messages.
    ///   - parse: Returns nil or throws when the whole text is no value; the reason if it knows one.
    ///   - format: Returns nil for a value without a text.
    static func formatted<Value: PropertyValue>(
        _ expected: String, as type: Value.Type, parse: @escaping @Sendable (String) throws -> Value?,
        format: @escaping @Sendable (Value) -> String?
    ) -> Transformer {
        Transformer(
            inputType: String.self, outputType: Value.self, handlesNull: false,
            forward: { value, _ in
                guard let value, let text = pass(value, as: String.self) else {
                    throw ModelError.refused(value, expected: expected, code: .typeMismatch)
                }
                guard text.utf8.count <= maximumFormattedBytes else {
                    throw ModelError.refused(value, expected: "at most \(maximumFormattedBytes.counted("byte"))")
                }
                do {
                    if let result = try parse(text) { return result }
                } catch let problem as FormatProblem {
                    throw ModelError(
                        .invalidValue, expected: expected, found: "\(ModelError.quote(text)), \(problem.note)")
                } catch {}  // Foundation's errors say no more than that the text is no value.
                throw ModelError.refused(value, expected: expected)
            },
            backward: { value, _ in
                guard let value, let typed = pass(value, as: Value.self) else {
                    throw ModelError.refused(
                        value, expected: "a value of the type \(Value.self)", code: .typeMismatch)
                }
                guard let text = format(typed) else {
                    throw ModelError.refused(value, expected: "a value that can be written as \(expected)")
                }
                return text
            })
    }

    private static func parse<Style: ParseableFormatStyle>(_ text: String, _ style: Style) throws -> Style.FormatInput?
    where Style.FormatOutput == String, Style.Strategy.ParseInput == String {
        // As components of regular expressions, strategies return where their match ends.
        let strategy = style.parseStrategy
        if let component = strategy as? any CustomConsumingRegexComponent,
            let value = try? wholeMatch(of: component, in: text) as? Style.FormatInput
        {
            return value
        }
        let value = try strategy.parse(text)
        return style.format(value).utf8.elementsEqual(text.utf8) ? value : nil
    }

    private static func wholeMatch<Component: CustomConsumingRegexComponent>(
        of component: Component, in text: String
    ) throws -> Component.RegexOutput? {
        let match = try component.consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex)
        guard let match, match.upperBound == text.endIndex else { return nil }
        return match.output
    }
}

/// The reason why a text is no value.
struct FormatProblem: Error {
    let note: String
}

/// The patterns of dates in Unicode Technical Standard #35, part 4.
private enum DatePattern {
    /// Returns what was expected instead of a malformed pattern; nil for a well-formed one.
    static func mistake(in pattern: String) -> String? {
        if pattern.utf8.isEmpty { return "a date format that is not empty" }
        var isQuoted = false
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if !isQuoted, isLetter(byte), !fields.contains(byte) {
                return "a field of dates or text in apostrophes instead of \(Character(Unicode.Scalar(byte)))"
            }
        }
        return isQuoted ? "a closing apostrophe in the date format" : nil
    }

    /// Whether text and pattern both have, or both lack, white space at each end.
    static func hasSameEnds(_ text: String, _ pattern: String) -> Bool {
        func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? false }
        return isSpace(text.unicodeScalars.first) == isSpace(pattern.unicodeScalars.first)
            && isSpace(text.unicodeScalars.last) == isSpace(pattern.unicodeScalars.last)
    }

    /// The letters of fields. `j`, `J` and `C` are only for skeletons.
    private static let fields = Set("GyYuUrQqMLlwWdDFgEecabBhHKkmsSAzZOvVXx".utf8)

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
