import Foundation
import ModelTestSupport
import Pallium
import Testing

/// `Schemas/model-schema.json` and the loader say the same of documents, but for what no JSON Schema can say.
@Suite(.threat(.schemaDocuments))
struct SchemaAgreementTests {
    private let description: JSONValue
    private let validator: JSONSchemaValidator

    init() throws {
        let file = SharedData.repository.appendingPathComponent("Schemas/model-schema.json")
        description = try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
        validator = try JSONSchemaValidator(description)
    }

    /// What the loader finds by comparing parts of a document with one another, with its limits or with what is registered.
    private static let beyondDescription = [
        "names the model", "which is not registered", "names a key that does not exist", "is no kind; ",
        "is no case", "the default value does not fit", "would be written over", "extends itself", "occurs twice",
        "differs from another key in its spelling only", "is no weak model property", "an upgrade starts from version",
        "two upgrades start from", "the upgrade from version", "the merge policy", "missing elements are known",
        "identifiers are known", "can never match", "does not descend from", "another schema of this name",
        "which does not fit", "but the profile does not map it", "has an inverse but holds no models",
        "steps into an array",
        "but the one before it gives", "is weak, but only a property that keeps", " nothing; drop ",
        "nothing in JSON maps it", "names no key", "with an unfit value",
        "is a number that no double equals",
        "values of the kind array", "values of the kind set", "values of the kind dictionary",
        "references have no index", "have no identity, so", "has the delete rule", "the cluster lists",
        "the rule before compares", "cannot be used: expected a character",
    ]

    private func disagreement(_ document: JSONValue) throws -> String? {
        let found = problems(of: try document.text())
        let isAccepted = try validator.accepts(document)
        if found.isEmpty { return isAccepted ? nil : "only the loader accepts \(try document.text())" }
        let others = found.filter { problem in !Self.beyondDescription.contains { problem.contains($0) } }
        if isAccepted, let first = others.first { return "\(first): only the loader refuses \(try document.text())" }
        return nil
    }

    @Test(.trials) func loaderAndDescriptionAgreeOnGeneratedDocuments() throws {
        let trials = Trials(24)
        var refused = 0
        for seed in trials {
            var generator = SchemaDocumentGenerator(seed: seed)
            let document = generator.document()
            let found = problems(of: try document.text())
            // Modifiers that take the meaning of another one are generated, too.
            #expect(found.filter { !$0.contains(" nothing; drop ") } == [])
            #expect(try validator.accepts(document))
            for _ in 0..<3 {
                let damaged = generator.damaged(document)
                let disagreement = try disagreement(damaged)
                #expect(disagreement == nil)
                if try !validator.accepts(damaged) { refused += 1 }
            }
        }
        // The test is of no use where nothing is wrong, or everything.
        #expect((trials.count * 2 / 3..<trials.count * 29 / 10).contains(refused))
    }

    @Test(
        arguments: [
            #""required": true"#, #""nullable": true"#, #""weak": true"#, #""labels": ["pii"]"#, #""readOnly": true"#,
            #""writeOnly": true"#, #""only": "input""#, #""default": 1"#, #""json": "b""#, #""nil": "omit""#,
            #""storage": "transitory""#, #""storage": "permanent""#, #""archive": "excluded""#, #""index": true"#,
            #""index": "unique""#, #""inverse": "a""#, #""merge": "keep""#, #""doc": "One.""#, #""minimum": 1"#,
            #""unknown": "keep""#, #""transformer": "T""#,
        ], ["array", "set", "dictionary"])
    func bothSayTheSameOfAMemberOfAnElement(member: String, kind: String) throws {
        let element = #"{"kind": "integer", \#(member)}"#
        for element in [element, #"{"kind": "array", "of": \#(element)}"#] {
            let document = #"{"name": "A", "properties": {"a": {"kind": "\#(kind)", "of": \#(element)}}}"#
            #expect(try disagreement(JSONValue(parsing: document)) == nil)
        }
    }

    @Test func theDescriptionKnowsEveryMemberOfTheLoader() throws {
        let value = description.objectValue?["$defs"]?.objectValue?["value"]?.objectValue?["properties"]?.objectValue
        let schema = description.objectValue?["$defs"]?.objectValue?["schema"]?.objectValue?["properties"]?.objectValue
        let fix = problems(of: #"{"name": "A", "zzzzzz": 1, "properties": {"a": {"kind": "bool", "zzzzzz": 1}}}"#)
        #expect(fix.first?.hasSuffix(Array(schema?.map(\.key) ?? []).joined(separator: ", ")) == true, "\(fix)")
        #expect(
            Set(fix.last?.components(separatedBy: "can have ").last?.components(separatedBy: ", ") ?? [])
                == Set(value?.map(\.key) ?? []))
    }

