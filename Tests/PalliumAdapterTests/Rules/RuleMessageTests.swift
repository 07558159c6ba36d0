import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// The texts that a schema gives its rules.
///
/// *Rules*: "The text is no part of the error's sentence: it is `ruleMessage`, and `message(_:)` takes it where the app has no
/// text of its own. A property that is declared again may give inherited rules other texts."
struct RuleMessageTests {
    private static let document = """
        [{
          "name": "SignUp",
          "properties": {
            "name": {
              "kind": "string",
              "minLength": 2,
              "maxLength": 9,
              "messages": { "minLength": "Please tell us your name." }
            },
            "codes": {
              "kind": "array",
              "of": { "kind": "integer", "minimum": 0, "messages": { "minimum": "A code is positive." } }
            },
            "from": { "kind": "integer" },
            "to": { "kind": "integer" }
          },
          "rules": [
            { "before": ["from", "to"], "message": "A stay ends after it began." },
            { "required": ["to"], "when": { "from": 9 } }
          ]
        }, {
          "name": "Renamed",
          "extends": "SignUp",
          "properties": { "name": { "kind": "string", "messages": { "minLength": "Say more." } } }
        }]
        """

    private func problems(_ schema: String, _ text: String) throws -> [ModelError] {
        let registry = SchemaRegistry()
        _ = try registry.load(Array(Self.document.utf8))
        let adapter = try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
        return adapter.report(from: text).problems
    }

    @Test(arguments: [
        ("SignUp", #"{"name": "x"}"#, "Please tell us your name."),
        ("SignUp", #"{"name": "0123456789"}"#, nil),
        ("SignUp", #"{"name": 1}"#, nil),
        ("SignUp", #"{"codes": [1, -1]}"#, "A code is positive."),
        ("SignUp", #"{"from": 2, "to": 1}"#, "A stay ends after it began."),
        ("SignUp", #"{"from": 9}"#, nil),
        ("Renamed", #"{"name": "x"}"#, "Say more."),
        ("Renamed", #"{"from": 2, "to": 1}"#, "A stay ends after it began."),
    ])
    func aBrokenRuleHasItsText(schema: String, document: String, text: String?) throws {
        let problems = try problems(schema, document)
        #expect(problems.map(\.ruleMessage) == [text])
        let problem = try #require(problems.first)
        let told = problem.message { _ in nil }
        #expect(told == text || text == nil && told.hasPrefix("expected"))
        #expect(text.map { problem.description.contains($0) } != true)
        let encoded = try JSONValue(parsing: Array(JSONEncoder().encode(problem)))
        #expect(encoded["ruleMessage"] == text.map { .string($0) } ?? .null)
    }

    @Test func theTextOfTheAppComesFirst() throws {
        let problem = try #require(try problems("SignUp", #"{"name": "x"}"#).first)
        let text = problem.message { parameters in
            if case .rule(.minLength(let count), _) = parameters { "mindestens \(count) Zeichen" } else { nil }
        }
        #expect(text == "mindestens 2 Zeichen")
    }

    @Test func aRuleThatIsNoneIsAMistake() {
        let schema = ModelSchema("A", ["a": .string.rules(.minLength(1)).messages(["minLenght": "m"])])
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().register(schema) }
        #expect(error?.problems.map(\.message) == [#"messages: "minLenght" is no rule"#])
        #expect(error?.problems.first?.fix == "did you mean minLength?")
    }

    @Test func schemasInSwiftGiveTheSameTexts() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "Stay",
                ["name": .string.rules(.minLength(2)).messages(["minLength": "m"]), "from": .integer, "to": .integer]
            ).rule(.before("from", "to"), message: "n"))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Stay"), registry: registry)
        let found = adapter.report(from: #"{"name": "", "from": 2, "to": 1}"#).problems.map(\.ruleMessage)
        #expect(found == ["m", "n"])
    }
}
