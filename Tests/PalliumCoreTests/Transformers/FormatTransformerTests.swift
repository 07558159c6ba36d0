import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Dates and numbers in the formats of people: `NSFormatter` transformers in section P of the conformance table.
struct FormatTransformerTests {
    private let losAngeles = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
    private let english = Locale(identifier: "en_US")
    private let german = Locale(identifier: "de_DE")

    private func longDate() throws -> Transformer {
        try .date(format: "MMMM d, yyyy", locale: english, timeZone: losAngeles)
    }

    // MARK: Dates

    @Test(.row("C288", "C289")) func datesAreReadAndWrittenInTheirTimeZone() throws {
        let transformer = try longDate()
        let date = try transformer.transform("September 25, 2015", as: Date.self)
        #expect(date.timeIntervalSince1970 == 1_443_164_400)
        #expect(try transformer.reverse(Date(timeIntervalSince1970: 1_183_135_260), as: String.self) == "June 29, 2007")
        #expect(transformer.isReversible)
        #expect(try transformer.passesNull())
    }

    @Test(
        .row("C290"),
        arguments: [
            "September 37, 2015", "September 25, 2015 and more", "September 25, 2015\u{0}", " September 25, 2015",
            "September 25, 2015\n", "25 September", "",
        ]) func whatIsNoDateIsRefused(_ text: String) throws
    {
        let error = try longDate().refusal(of: text)
        #expect(error.code == .invalidValue)
        #expect(error.found.hasPrefix("\""))
    }

    @Test(.row("C291", "C296", "C298", "C300")) func otherTypesAreRefusedInBothDirections() throws {
        for transformer in try [longDate(), .number()] {
            #expect(try transformer.refusal(of: nullValue).code == .typeMismatch)
            #expect(try transformer.refusal(of: 5).code == .typeMismatch)
            #expect(try transformer.reverseRefusal(of: nullValue).code == .typeMismatch)
            #expect(try transformer.reverseRefusal(of: "text").found == "\"text\"")
        }
    }

    @Test(.threat(.environment), .row("C292")) func nothingDependsOnTheMachine() throws {
        let transformer = try Transformer.date(format: "EEEE, d MMMM yyyy HH:mm")
        let text = "Tuesday, 1 September 2015 12:30"
        let date = try transformer.transform(text, as: Date.self)
        #expect(date.timeIntervalSince1970 == 1_441_110_600)
        #expect(try transformer.reverse(date, as: String.self) == text)
    }

    @Test(
        .threat(.suppliedFormats), .row("C293"),
        arguments: [
            ("", "a date format that is not empty"),
            ("yyyy-MM-ddTHH:mm", "a field of dates or text in apostrophes instead of T"),
            ("yyyy 'o''clock", "a closing apostrophe in the date format"),
            ("jjmm", "a field of dates or text in apostrophes instead of j"),
        ]) func wrongPatternsAreRefusedWhenTheTransformerIsMade(format: String, expected: String) throws
    {
        let error = #expect(throws: ModelError.self) { try Transformer.date(format: format) }
        #expect(error?.code == .notConvertible)
        #expect(error?.expected == expected)
        #expect(error?.found == "\"\(format)\"")
    }

