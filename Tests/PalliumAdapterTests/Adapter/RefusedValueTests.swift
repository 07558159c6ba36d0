import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What every kind refuses, with the sentence and the place.
struct RefusedValueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let text: String
        let code: ModelError.Code
        let sentence: String

        init(_ property: PropertySchema, _ text: String, _ code: ModelError.Code, _ sentence: String) {
            self.property = property
            self.text = text
            self.code = code
            self.sentence = sentence
        }

        var testDescription: String { "\(property.kind.name) \(text)" }
    }

    static let rows: [Row] = [
        Row(.bool, "1", .typeMismatch, "expected a bool but found the number 1"),
        Row(.bool, #""true""#, .typeMismatch, #"expected a bool but found "true""#),
        Row(.integer, "1.5", .typeMismatch, "expected an integer but found the number 1.5"),
        Row(.integer, #""5""#, .typeMismatch, #"expected an integer but found "5""#),
        Row(.integer, "true", .typeMismatch, "expected an integer but found true"),
        Row(.integer, "[]", .typeMismatch, "expected an integer but found an array"),
        Row(
            .integer, "9223372036854775808", .numberOutOfRange,
            "expected an integer of 64 bits but found the number 9223372036854775808"),
        Row(
            .integer, "-9223372036854775809", .numberOutOfRange,
            "expected an integer of 64 bits but found the number -9223372036854775809"),
        Row(.integer, "1e400", .numberOutOfRange, "expected an integer of 64 bits but found the number 1e400"),
        Row(
            .integer(as: Int8.self), "128", .numberOutOfRange, "expected an integer of 8 bits but found the number 128"),
        Row(
            .integer(as: Int8.self), "-129", .numberOutOfRange,
            "expected an integer of 8 bits but found the number -129"),
        Row(
            .integer(as: Int32.self), "2147483648", .numberOutOfRange,
            "expected an integer of 32 bits but found the number 2147483648"),
        Row(.integer(as: Int16.self), "1.5", .typeMismatch, "expected an integer of 16 bits but found the number 1.5"),
        Row(.unsigned, "-1", .numberOutOfRange, "expected an unsigned integer of 64 bits but found the number -1"),
        Row(
            .unsigned, "18446744073709551616", .numberOutOfRange,
            "expected an unsigned integer of 64 bits but found the number 18446744073709551616"),
        Row(
            .integer(as: UInt8.self), "256", .numberOutOfRange,
            "expected an unsigned integer of 8 bits but found the number 256"),
        Row(.double, "1e400", .numberOutOfRange, "expected a finite number but found the number 1e400"),
        Row(.double, "-1e400", .numberOutOfRange, "expected a finite number but found the number -1e400"),
        Row(.double, #""1""#, .typeMismatch, #"expected a number but found "1""#),
        Row(.float, "1e39", .numberOutOfRange, "expected a finite number but found the number 1e+39"),
        Row(.decimal, "1e400", .numberOutOfRange, "expected a decimal number but found the number 1e400"),
        Row(.decimal, #""1""#, .typeMismatch, #"expected a decimal number but found "1""#),
        Row(.string, "5", .typeMismatch, "expected a string but found the number 5"),
        Row(.string, "{}", .typeMismatch, "expected a string but found an object"),
        Row(.date, "5", .typeMismatch, "expected text of a date but found the number 5"),
        Row(
            .date, #""2023-02-29T00:00:00Z""#, .invalidValue,
            #"expected an ISO 8601 date such as 2026-01-31T12:00:00Z but found "2023-02-29T00:00:00Z""#),
        Row(
            .date.transformer(DateOnlyTransformerName), #""2015-9-25""#, .invalidValue,
            #"expected a date such as 2026-01-31 but found "2015-9-25""#),
        Row(
            .date.transformer(UnixSecondsTransformerName), #""1""#, .typeMismatch,
            #"expected a number of seconds since 1970 but found "1""#),
        Row(
            .date.transformer(UnixMillisecondsTransformerName), "1.5", .typeMismatch,
            "expected a whole number of milliseconds since 1970 but found the number 1.5"),
        Row(
            .date.transformer(UnixMillisecondsTransformerName), "18446744073709551615", .numberOutOfRange,
            "expected a date but found the number 18446744073709551615"),
        Row(
            .date.transformer(UnixMillisecondsTransformerName), "9223372036854775807", .numberOutOfRange,
            "expected a date but found the number 9223372036854775807"),
        Row(
            .url.transformer(URLPercentEncodingTransformerName), #""http://[::1""#, .invalidValue,
            #"expected a URL but found "http://[::1""#),
        Row(
            .integer(as: Int8.self).transformer(IntegerTextTransformerName), #""300""#, .numberOutOfRange,
            #"expected an integer of 8 bits but found "300""#),
        Row(.url, #""not a valid URL""#, .invalidValue, #"expected a URL but found "not a valid URL""#),
        Row(.url, #""""#, .invalidValue, #"expected a URL but found """#),
        Row(.url, "\"http://x/\u{E4}\"", .invalidValue, "expected a URL but found \"http://x/\u{E4}\""),
        Row(.url, "5", .typeMismatch, "expected text of a URL but found the number 5"),
        Row(.uuid, #""4A275FBD""#, .invalidValue, #"expected a UUID but found "4A275FBD""#),
        Row(.uuid, "5", .typeMismatch, "expected text of a UUID but found the number 5"),
        Row(.data, #""aGk""#, .invalidValue, #"expected Base64 text but found "aGk""#),
        Row(.data, "[]", .typeMismatch, "expected Base64 text but found an array"),
        Row(
            .decimal.transformer(DecimalTextTransformerName), #""1x""#, .invalidValue,
            #"expected text of a decimal number but found "1x""#),
        Row(
            .decimal.transformer(DecimalTextTransformerName), "1", .typeMismatch,
            "expected text of a number but found the number 1"),
        Row(
            .integer.transformer(IntegerTextTransformerName), #""1.0""#, .invalidValue,
            #"expected text of an integer but found "1.0""#),
        Row(.array(of: .integer), "{}", .typeMismatch, "expected an array but found an object"),
        Row(.set(of: .integer), "1", .typeMismatch, "expected an array but found the number 1"),
        Row(.dictionary(of: .integer), "[]", .typeMismatch, "expected an object but found an array"),
        Row(.model("Plain"), "[]", .typeMismatch, "expected an object but found an array"),
        Row(.string.secret, "12345", .typeMismatch, "expected a string but found a masked value"),
        Row(.url.secret, #""not a URL""#, .invalidValue, "expected a URL but found a masked value"),
        Row(.integer.required, "null", .nullNotAllowed, "expected an integer but found null"),
        Row(.array(of: .integer).required, "null", .nullNotAllowed, "expected an array but found null"),
        Row(.jsonValue.required, "null", .nullNotAllowed, "expected a JSON value but found null"),
    ]

    @Test(.threat(.numberRange), arguments: rows) func valuesAreRefusedWithTheirPlace(row: Row) throws {
        var adapter = try Plain.adapter(["a": row.property])
        // Foundation has no such numbers.
        if row.text.contains("e400") || row.text.contains("e39")
            || row.text.utf8.count >= 19
        {
            adapter = adapter.withoutFoundation
        }
        let problem = try #require(adapter.problem(of: "{\n  \"a\": \(row.text)\n}"))
        #expect(problem.code == row.code)
        #expect(problem.description == "\(row.sentence) at /a (2:8)")
        #expect(problem.location?.byteOffset == 9)
        #expect(problem.schema == "Plain")
        #expect(problem.property == "a")
    }

    @Test(arguments: [
        (PropertySchema.array(of: .integer), #"[1,"x"]"#, "/a/1"), (.set(of: .integer), #"[1,"x"]"#, "/a/1"),
        (.dictionary(of: .integer), #"{"k":1,"l/m":"x"}"#, "/a/l~1m"),
        (.array(of: .array(of: .integer)), #"[[],[0,"x"]]"#, "/a/1/1"),
        (.dictionary(of: .array(of: .integer)), #"{"k":["x"]}"#, "/a/k/0"),
        (.array(of: .integer), "[null]", "/a/0"), (.dictionary(of: .integer), #"{"k":null}"#, "/a/k"),
        (.array(of: .date.transformer(UnixSecondsTransformerName)), #"["x"]"#, "/a/0"),
    ]) func elementsAreRefusedWithTheirPlace(property: PropertySchema, text: String, pointer: String) throws {
        let problem = try Plain.adapter(["a": property]).problem(of: #"{"a":\#(text)}"#)
        #expect(problem?.pointer?.description == pointer)
        #expect(problem?.property == "a")
    }

    @Test(.threat(.secretsInErrors)) func whatWasFoundIsCutAndEscaped() throws {
        let adapter = try Plain.adapter(["a": .uuid])
        let long = String(repeating: "x", count: 100)
        #expect(adapter.problem(of: #"{"a":"\#(long)"}"#)?.found == "\"\(long.prefix(64))…\"")
        #expect(adapter.problem(of: #"{"a":"\u001b[31m\r\n\t\u202e"}"#)?.found == #""\u{1b}[31m\r\n\t\u{202e}""#)
    }

    @Test(.threat(.secretsInErrors)) func aTransformersErrorOverASecretIsMasked() throws {
        let adapter = try Plain.adapter(
            ["a": .string.secret.transformer("Refusing")],
            transformers: [
                "Refusing": Transformer(from: String.self, to: String.self) { _, _ in throw FixtureError.refused }
            ])
        let sentence = adapter.sentence(of: #"{"a":"hunter2"}"#)
        #expect(sentence?.contains("hunter2") == false)
        #expect(adapter.problem(of: #"{"a":"hunter2"}"#)?.underlying == nil)
    }

    @Test(.threat(.secretsInErrors)) func aSecretsValueIsInNoErrorWhateverIsWrongWithIt() throws {
        for property: PropertySchema in [
            .integer.secret, .uuid.secret, .array(of: .integer).secret, .dictionary(of: .date).secret,
            .enumeration("a").secret,
            .decimal.secret.transformer(DecimalTextTransformerName),
            .integer.secret.transformer(NumberOrTextTransformerName),
        ] {
            let adapter = try Plain.adapter(["a": property])
            for text in [#""hunter2""#, #"["hunter2"]"#, #"{"k":"hunter2"}"#] {
                guard let problem = adapter.report(from: #"{"a":\#(text)}"#).problems.first else { continue }
                #expect(!problem.description.contains("hunter2"), "\(property.kind.name)")
            }
        }
    }
}
