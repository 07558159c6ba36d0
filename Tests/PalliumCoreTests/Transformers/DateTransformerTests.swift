import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct DateTransformerTests {
    @Test(arguments: [
        ("2015-09-25T05:00:00Z", 1_443_157_200, "2015-09-25T05:00:00Z"),
        ("2015-09-25T07:00:00.250+02:00", 1_443_157_200.25, "2015-09-25T05:00:00.25Z"),
        ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
    ])
    func iso8601IsReadInAllZonesAndWrittenInUTC(text: String, seconds: Double, written: String) throws {
        let transformer = try predefined(ISO8601DateTransformerName)
        let date = try transformer.transform(text, as: Date.self)
        #expect(date == Date(timeIntervalSince1970: seconds))
        #expect(try transformer.reverse(date, as: String.self) == written)
    }

    @Test(arguments: ["", "2015-09-37T05:00:00Z", "2015-09-25", "2015-09-25T05:00:00", "1443157200"])
    func otherTextIsNoISO8601Date(text: String) throws {
        let error = try predefined(ISO8601DateTransformerName).refusal(of: text)
        #expect(error.code == .invalidValue)
        #expect(error.expected == "an ISO 8601 date such as 2026-01-31T12:00:00Z")
        #expect(error.found.hasPrefix(ModelError.quote(text)))
    }

    @Test(.threat(.dates), arguments: [ISO8601DateTransformerName, DateOnlyTransformerName])
    func datesThatTextCannotNameAreRefused(name: TransformerName) throws {
        let transformer = try predefined(name)
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e12, -1e12] {
            let error = try transformer.reverseRefusal(of: Date(timeIntervalSinceReferenceDate: seconds))
            #expect(error.code == .invalidValue)
            #expect(error.expected == "a date of the years 0000 to 9999")
        }
    }

    @Test func aDayIsTheMidnightInUTCAtWhichItBegins() throws {
        let transformer = try predefined(DateOnlyTransformerName)
        let day = Date(timeIntervalSince1970: 1_443_139_200)
        #expect(try transformer.transform("2015-09-25", as: Date.self) == day)
        #expect(try transformer.reverse(day, as: String.self) == "2015-09-25")
        #expect(try transformer.reverse(day.addingTimeInterval(86_399), as: String.self) == "2015-09-25")
        for text in ["", "2015-9-25", "2015-09-31", "2015-09-25T00:00:00Z", "20150925"] {
            #expect(try transformer.refusal(of: text).code == .invalidValue)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_443_164_400, "2015-09-25T07:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        (1_443_164_400.25, "2015-09-25T07:00:00.25Z"), (978_307_200, "2001-01-01T00:00:00Z"),
    ])
    func secondsAreReadAndWritten(seconds: Double, text: String) throws {
        let transformer = try predefined(UnixSecondsTransformerName)
        let date = try transformer.transform(seconds, as: Date.self)
        #expect(try predefined(ISO8601DateTransformerName).reverse(date, as: String.self) == text)
        #expect(try transformer.reverse(date, as: Double.self) == seconds)
    }

    @Test func wholeSecondsAreWrittenAsIntegers() throws {
        let transformer = try predefined(UnixSecondsTransformerName)
        let date = Date(timeIntervalSince1970: 1_443_164_400)
        #expect(try transformer.reverse(date, as: Int.self) == 1_443_164_400)
        #expect(try transformer.reverse(date, as: JSONValue.self).description == "1443164400")
    }

    @Test func secondsMayComeAsAnyNumber() throws {
        let transformer = try predefined(UnixSecondsTransformerName)
        let date = Date(timeIntervalSince1970: 7)
        let sevens: [any PropertyValue] = [7, 7 as Int64, 7.0, 7 as UInt8, JSONValue.number(JSONNumber(7))]
        for seven in sevens { #expect(try transformer.transform(seven, as: Date.self) == date) }
        #expect(try transformer.refusal(of: "7").code == .typeMismatch)
        #expect(try transformer.refusal(of: true).code == .typeMismatch)
    }

    @Test(.threat(.numericTraps)) func infiniteSecondsAreRefused() throws {
        let transformer = try predefined(UnixSecondsTransformerName)
        for seconds in [Double.infinity, -.infinity, .nan] {
            #expect(try transformer.refusal(of: seconds).code == .typeMismatch)
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try transformer.reverseRefusal(of: date).expected == "a finite date")
        }
        let huge = try #require(JSONNumber(text: "1e999"))
        #expect(try transformer.refusal(of: JSONValue.number(huge)).code == .typeMismatch)
    }

    @Test(arguments: [
        0, 1, -1, 999, -999, 1_443_164_400_250, 978_307_200_000, -62_167_219_200_000, 253_402_300_799_999,
    ])
    func millisecondsAreReadAndWritten(milliseconds: Int64) throws {
        let transformer = try predefined(UnixMillisecondsTransformerName)
        let date = try transformer.transform(milliseconds, as: Date.self)
        #expect(abs(date.timeIntervalSince1970 - Double(milliseconds) / 1000) < 1e-4)
        #expect(try transformer.reverse(date, as: Int64.self) == milliseconds)
    }

    @Test(.threat(.numericTraps), arguments: [Int64.max, .min, 1 << 56 | 1, -(1 << 56 | 3)])
    func millisecondsThatADateCannotTellApartAreRefused(milliseconds: Int64) throws {
        #expect(try predefined(UnixMillisecondsTransformerName).refusal(of: milliseconds).code == .invalidValue)
    }

    @Test func millisecondsAreIntegers() throws {
        let transformer = try predefined(UnixMillisecondsTransformerName)
        #expect(try transformer.refusal(of: 1.5).code == .typeMismatch)
        #expect(try transformer.refusal(of: "1").code == .typeMismatch)
        #expect(try transformer.transform(2.0, as: Date.self) == Date(timeIntervalSince1970: 0.002))
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 9.3e15, -9.3e15] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try transformer.reverseRefusal(of: date).code == .invalidValue)
        }
    }
}
