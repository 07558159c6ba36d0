import Foundation
import ModelTestSupport
import Pallium
import Testing

/// A broken rule says the rule with its limit, the value and the place.
struct RuleErrorTests {
    private func ticket() throws -> Entrances<DynamicModel> {
        try Plain.adapter([
            "number": .integer.rules(.minimum(1)), "title": .string.rules(.maxLength(80)),
            "tags": .array(of: .string).rules(.unique),
        ])
    }

    @Test func theSentencesOfTheArticleAreTrue() throws {
        let adapter = try ticket()
        #expect(
            adapter.sentence(of: #"{"number": 0}"#)
                == "expected a number of at least 1 but found the number 0 at /number (1:12)")
        #expect(
            adapter.sentence(of: "{\n \"tags\": [\"a\", \"b\",\n        \"a\"]}")
                == "expected different elements but found an element that equals the one at index 0 at /tags/2 (3:9)")
        let long = "Crash " + String(repeating: "é", count: 87)
        let error = try #require(adapter.problem(of: #"{"number": 1, "title": "\#(long)"}"#))
        #expect(error.expected == "text of at most 80 characters")
        #expect(error.found.hasPrefix("\"Crash é"))
        #expect(error.found.hasSuffix(", which has 93"))
        #expect(error.location?.description == "1:24")
        // Text from input is cut to 64 characters.
        #expect(error.found.count < 90)
    }

    @Test func thePartsOfAnErrorAreThere() throws {
        let error = try #require(try ticket().problem(of: #"{"number": -7}"#))
        #expect(error.code == .ruleBroken)
        #expect(error.category == .unexpectedData)
        #expect(error.schema == "Plain")
        #expect(error.property == "number")
        #expect(error.pointer?.description == "/number")
        #expect(error.location?.line == 1 && error.location?.column == 12 && error.location?.byteOffset == 11)
        #expect(error.underlying == nil)
        let encoded = try JSONValue(parsing: [UInt8](JSONEncoder().encode(error)))
        #expect(encoded["code"] == "ruleBroken" && encoded["category"] == "unexpectedData")
        #expect(encoded["pointer"] == "/number" && encoded["line"] == 1 && encoded["column"] == 12)
    }

    struct Words: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let value: String
        let expected: String
        let found: String
        var testDescription: String { "\(property.rules) \(value)" }
    }

    @Test(arguments: [
        Words(property: .integer.rules(.minimum(12)), value: "11", expected: "12", found: "11"),
        Words(property: .integer.rules(.maximum(-3)), value: "11", expected: "-3", found: "11"),
        Words(property: .double.rules(.exclusiveMinimum(0.5)), value: "0.5", expected: "0.5", found: "0.5"),
        Words(property: .double.rules(.exclusiveMaximum(0.5)), value: "0.75", expected: "0.5", found: "0.75"),
        Words(property: .decimal.rules(.multipleOf(0.05)), value: "19.99", expected: "0.05", found: "19.99"),
        Words(property: .float.rules(.maximum(1.1)), value: "1.25", expected: "1.1", found: "1.25"),
        Words(
            property: .unsigned.rules(.maximum(9)), value: "18446744073709551615", expected: "9",
            found: "18446744073709551615"),
        Words(property: .string.rules(.minLength(3)), value: #""ab""#, expected: "3", found: #""ab""#),
        Words(property: .string.rules(.maxLength(3)), value: #""abcd""#, expected: "3", found: #""abcd""#),
        Words(property: .string.rules(.pattern("^[a-z]+$")), value: #""A1""#, expected: "^[a-z]+$", found: #""A1""#),
        Words(property: .string.rules(.format("email")), value: #""A1""#, expected: "email", found: #""A1""#),
        Words(property: .array(of: .integer).rules(.minCount(3)), value: "[1,2]", expected: "3", found: "2"),
        Words(property: .set(of: .integer).rules(.maxCount(1)), value: "[1,2,2]", expected: "1", found: "2"),
        Words(
            property: .dictionary(of: .integer).rules(.maxCount(1)), value: #"{"a":1,"b":2}"#, expected: "1", found: "2"
        ),
    ])
    func everyErrorNamesLimitAndValue(words: Words) throws {
        let adapter = try Plain.adapter(["p": words.property]).withoutFoundation
        let error = try #require(adapter.problem(of: #"{"p": \#(words.value)}"#))
        #expect(error.code == .ruleBroken)
        #expect(error.expected.contains(words.expected), "\(error)")
        #expect(error.found.contains(words.found), "\(error)")
        #expect(error.location?.description == "1:7", "\(error)")
        // Without a text there is no place in it.
        let value = try JSONValue(parsing: #"{"p": \#(words.value)}"#)
        let same = try #require(problem { () throws(ModelError) in try adapter.adapter.model(from: value) })
        #expect(same.location == nil && same.expected == error.expected && same.found == error.found)
    }

    @Test func severalBrokenRulesAreSeveralErrors() throws {
        let adapter = try Plain.adapter([
            "a": .integer.rules(.minimum(5), .multipleOf(2)),
            "b": .array(of: .integer.rules(.minimum(0))).rules(.maxCount(2)),
            "c": .string.rules(.minLength(1)),
        ])
        let report = adapter.report(from: #"{"a": 3, "b": [1, -1, -2], "c": ""}"#)
        #expect(report.models.isEmpty)
        #expect(
            Set(report.problems.map { $0.pointer?.description }) == ["/a", "/b", "/b/1", "/b/2", "/c"])
        #expect(report.problems.count == 6)
        #expect(report.problems.allSatisfy { $0.code == .ruleBroken })
        let model = try Plain.adapter(["a": .integer.rules(.minimum(5)), "c": .string.rules(.minLength(1))]).adapter
            .model(from: "{}")
        try model.setValue(3, forKey: "a")
        try model.setValue("", forKey: "c")
        let error = try #require(problem { () throws(ModelError) in try model.validate() })
        #expect(places(error) == ["ruleBroken at /a", "ruleBroken at /c"])
        #expect(error.category == .unexpectedData)
    }

    @Test func otherElementsOfAListAreKeptInAReport() throws {
        let report = try ticket().report(from: #"[{"number": 1}, {"number": 0}, {"number": 2}]"#)
        #expect(report.models.count == 2)
        #expect(
            report.problems.map(\.description) == [
                "expected a number of at least 1 but found the number 0 at /1/number (1:28)"
            ])
        let skipping = try ticket().adapter.with { $0.elements = .skip }
        #expect(try skipping.models(from: #"[{"number": 1}, {"number": 0}]"#).count == 1)
    }

    @Test(
        .threat(.secretsInErrors),
        arguments: [
            (PropertySchema.string.rules(.maxLength(3)), #""hunter2""#), (.string.rules(.minLength(30)), #""hunter2""#),
            (.string.rules(.pattern("^a")), #""hunter2""#), (.string.rules(.format("email")), #""hunter2""#),
            (.integer.rules(.maximum(3)), "98765"), (.double.rules(.multipleOf(0.25)), "98765.3"),
            (.decimal.rules(.minimum(1_000_000)), "98765"), (.array(of: .string.rules(.maxLength(1))), #"["hunter2"]"#),
            (.dictionary(of: .integer.rules(.maximum(3))), #"{"a":98765}"#),
        ])
    func secretsAreMasked(property: PropertySchema, value: String) throws {
        let adapter = try Plain.adapter(["p": property.secret])
        let error = try #require(adapter.problem(of: #"{"p": \#(value)}"#))
        #expect(error.code == .ruleBroken)
        let encoded = String(decoding: try JSONEncoder().encode(error), as: UTF8.self)
        for text in [error.description, error.found, error.expected, encoded] {
            #expect(!text.contains("hunter2") && !text.contains("98765"), "\(text)")
        }
    }

    @Test func hostileTextIsEscapedAndCut() throws {
        let adapter = try Plain.adapter(["p": .string.rules(.maxLength(3))])
        let text = "\u{1B}[31m\n" + String(repeating: "z", count: 5000)
        let error = try #require(adapter.problem(of: #"{"p": \#(try quoted(text))}"#))
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
        #expect(error.description.count < 250)
    }

    @Test func aMappedPropertyIsFoundWhereTheDocumentHasIt() throws {
        let adapter = try Plain.adapter(["count": .integer.json("meta.n").rules(.minimum(1))])
        #expect(
            adapter.sentence(of: #"{"meta": {"n": 0}}"#)
                == "expected a number of at least 1 but found the number 0 at /meta/n (1:16)")
    }

    @Test func thePlaceIsThatOfThePathThatWasRead() throws {
        let adapter = try Plain.adapter(["n": .integer.json(firstOf: ["a", "b.c"]).rules(.minimum(1))])
        #expect(
            adapter.sentence(of: #"{"b": {"c": 0}}"#)
                == "expected a number of at least 1 but found the number 0 at /b/c (1:13)")
        var schema = ModelSchema("Plain", ["n": .integer.rules(.minimum(1)), "m": .integer]).rules(.before("n", "m"))
        schema.profiles = [ModelSchema.Profile("v2", ["n": .path("links.n")])]
        let other = Entrances(try JSONAdapter(schema: schema, profile: "v2", registry: .of(schema)))
        #expect(other.problem(of: #"{"links": {"n": 0}}"#)?.location?.description == "1:17")
        #expect(places(other.problem(of: #"{"links": {"n": 2}, "m": 2}"#)) == ["ruleBroken at /links/n"])
    }
}