    @Test func aDocumentMayNameItsDescription() throws {
        let document = #"{"$schema": "https://example.org/model-schema.json", "name": "A"}"#
        #expect(problems(of: document) == [])
        #expect(try validator.accepts(JSONValue(parsing: Array(document.utf8))))
        #expect(
            problems(of: #"{"$schema": 1, "name": "A"}"#) == [
                "test.json:1:13: A: $schema: expected the address of a JSON Schema but found the number 1"
            ])
    }

    @Test(arguments: [
        (#"{"name": "A", "version": 0}"#, "version: expected an integer from 1 on but found the number 0"),
        (
            #"{"name": "A", "version": 2, "upgrades": [{"from": 0}]}"#,
            "from: expected an integer from 1 on but found the number 0"
        ),
        (
            #"{"name": "A", "properties": {"a": {"kind": "enumeration", "cases": {"": ["x"]}}}}"#,
            "cases: a name cannot be empty"
        ),
    ])
    func whatTheDescriptionRefusesTheLoaderRefuses(document: String, problem: String) throws {
        #expect(problems(of: document).first?.hasSuffix(problem) == true)
        #expect(try !validator.accepts(JSONValue(parsing: Array(document.utf8))))
    }

    private static func property(_ rules: String) -> String { #"{"name": "A", "properties": {"a": {\#(rules)}}}"# }

    private static func model(_ rule: String) -> String {
        #"{"name": "A", "properties": {"a": {"kind": "date"}, "b": {"kind": "date"}, "c": {"kind": "bool"}}, "rules": [\#(rule)]}"#
    }

    @Test(arguments: [
        property(
            #""kind": "integer", "minimum": 1, "maximum": 1e2, "exclusiveMinimum": -1, "exclusiveMaximum": 9, "multipleOf": 2"#
        ),
        property(#""kind": "decimal", "multipleOf": 0.05"#),
        property(#""kind": "string", "minLength": 0, "maxLength": 1.0"#),
        property(#""kind": "string", "pattern": "", "format": "email""#),
        property(
            #""kind": "array", "of": {"kind": "string", "minLength": 1}, "minCount": 0, "maxCount": 0, "unique": true"#),
        property(#""kind": "set", "of": {"kind": "bool"}, "maxCount": 1"#),
        property(#""kind": "dictionary", "of": {"kind": "bool"}, "minCount": 1"#),
        property(#""kind": "string", "minLength": 1, "messages": {"minLength": "Too short.", "pattern": ""}"#),
        model(#"{"before": ["a", "b"], "message": "In order."}"#),
        model(#"{"required": ["a", "b"], "when": {"c": true}}"#),
        model(#"{"required": ["a"], "when": {"b": null, "c": false}}"#),
        model(#"{"exactlyOneOf": ["a", "b", "c"]}"#), model(#"{"before": ["a", "b"]}, {"notAfter": ["b", "a"]}"#),
    ])
    func rulesThatTheDescriptionAcceptsAreLoaded(document: String) throws {
        #expect(problems(of: document) == [])
        #expect(try validator.accepts(JSONValue(parsing: Array(document.utf8))))
    }

    @Test(arguments: [
        property(#""kind": "string", "minimum": 1"#), property(#""kind": "date", "maximum": 1"#),
        property(#""kind": "array", "of": {"kind": "integer"}, "multipleOf": 1"#),
        property(#""kind": "integer", "minLength": 1"#),
        property(#""kind": "url", "pattern": "a""#), property(#""kind": "uuid", "format": "uuid""#),
        property(#""kind": "string", "minCount": 1"#), property(#""kind": "json", "maxCount": 1"#),
        property(#""kind": "set", "of": {"kind": "bool"}, "unique": true"#),
        property(#""kind": "string", "minLength": -1"#),
        property(#""kind": "string", "maxLength": 1.5"#), property(#""kind": "string", "maxLength": "1""#),
        property(#""kind": "string", "pattern": 1"#), property(#""kind": "string", "format": """#),
        property(#""kind": "array", "of": {"kind": "bool"}, "maxCount": null"#),
        property(#""kind": "array", "of": {"kind": "bool"}, "unique": false"#),
        property(#""kind": "integer", "minimum": "1""#),
        property(#""kind": "integer", "messages": {"minimum": 1}"#), property(#""kind": "integer", "messages": "m""#),
        property(#""kind": "integer", "messages": {"required": "m"}"#),
        model(#"{"before": ["a", "b"], "message": null}"#), model(#"{"message": "m"}"#),
        property(#""kind": "integer", "multipleOf": 0"#), property(#""kind": "double", "multipleOf": -0.5"#),
        property(#""kind": "array", "of": {"kind": "bool", "minimum": 1}"#),
        model("{}"), model("5"), model(#"{"required": ["a"]}"#), model(#"{"when": {"c": true}}"#),
        model(#"{"required": [], "when": {"c": true}}"#), model(#"{"required": ["a"], "when": {}}"#),
        model(#"{"required": "a", "when": {"c": true}}"#), model(#"{"exactlyOneOf": ["a"]}"#),
        model(#"{"exactlyOneOf": ["a", "a"]}"#),
        model(#"{"before": ["a"]}"#), model(#"{"before": ["a", "b", "c"]}"#), model(#"{"before": ["a", "a"]}"#),
        model(#"{"before": ["a", "b"], "when": {"c": true}}"#),
        model(#"{"before": ["a", "b"], "notAfter": ["a", "b"]}"#),
        model(#"{"befor": ["a", "b"]}"#), model(""), #"{"name": "A", "rules": {}}"#, #"{"name": "A", "rules": null}"#,
    ])
    func rulesThatTheDescriptionRefusesAreNotLoaded(document: String) throws {
        #expect(problems(of: document) != [])
        #expect(try !validator.accepts(JSONValue(parsing: Array(document.utf8))))
    }

    @Test func namesAreMeasuredInCharacters() throws {
        func document(_ count: Int) -> String { #"{"name": "\#(String(repeating: "é", count: count))"}"# }
        #expect(problems(of: document(256)) == [])
        #expect(problems(of: document(257)).first?.hasSuffix("has 257 characters; 256 are allowed") == true)
        #expect(try validator.accepts(JSONValue(parsing: Array(document(256).utf8))))
        #expect(try !validator.accepts(JSONValue(parsing: Array(document(257).utf8))))
    }
}
