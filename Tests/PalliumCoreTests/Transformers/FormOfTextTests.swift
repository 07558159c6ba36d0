import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Texts that come back as they came: lower case, scale, clocks without a zone.
@Suite struct FormOfTextTests {
    @Test func lowerCaseIdentifiersStayLowerCase() throws {
        let transformer = try predefined(LowercaseUUIDTransformerName)
        let text = "4a275fbd-8217-4397-964b-403f4c2b8545"
        let uuid = try transformer.transform(text, as: UUID.self)
        #expect(uuid == UUID(uuidString: text))
        #expect(try transformer.transform(text.uppercased(), as: UUID.self) == uuid)
        #expect(try transformer.reverse(uuid, as: String.self) == text)
    }

    @Test(arguments: [
        "1.50", "0.00", "1", "100", "1.5", "-1.50", "-0.10", "0.10", "12345678901234567890.00", "100.00", "0", "0.0",
        "99999999999999999999999999999999999.000", "1000000.10", "-7",
        // 38 digits that count, beside a sign, a full stop and zeros in front.
        "-9.9999999999999999999999999999999999999", "-0.00010000000000000000000000000000000000000",
        "-99999999999999999999999999999999999999", "1.0000000000000000000000000000000000000",
    ])
    func decimalTextsKeepTheirScale(_ text: String) throws {
        let transformer = try predefined(ScaledDecimalTextTransformerName)
        let value = try transformer.transform(text, as: Decimal.self)
        #expect(value == Decimal(string: text))
        #expect(try transformer.reverse(value, as: String.self) == text)
    }

    @Test(arguments: [
        "1e2", "1.50E1", "", ".5", "1.", "01", "abc", "1.0000000000000000000000000000000000000000", "+1",
        // A digit too many, which only some 39 would have room for.
        "1.00000000000000000000000000000000000000", "-0.100000000000000000000000000000000000000",
    ])
    func otherTextsAreNoDecimalsWithAScale(_ text: String) throws {
        let transformer = try predefined(ScaledDecimalTextTransformerName)
        #expect(throws: ModelError.self) { try transformer.transform(text, as: Decimal.self) }
    }

    /// A power of ten goes down to -128, also that of zero.
    @Test(arguments: ["0", "-0", "1", "-12"]) func aScaleHasAtMost128Digits(_ number: String) throws {
        let transformer = try predefined(ScaledDecimalTextTransformerName)
        let (sign, digits) = (number.prefix { $0 == "-" }, number.drop { $0 == "-" })
        for count in [127, 128] {
            let text = "0." + String(repeating: "0", count: count - digits.utf8.count) + digits
            let value = try transformer.transform(sign + text, as: Decimal.self)
            let isZero = digits == "0"
            #expect(try transformer.reverse(value, as: String.self) == (isZero ? text : sign + text))
        }
        let tooLong = "\(sign)0." + String(repeating: "0", count: 129 - digits.utf8.count) + digits
        #expect(throws: ModelError.self) { try transformer.transform(tooLong, as: Decimal.self) }
    }