    @Test func quotedTextOffsetsAndOtherLanguagesAreRead() throws {
        let offset = try Transformer.date(format: "yyyy-MM-dd'T'HH:mm:ssXXX 'o''clock'")
        #expect(
            try offset.transform("2015-09-01T12:00:00+02:00 o'clock", as: Date.self).timeIntervalSince1970
                == 1_441_101_600)
        let french = try Transformer.date(format: "d MMMM yyyy", locale: Locale(identifier: "fr_FR"))
        #expect(try french.transform("1 septembre 2015", as: Date.self).timeIntervalSince1970 == 1_441_065_600)
        let buddhist = try Transformer.date(format: "yyyy-MM-dd", calendar: Calendar(identifier: .buddhist))
        #expect(try buddhist.transform("2558-09-01", as: Date.self).timeIntervalSince1970 == 1_441_065_600)
    }

    @Test(.row("C299"), arguments: [Double.infinity, .nan, 1e300])
    func datesThatHaveNoTextAreRefused(seconds: Double) throws {
        let error = try longDate().reverseRefusal(of: Date(timeIntervalSinceReferenceDate: seconds))
        #expect(error.code == .invalidValue)
    }

    // MARK: Numbers

    @Test(.row("C294")) func numbersAreReadAndWrittenAsTheLocaleWritesThem() throws {
        let transformer = Transformer.number(locale: english)
        #expect(try transformer.transform("0.12345", as: Decimal.self) == Decimal(string: "0.12345"))
        #expect(try transformer.transform("12,345.678", as: Decimal.self) == Decimal(string: "12345.678"))
        #expect(try transformer.reverse(Decimal(string: "12345.678"), as: String.self) == "12,345.678")
        #expect(try transformer.passesNull())
        #expect(try Transformer.number().reverse(Decimal(12345), as: String.self) == "12345")
        let prices = Transformer.number(locale: german, fractionDigits: 2...2)
        #expect(try prices.reverse(Decimal(1234), as: String.self) == "1.234,00")
        #expect(try prices.transform("1.234,5", as: Decimal.self) == Decimal(string: "1234.5"))
    }

    @Test(
        .threat(.suppliedFormats), .row("C295", "C297"),
        arguments: ["Apple", "12abc", "12 ", " 12", "", "1,2,3", "1.5.2"])
    func whatIsNoNumberAsAWholeIsRefused(_ text: String) throws {
        #expect(try Transformer.number(locale: english).refusal(of: text).code == .invalidValue)
    }

    @Test(.threat(.suppliedFormats)) func longTextsAreRefused() throws {
        let digits = String(repeating: "1", count: 100_000)
        let error = try longDate().refusal(of: digits)
        #expect(error.code == .invalidValue && error.found.hasPrefix("\""))
        #expect(try Transformer.number(locale: english).refusal(of: digits).code == .invalidValue)
    }

    @Test(.row("C299")) func notANumberHasNoText() throws {
        #expect(try Transformer.number().reverseRefusal(of: Decimal.nan).code == .invalidValue)
    }

    // MARK: Days

    @Test(arguments: [Calendar.Identifier.gregorian, .iso8601])
    func daysAreThoseOfISO8601BeforeTheGregorianCalendarWasIntroduced(calendar: Calendar.Identifier) throws {
        let transformer = try Transformer.date(format: "yyyy-MM-dd", calendar: Calendar(identifier: calendar))
        let days = try predefined(DateOnlyTransformerName)
        // `PALLIUM_DAYS=1` tries every day of the years 1 to 9999.
        let step = ProcessInfo.processInfo.environment["PALLIUM_DAYS"].flatMap(Int.init) ?? 401
        for day in stride(from: -730_119, to: 2_921_574, by: step) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let text = try days.reverse(date, as: String.self)
            #expect(try transformer.reverse(date, as: String.self) == text)
            #expect(try transformer.transform(text, as: Date.self) == date)
        }
        #expect(try transformer.transform("1582-10-10", as: Date.self) == days.transform("1582-10-10", as: Date.self))
        for text in ["1500-02-29", "1582-02-29", "0100-02-29", "2001-02-29", "1582-10-32"] {
            #expect(try transformer.refusal(of: text).code == .invalidValue)
        }
    }

    // MARK: Format styles

    @Test func anyFormatStyleMakesATransformer() throws {
        let integers = Transformer.formatted(IntegerFormatStyle<Int>(locale: english))
        #expect(try integers.transform("1,234", as: Int.self) == 1234)
        #expect(try integers.refusal(of: "1,234 km").code == .invalidValue)
        let percent = Transformer.formatted(FloatingPointFormatStyle<Double>.Percent(locale: english))
        #expect(try percent.transform("12%", as: Double.self) == 0.12)
        let dates = Transformer.formatted(Date.ISO8601FormatStyle())
        #expect(try dates.transform("2015-09-01T00:00:00Z", as: Date.self).timeIntervalSince1970 == 1_441_065_600)
        #expect(try dates.refusal(of: "2015-09-01T00:00:00Z more").code == .invalidValue)
        // The style reads more than it writes.
        let early = try dates.transform("2015-09-01T02:00:00+02:00", as: Date.self)
        #expect(early.timeIntervalSince1970 == 1_441_065_600)
    }

    @Test func whatAStyleWritesItReads() throws {
        let euros = Transformer.formatted(Decimal.FormatStyle.Currency(code: "EUR", locale: german))
        let text = try euros.reverse(Decimal(string: "-1234.5"), as: String.self)
        #expect(try euros.transform(text, as: Decimal.self) == Decimal(string: "-1234.5"))
        #expect(try euros.refusal(of: text + "x").code == .invalidValue)
    }

    @Test(.threat(.dates)) func threadsShareATransformer() async throws {
        let transformer = try longDate()
        let numbers = Transformer.number(locale: english)
        await withTaskGroup(of: Bool.self) { group in
            for day in 1...8 {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        let text = "September \(day), 2015"
                        let date = try? transformer.transform(text, as: Date.self)
                        let number = try? numbers.transform("1,00\(day)", as: Decimal.self)
                        return (try? transformer.reverse(date, as: String.self)) == text
                            && number == Decimal(1000 + day)
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
