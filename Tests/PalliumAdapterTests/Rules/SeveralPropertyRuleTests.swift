import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Rules about several properties, as data.
struct SeveralPropertyRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let schema: ModelSchema
        let kept: [String]
        /// A document, and the pointer of the problem.
        let broken: [(String, String)]
        var testDescription: String { "\(schema.rules)" }
    }

    private static func conditions() -> [Case] {
        let base = ModelSchema(
            "Plain",
            ["state": .string, "n": .double, "day": .date, "owner": .string, "a": .string, "b": .integer])
        return [
            Case(
                schema: base.rules(.required(["a"], when: ["state": "closed"])),
                kept: [
                    "{}", #"{"state":"open"}"#, #"{"state":null}"#, #"{"state":"closed","a":""}"#, #"{"a":"x"}"#,
                    #"{"state":"Closed"}"#,
                ],
                broken: [(#"{"state":"closed"}"#, "/a"), (#"{"state":"closed","a":null}"#, "/a")]),
            Case(
                schema: base.rules(.required(["a", "b"], when: ["state": "closed"])),
                kept: ["{}", #"{"state":"closed","a":"x","b":0}"#],
                broken: [(#"{"state":"closed","a":"x"}"#, "/b"), (#"{"state":"closed","b":1}"#, "/a")]),
            // Null means that the property has no value.
            Case(
                schema: base.rules(.required(["a"], when: ["owner": nil])),
                kept: [#"{"owner":"x"}"#, #"{"a":"x"}"#, #"{"owner":""}"#],
                broken: [("{}", "/a"), (#"{"owner":null}"#, "/a")]),
            // All conditions must be met.
            Case(
                schema: base.rules(.required(["a"], when: ["state": "closed", "owner": nil, "n": 1])),
                kept: [
                    "{}", #"{"state":"closed","n":2}"#, #"{"state":"closed","n":1,"owner":"x"}"#,
                    #"{"state":"closed"}"#,
                ],
                broken: [(#"{"state":"closed","n":1}"#, "/a")]),
            Case(
                schema: base.rules(.required(["a"], when: ["n": 1])), kept: [#"{"n":1.5}"#, "{}"],
                broken: [(#"{"n":1}"#, "/a"), (#"{"n":1.0}"#, "/a"), (#"{"n":10e-1}"#, "/a")]),
            // Dates are compared as dates.
            Case(
                schema: base.rules(.required(["a"], when: ["day": "2026-01-01T00:00:00Z"])),
                kept: [#"{"day":"2026-01-01T00:00:01Z"}"#],
                broken: [
                    (#"{"day":"2026-01-01T00:00:00Z"}"#, "/a"), (#"{"day":"2026-01-01T01:00:00+01:00"}"#, "/a"),
                    (#"{"day":"2026-01-01T00:00:00.000Z"}"#, "/a"),
                ]),
        ]
    }

    private static func otherConditions() -> [Case] {
        let numbers = EnumerationSchema(cases: [.init(.number(1)), .init(.number(2))])
        let texts = EnumerationSchema(cases: [.init(.text("1"), aliases: [.text("I")]), .init(.text("2"))])
        let defaulted = ModelSchema(
            "Plain",
            ["state": .string.default("closed"), "size": .integer.default(3), "a": .string.default("x"), "b": .string])
        return [
            Case(
                schema: ModelSchema("Plain", ["e": .enumeration("x", "y"), "a": .string]).rules(
                    .required(["a"], when: ["e": "y"])),
                kept: ["{}", #"{"e":"x"}"#, #"{"e":"y","a":"1"}"#], broken: [(#"{"e":"y"}"#, "/a")]),
            Case(
                schema: ModelSchema("Plain", ["e": .enumeration(numbers), "a": .string]).rules(
                    .required(["a"], when: ["e": 2])),
                kept: ["{}", #"{"e":1}"#], broken: [(#"{"e":2}"#, "/a")]),
            // Spellings of one case are one value.
            Case(
                schema: ModelSchema("Plain", ["e": .enumeration(texts), "a": .string]).rules(
                    .required(["a"], when: ["e": "1"])),
                kept: [#"{"e":"2"}"#], broken: [(#"{"e":"1"}"#, "/a"), (#"{"e":"I"}"#, "/a")]),
            // The value is converted as in a document.
            Case(
                schema: ModelSchema("Plain", ["t": .date.transformer(UnixSecondsTransformerName), "a": .string])
                    .rules(.required(["a"], when: ["t": 60])),
                kept: [#"{"t":61}"#, "{}"], broken: [(#"{"t":60}"#, "/a")]),
            Case(
                schema: ModelSchema("Plain", ["f": .bool, "a": .string]).rules(.required(["a"], when: ["f": true])),
                kept: ["{}", #"{"f":false}"#], broken: [(#"{"f":true}"#, "/a")]),
            // A default counts as a value.
            Case(
                schema: defaulted.rules(.required(["b"], when: ["state": "closed"])),
                kept: [#"{"state":"open"}"#, #"{"b":"x"}"#], broken: [("{}", "/b"), (#"{"size":1}"#, "/b")]),
            Case(schema: defaulted.rules(.required(["a"], when: ["state": "closed"])), kept: ["{}"], broken: []),
            Case(schema: defaulted.rules(.required(["b"], when: ["state": nil])), kept: ["{}"], broken: []),
            Case(
                schema: defaulted.rules(.exactlyOneOf(["a", "b"])), kept: ["{}", #"{"a":"y"}"#],
                broken: [(#"{"b":"x"}"#, "")]),
            Case(
                schema: ModelSchema("Plain", ["a": .integer.default(5), "b": .integer]).rules(.before("a", "b")),
                kept: ["{}", #"{"b":6}"#], broken: [(#"{"b":5}"#, "/a")]),
        ]
    }

    private static func comparisons() -> [Case] {
        let three = ModelSchema("Plain", ["a": .string, "b": .array(of: .integer), "c": .model("Plain")])
        func pair(_ property: PropertySchema) -> ModelSchema { ModelSchema("Plain", ["a": property, "b": property]) }
        return [
            Case(
                schema: three.rules(.exactlyOneOf(["a", "b", "c"])),
                kept: [#"{"a":""}"#, #"{"b":[]}"#, #"{"b":[1],"a":null}"#],
                broken: [
                    ("{}", ""), (#"{"a":null}"#, ""), (#"{"a":"x","b":[]}"#, ""),
                    (#"{"a":"x","b":[],"c":{"a":"x"}}"#, ""),
                    (#"{"c":{}}"#, "/c"),
                ]),
            Case(
                schema: pair(.date).rules(.before("a", "b")),
                kept: [
                    "{}", #"{"a":"2026-01-01T00:00:00Z"}"#, #"{"b":"2026-01-01T00:00:00Z"}"#,
                    #"{"a":"2026-01-01T00:00:00Z","b":"2026-01-01T00:00:01Z"}"#,
                    #"{"a":"2026-01-01T00:00:00Z","b":null}"#,
                ],
                broken: [
                    (#"{"a":"2026-01-01T00:00:00Z","b":"2026-01-01T01:00:00+01:00"}"#, "/a"),
                    (#"{"a":"2026-01-01T00:00:00.001Z","b":"2026-01-01T00:00:00Z"}"#, "/a"),
                ]),
            Case(
                schema: pair(.date).rules(.notAfter("a", "b")),
                kept: [#"{"a":"2026-01-01T00:00:00Z","b":"2026-01-01T01:00:00+01:00"}"#, "{}"],
                broken: [(#"{"a":"2026-01-01T00:00:00.001Z","b":"2026-01-01T00:00:00Z"}"#, "/a")]),
            Case(
                schema: pair(.integer).rules(.before("a", "b")), kept: [#"{"a":-1,"b":0}"#],
                broken: [(#"{"a":0,"b":0}"#, "/a"), (#"{"a":9223372036854775807,"b":9223372036854775806}"#, "/a")]),
            Case(
                schema: pair(.unsigned).rules(.notAfter("a", "b")),
                kept: [#"{"a":18446744073709551615,"b":18446744073709551615}"#, #"{"a":1,"b":9223372036854775808}"#],
                broken: [(#"{"a":9223372036854775808,"b":1}"#, "/a")]),
            Case(
                schema: pair(.double).rules(.notAfter("a", "b")), kept: [#"{"a":0.0,"b":-0.0}"#, #"{"a":1,"b":1.0}"#],
                broken: [(#"{"a":5e-324,"b":0}"#, "/a")]),
            Case(
                schema: pair(.decimal).rules(.before("a", "b")),
                kept: [#"{"a":0.1,"b":0.10000000000000000000000000000000000001}"#],
                broken: [(#"{"a":0.1,"b":0.10}"#, "/a")]),
            Case(
                schema: pair(.float).rules(.before("a", "b")), kept: [#"{"a":1,"b":1.1}"#],
                broken: [(#"{"a":1.1,"b":1.1}"#, "/a")]),
            Case(
                schema: pair(.integer(as: Int8.self)).rules(.before("a", "b")), kept: [#"{"a":-128,"b":127}"#],
                broken: [(#"{"a":127,"b":-128}"#, "/a")]),
        ]
    }

    @Test(arguments: conditions() + otherConditions() + comparisons())
    func rulesAboutSeveralPropertiesAreChecked(row: Case) throws {
        let adapter = try Plain.adapter([row.schema]).withoutFoundation
        for text in row.kept { #expect(throws: Never.self, "\(text)") { try adapter.model(from: text) } }
        for (text, pointer) in row.broken {
            let error = adapter.problem(of: text)
            #expect(places(error) == ["ruleBroken at \(pointer)"], "\(text): \(error?.description ?? "")")
        }
    }

    @Test func theRulesOfAParentHold() throws {
        let parent = ModelSchema("Parent", ["state": .string, "n": .integer.rules(.minimum(1)), "a": .string])
            .rules(.required(["a"], when: ["state": "closed"]))
        let child = ModelSchema("Plain", ["b": .string, "n": .integer.rules(.maximum(9))], extends: "Parent")
            .rules(.exactlyOneOf(["a", "b"]))
        let adapter = try Plain.adapter([child, parent])
        for text in [#"{"b":"x"}"#, #"{"a":"x","state":"closed","n":9}"#] {
            #expect(throws: Never.self) { try adapter.model(from: text) }
        }
        for (text, pointers) in [
            ("{}", [""]), (#"{"state":"closed","b":"x"}"#, ["/a"]), (#"{"b":"x","n":0}"#, ["/n"]),
            (#"{"b":"x","n":10}"#, ["/n"]), (#"{"a":"x","b":"x"}"#, [""]),
        ] {
            #expect(places(adapter.problem(of: text)) == pointers.map { "ruleBroken at \($0)" }, "\(text)")
        }
        let plain = try Plain.adapter([parent, child])
        #expect(throws: Never.self) { try plain.model(from: #"{"n": 10}"#) }
    }

    @Test func aNestedModelHasItsOwnPlace() throws {
        let child = ModelSchema("Child", ["from": .integer, "to": .integer, "x": .string]).rules(
            .before("from", "to"), .required(["x"], when: ["from": 1]))
        let adapter = try Plain.adapter([ModelSchema("Plain", ["all": .array(of: .model("Child"))]), child])
        #expect(throws: Never.self) { try adapter.model(from: #"{"all":[{"from":2,"to":3}]}"#) }
        #expect(places(adapter.problem(of: #"{"all":[{}, {"from":2,"to":2}]}"#)) == ["ruleBroken at /all/1/from"])
        #expect(places(adapter.problem(of: #"{"all":[{"from":1,"to":2}]}"#)) == ["ruleBroken at /all/0/x"])
    }

    @Test func aMissingMappedPropertyIsNamedAsInTheDocument() throws {
        let schema = ModelSchema("Plain", ["state": .string, "closedAt": .date.json("closed_at")])
            .rules(.required(["closedAt"], when: ["state": "closed"]))
        let error = try Plain.adapter([schema]).problem(of: #"{"state": "closed"}"#)
        #expect(places(error) == ["ruleBroken at /closed_at"])
        #expect(error?.property == "closedAt")
    }

    @Test(.threat(.secretsInErrors)) func secretsOfRulesAreMasked() throws {
        let schema = ModelSchema(
            "Plain", ["a": .integer.secret, "b": .integer.secret, "c": .string.secret, "d": .string]
        )
        .rules(.before("a", "b"), .required(["d"], when: ["c": "open sesame"]))
        let adapter = try Plain.adapter([schema])
        let error = try #require(adapter.problem(of: #"{"a": 98765, "b": 12345}"#))
        #expect(!error.description.contains("98765") && !error.description.contains("12345"), "\(error)")
        #expect(adapter.problem(of: #"{"c": "open sesame"}"#)?.code == .ruleBroken)
    }

    @Test func rulesAreValues() {
        typealias Rule = ModelSchema.Rule
        #expect(Rule.required(["a"], when: ["b": 1, "c": nil]) == .required(["a"], when: ["c": nil, "b": 1.0]))
        #expect(Rule.before("a", "b") != .before("b", "a"))
        #expect(Rule.before("a", "b") != .notAfter("a", "b"))
        let schema = ModelSchema("A", ["a": .integer, "b": .integer])
        #expect(schema.rules(.before("a", "b")) != schema)
        #expect(schema.rules(.before("a", "b")).rules == [.before("a", "b")])
    }
}