    @Test func theScaleIsNoPartOfTheValue() throws {
        let transformer = try predefined(ScaledDecimalTextTransformerName)
        let value = try transformer.transform("1.50", as: Decimal.self)
        #expect(value == 1.5 && value.hashValue == Decimal(1.5).hashValue)
        #expect(try transformer.reverse(Decimal(1.5), as: String.self) == "1.5")
        #expect(try transformer.reverse(transformer.transform("-0.00", as: Decimal.self), as: String.self) == "0.00")
    }

    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    @Test(arguments: [
        ("2026-01-31T12:00:00", 1_769_860_800.0), ("2026-07-14T09:05:03.25", 1_784_019_903.25),
        ("1969-12-31T23:59:59.5", -0.5),
    ])
    func aDateWithoutAZoneIsOneOfUTC(_ text: String, _ seconds: Double) throws {
        let transformer = try predefined(LocalISO8601DateTransformerName)
        let date = try transformer.transform(text, as: Date.self)
        #expect(date.timeIntervalSince1970 == seconds)
        #expect(try transformer.reverse(date, as: String.self) == text)
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00", "2026-01-31T11:00:00Z"), ("2026-07-14T09:05:03.25", "2026-07-14T07:05:03.25Z"),
        ("2026-03-29T01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29T03:00:00", "2026-03-29T01:00:00Z"),
        ("2026-10-25T02:30:00", "2026-10-25T00:30:00Z"), ("2026-10-25T03:00:00", "2026-10-25T02:00:00Z"),
    ])
    func aDateWithoutAZoneIsReadByTheClockOfTheOneGiven(_ text: String, _ moment: String) throws {
        let transformer = Transformer.localISO8601Date(timeZone: Self.berlin)
        let date = try transformer.transform(text, as: Date.self)
        #expect(try predefined(ISO8601DateTransformerName).transform(moment, as: Date.self) == date)
        #expect(try transformer.reverse(date, as: String.self) == text)
    }

    @Test(arguments: [
        "2026-03-29T02:00:00", "2026-03-29T02:59:59", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00+01:00", "",
        "2026-01-31",
    ])
    func aTimeThatTheClockSkipsAndOneWithAZoneAreRefused(_ text: String) throws {
        let error = #expect(throws: ModelError.self) {
            try Transformer.localISO8601Date(timeZone: Self.berlin).transform(text, as: Date.self)
        }
        #expect(error?.expected == "an ISO 8601 date without a zone")
    }

    @Test func ofTheHourThatComesTwiceTheSecondOneIsWrittenAsTheFirst() throws {
        let transformer = Transformer.localISO8601Date(timeZone: Self.berlin)
        let second = try predefined(ISO8601DateTransformerName).transform("2026-10-25T01:30:00Z", as: Date.self)
        #expect(try transformer.reverse(second, as: String.self) == "2026-10-25T02:30:00")
    }

    private static func newYork() throws -> Transformer {
        .localISO8601Date(timeZone: try #require(TimeZone(identifier: "America/New_York")))
    }

    @Test func aClockShowsAllYearsOfFourDigitsAndNoOthers() throws {
        let moments = try predefined(ISO8601DateTransformerName)
        func date(_ text: String) throws -> Date { try moments.transform(text, as: Date.self) }
        let berlin = Transformer.localISO8601Date(timeZone: Self.berlin)
        for text in ["9999-12-31T23:59:59", "9999-12-31T22:59:59.5", "0000-01-01T00:00:00"] {
            #expect(try berlin.reverse(berlin.transform(text, as: Date.self), as: String.self) == text)
        }
        for text in ["9999-12-31T23:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.25-23:59"] {
            let error = #expect(throws: ModelError.self) { try berlin.reverse(date(text), as: String.self) }
            #expect(error?.expected == "a date of the years 0000 to 9999", "\(text)")
        }
        let newYork = try Self.newYork()
        let after = try date("9999-12-31T23:00:00.5-01:00")
        #expect(try newYork.reverse(after, as: String.self) == "9999-12-31T19:00:00.5")
        #expect(try newYork.transform("9999-12-31T19:00:00.5", as: Date.self) == after)
        #expect(throws: ModelError.self) { try newYork.reverse(date("0000-01-01T00:00:00Z"), as: String.self) }
        for moment in [-1e300, 1e300, .infinity, .nan] {
            #expect(throws: ModelError.self) {
                try newYork.reverse(Date(timeIntervalSinceReferenceDate: moment), as: String.self)
            }
        }
    }

    /// Within 97 days of 2001 a number is finer than the nine digits that are written.
    @Test func aFractionThatIsRoundedUpTakesItsSecondAlong() throws {
        let newYork = try Self.newYork()
        let date = Date(timeIntervalSinceReferenceDate: 0.999_999_999_9)
        #expect(try newYork.reverse(date, as: String.self) == "2000-12-31T19:00:01")
        #expect(
            try predefined(LocalISO8601DateTransformerName).reverse(date, as: String.self) == "2001-01-01T00:00:01")
    }

    @Test func everyMillisecondIsReadByAClockWestOfUTC() throws {
        let newYork = try Self.newYork()
        for millisecond in 0..<1000 {
            let text = "2018-01-05T15:00:00.\(String(1000 + millisecond).dropFirst())"
            let date = try newYork.transform(text, as: Date.self)
            #expect(
                try predefined(ISO8601DateTransformerName).transform(
                    text.replacing("T15", with: "T20") + "Z", as: Date.self)
                    == date)
            let shortest = String(text.reversed().drop { $0 == "0" }.reversed())
            #expect(
                try newYork.reverse(date, as: String.self) == (millisecond == 0 ? String(text.prefix(19)) : shortest))
        }
    }

    @Test(arguments: [7 as JSONValue, true, [], [:], "x", 1.5])
    func aMappingWithADefaultGivesItForEveryValue(_ value: JSONValue) throws {
        let transformer = Transformer.mapping(["open": 1, "closed": 2], default: 0)
        #expect(try transformer.transform(value, as: Int.self) == 0)
        #expect(try transformer.transform("open", as: Int.self) == 1)
        let strict = Transformer.mapping(["open": 1])
        #expect(throws: ModelError.self) { try strict.transform(value, as: Int.self) }
    }

    @Test func whatAPatternDoesNotSayIsTakenFromTheDefaultDate() throws {
        let day = Date(timeIntervalSince1970: 1_769_860_800)
        let time = try Transformer.date(format: "HH:mm", default: day).transform("09:05", as: Date.self)
        #expect(time == Date(timeIntervalSince1970: 1_769_850_300))
        let year = try Transformer.date(format: "HH:mm").transform("09:05", as: Date.self)
        #expect(year == Date(timeIntervalSince1970: 946_717_500))
    }
}
