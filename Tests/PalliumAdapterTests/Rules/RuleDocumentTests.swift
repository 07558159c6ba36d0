import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Rules in schema documents: read, written again, and refused with their place.
@Suite(.threat(.schemaDocuments))
struct RuleDocumentTests {
    private static let everything = [
        ModelSchema(
            "Plain",
            [
                "n": .integer.rules(
                    .minimum(-1), .maximum(9), .exclusiveMinimum(-2), .exclusiveMaximum(10), .multipleOf(1)),
                "u": .unsigned.rules(.maximum(JSONNumber(UInt64.max))),
                "d": .double.rules(.minimum(number("1e-7")), .multipleOf(0.05)),
                "f": .float.rules(.maximum(1.1)),
                "m": .decimal.rules(.maximum(number("12345678901234567890.123456789"))),
                "s": .string.secret.rules(.minLength(0), .maxLength(80), .pattern(#"^[a-z"\\/é]+$"#), .format("email")),
                "a": .array(of: .string.nullable.rules(.pattern("a"))).rules(.minCount(0), .maxCount(5), .unique),
                "t": .set(of: .integer.rules(.minimum(0))).rules(.maxCount(2)),
                "x": .dictionary(of: .array(of: .double.rules(.exclusiveMaximum(0))).rules(.unique)).rules(
                    .minCount(1)),
                "day": .date, "other": .date, "state": .enumeration("open", "closed"),
            ]
        ).rules(
            .required(["day", "other"], when: ["state": "closed", "n": 1, "s": nil]), .exactlyOneOf(["n", "u", "d"]),
            .before("day", "other"), .notAfter("other", "day")),
        ModelSchema("Child", ["n": .integer.required], extends: "Plain").rules(.exactlyOneOf(["a", "t"])),
    ]

    @Test func everyRuleIsWrittenAndReadAgain() throws {
        let registry = try SchemaRegistry.of(Self.everything)
        let text = try registry.document(of: Self.everything).text()
        let again = SchemaRegistry()
        let loaded = try again.load(Array(text.utf8))
        #expect(loaded == Self.everything)
        #expect(loaded.map(\.rules) == Self.everything.map(\.rules))
        for (left, right) in zip(loaded[0].properties, Self.everything[0].properties) {
            #expect(left.schema.rules == right.schema.rules, "\(left.key)")
        }
        #expect(try again.document(of: loaded).text() == text)
    }

    @Test func theOrderOfRulesIsNoPartOfADocument() throws {
        let schema = ModelSchema("Plain", ["n": .integer.rules(.multipleOf(2), .minimum(1))])
        let text = try SchemaRegistry.of(schema).document(of: schema).text()
        let loaded = try SchemaRegistry().load(Array(text.utf8))
        #expect(loaded == [schema])
    }

    @Test func numbersOfLimitsStayExact() throws {
        let text =
            #"{"name":"A","properties":{"d":{"kind":"double","minimum":0.1,"maximum":1e300},"m":{"kind":"decimal","multipleOf":0.00000000000000000000000000000000000001},"u":{"kind":"unsigned","maximum":18446744073709551615}}}"#
        let registry = SchemaRegistry()
        let schemas = try registry.load(Array(text.utf8))
        let written = try registry.document(of: schemas[0])
        #expect(try written == JSONValue(parsing: text))
    }

    private static func property(_ text: String, _ column: Int, _ problem: String) -> (String, String) {
        ("{\"name\": \"A\", \"properties\":\n {\"p\": \(text)}}", "test.json:2:\(column): A.p: \(problem)")
    }

    // The property begins in column 8.
    @Test(arguments: [
        property(
            #"{"kind": "string", "minLength": -1}"#, 40,
            "minLength: expected an integer from 0 on but found the number -1"),
        property(
            #"{"kind": "string", "maxLength": 1.5}"#, 40,
            "maxLength: expected an integer from 0 on but found the number 1.5"),
        property(
            #"{"kind": "string", "maxLength": "5"}"#, 40, #"maxLength: expected an integer from 0 on but found "5""#),
        property(
            #"{"kind": "string", "maxLength": null}"#, 40, "maxLength: expected an integer from 0 on but found null"),
        property(
            #"{"kind": "string", "pattern": 5}"#, 38, "pattern: expected a regular expression but found the number 5"),
        property(#"{"kind": "string", "format": true}"#, 37, "format: expected the name of a format but found true"),
        property(#"{"kind": "integer", "minimum": "1"}"#, 39, #"minimum: expected a number but found "1""#),
        property(#"{"kind": "integer", "maximum": null}"#, 39, "maximum: expected a number but found null"),
        property(#"{"kind": "integer", "multipleOf": [2]}"#, 42, "multipleOf: expected a number but found an array"),
        property(
            #"{"kind": "integer", "exclusiveMaximum": true}"#, 48, "exclusiveMaximum: expected a number but found true"),
        property(
            #"{"kind": "array", "of": {"kind": "bool"}, "unique": false}"#, 60,
            "unique: expected true but found false"),
        property(
            #"{"kind": "array", "of": {"kind": "bool"}, "maxCount": {}}"#, 62,
            "maxCount: expected an integer from 0 on but found an object"),
        property(
            #"{"kind": "array", "of": {"kind": "string", "minLength": -2}}"#, 64,
            "minLength: expected an integer from 0 on but found the number -2"),
        property(#"{"kind": "string", "minLenght": 1}"#, 27, #"unknown member "minLenght"; did you mean "minLength"?"#),
    ])
    func aWrongLimitHasItsPlace(document: String, expected: String) {
        #expect(problems(of: document) == [expected])
    }

    @Test(arguments: [
        #"{"kind": "integer", "minLength": 1}"#,
        #"{"kind": "integer", "multipleOf": 0}"#,
        #"{"kind": "string", "format": "emial"}"#, #"{"kind": "string", "pattern": "("}"#,
        #"{"kind": "set", "of": {"kind": "bool"}, "unique": true}"#,
        #"{"kind": "array", "of": {"kind": "string", "format": "x"}}"#,
    ])
    func aRuleThatCannotHoldHasThePlaceOfItsProperty(property: String) {
        let found = problems(of: "{\"name\": \"A\",\n \"properties\": {\n  \"p\": \(property)}}")
        #expect(found.count == 1 && found[0].hasPrefix("test.json:3:") && found[0].contains("A.p: "), "\(found)")
    }

    private func ruleProblems(of rule: String) -> [String] {
        problems(
            of: "{\"name\": \"A\", \"properties\": {\"a\": {\"kind\": \"integer\"}, \"b\": {\"kind\": \"integer\"}},\n "
                + "\"rules\": [\n  \(rule)]}")
    }

    @Test(arguments: [
        "{}", "5", #"{"required": ["a"]}"#, #"{"when": {"b": 1}}"#, #"{"required": ["a"], "when": []}"#,
        #"{"before": ["a"]}"#, #"{"before": ["a", "b", "c"]}"#, #"{"before": ["a", "b"], "notAfter": ["a", "b"]}"#,
        #"{"before": ["a", "b"], "when": {"a": 1}}"#,
    ])
    func aWrongRuleOfASchemaHasItsPlace(rule: String) {
        let found = ruleProblems(of: rule)
        #expect(found.count == 1, "\(rule): \(found)")
        #expect(found.allSatisfy { $0.hasPrefix("test.json:3:") }, "\(rule): \(found)")
    }

    /// What the registry finds has the place of the rules.
    @Test(arguments: [
        #"{"required": ["a"], "when": {}}"#, #"{"exactlyOneOf": ["a"]}"#, #"{"required": ["a"], "when": {"b": "x"}}"#,
        #"{"required": ["z"], "when": {"b": 1}}"#, #"{"before": ["a", "z"]}"#,
    ])
    func aRuleThatMeansNothingHasThePlaceOfTheRules(rule: String) {
        let found = ruleProblems(of: rule)
        #expect(found.count == 1, "\(rule): \(found)")
        #expect(found.allSatisfy { $0.hasPrefix("test.json:2:11: A: the rule ") }, "\(rule): \(found)")
    }

    @Test(arguments: [
        #"{"required": "a", "when": {"b": 1}}"#, #"{"required": [], "when": {"b": 1}}"#, #"{"exactlyOneOf": "a"}"#,
        #"{"exactlyOneOf": ["a", 1]}"#, #"{"notAfter": {"a": "b"}}"#, #"{"befor": ["a", "b"]}"#,
        // Two spellings of one letter.
        "{\"required\": [\"b\"], \"when\": {\"\u{E9}\": 1, \"e\u{301}\": 2}}",
    ])
    func whatFollowsFromAMistakeIsNotReported(rule: String) {
        let found = ruleProblems(of: rule)
        #expect(found.contains { $0.hasPrefix("test.json:3:") })
        #expect(found.count == 1, "\(rule): \(found)")
    }

    @Test(arguments: [#""x""#, "{}", "null", "true"]) func rulesAreAList(rules: String) {
        let found = problems(of: "{\"name\": \"A\",\n \"rules\": \(rules)}")
        #expect(found.count == 1 && found[0].hasPrefix("test.json:2:11: A: rules: expected"), "\(found)")
    }
}
