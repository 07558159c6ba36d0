import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Each kind of contradiction is found once, where the article says, and the proposed edit accepts it.
@Suite struct DriftFindingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The properties of the schema `Order`, and what follows them in the document.
        let schema: String
        let documents: String
        let finding: String
        /// The edit in short; nil for none.
        let edit: String?
        var others = ""

        var testDescription: String { "\(finding): \(documents)" }
    }

    private static func property(_ text: String) -> String { #""properties": {"a": \#(text)}"# }

    static let rows = [
        Row(
            schema: property(#"{"kind": "bool"}"#), documents: #"{"b": "x y"}"#, finding: "unknownMember Order.b",
            edit: #"Order /properties/b: {"kind":"string"}"#),
        Row(
            schema: #""keys": "snakeCase", "# + property(#"{"kind": "bool"}"#), documents: #"{"html_url": 1}"#,
            finding: "unknownMember Order.html_url", edit: #"Order /properties/htmlURL: {"kind":"integer"}"#),
        Row(
            schema: #""keys": "explicit", "# + property(#"{"kind": "bool"}"#), documents: #"{"a.b": 1.5}"#,
            finding: #"unknownMember Order.a\.b"#,
            edit: #"Order /properties/aB: {"kind":"double","json":"a\\.b"}"#),
        Row(
            schema: property(#"{"kind": "bool", "json": "x.y"}"#), documents: #"{"x": {"y": true, "a": null}}"#,
            finding: "unknownMember Order.x.a", edit: #"Order /properties/a2: {"kind":"json","json":"x.a"}"#),
        Row(
            schema: property(#"{"kind": "bool"}"#), documents: #"{"user": {"id": 1, "order": {"id": 2}}}"#,
            finding: "unknownMember Order.user", edit: #"Order /properties/user: {"kind":"model","model":"User"}"#),
        Row(
            schema: property(#"{"kind": "bool", "required": true}"#), documents: "{}",
            finding: "missingMember Order.a", edit: "Order /properties/a/required: remove it"),
        Row(
            schema: property(#"{"kind": "bool", "required": true}"#), documents: #"{"a": null}"#,
            finding: "unexpectedNull Order.a", edit: "Order /properties/a/required: remove it"),
        Row(
            schema: property(#"{"kind": "array", "of": {"kind": "bool"}}"#), documents: #"{"a": [true, null]}"#,
            finding: "unexpectedNull Order.a[]", edit: "Order /properties/a/of/nullable: true"),
        Row(
            schema: property(#"{"kind": "integer", "doc": "D"}"#), documents: "{\"a\": 1}\n{\"a\": \"x\"}",
            finding: "otherKind Order.a", edit: #"Order /properties/a: {"kind":"json","doc":"D"}"#),
        Row(
            schema: property(#"{"kind": "integer", "required": true, "json": "b"}"#),
            documents: "{\"b\": 1}\n{\"b\": 1.5}", finding: "otherKind Order.a",
            edit: #"Order /properties/a: {"kind":"double","required":true,"json":"b"}"#),
        Row(
            schema: property(#"{"kind": "string"}"#), documents: #"{"a": {"id": 1, "in": {"id": 2}}}"#,
            finding: "otherKind Order.a", edit: #"Order /properties/a: {"kind":"model","model":"A"}"#),
        Row(
            schema: property(#"{"kind": "dictionary", "of": {"kind": "array", "of": {"kind": "string"}}}"#),
            documents: #"{"a": {"k": ["x", 1]}}"#, finding: "otherKind Order.a[][]",
            edit: #"Order /properties/a/of/of: {"kind":"json"}"#),
        Row(
            schema: property(#"{"kind": "date"}"#), documents: #"{"a": "yesterday"}"#,
            finding: "invalidValue Order.a", edit: #"Order /properties/a: {"kind":"string"}"#),
        Row(
            schema: property(#"{"kind": "int8"}"#), documents: #"{"a": 1000}"#,
            finding: "invalidValue Order.a", edit: #"Order /properties/a: {"kind":"integer"}"#),
        // The kind holds the values that the property could read, too.
        Row(
            schema: property(#"{"kind": "unsigned"}"#), documents: "{\"a\": 9223372036854775807}\n{\"a\": -1}",
            finding: "invalidValue Order.a", edit: #"Order /properties/a: {"kind":"integer"}"#),
        Row(
            schema: property(#"{"kind": "unsigned"}"#), documents: "{\"a\": 9223372036854775808}\n{\"a\": -1}",
            finding: "invalidValue Order.a", edit: #"Order /properties/a: {"kind":"decimal"}"#),
        Row(
            schema: property(#"{"kind": "integer"}"#), documents: "{\"a\": 9007199254740993}\n{\"a\": 1.5}",
            finding: "otherKind Order.a", edit: #"Order /properties/a: {"kind":"decimal"}"#),
        Row(
            schema: property(#"{"kind": "integer"}"#), documents: "{\"a\": 9007199254740993}\n{\"a\": 1e-200}",
            finding: "otherKind Order.a", edit: #"Order /properties/a: {"kind":"json"}"#),
        Row(
            schema: property(#"{"kind": "enumeration", "cases": ["x"]}"#), documents: "{\"a\": \"y\"}\n{\"a\": \"z\"}",
            finding: "unlistedCase Order.a", edit: #"Order /properties/a/cases: ["x","y","z"]"#),
        Row(
            schema: property(#"{"kind": "enumeration", "cases": {"x": ["x", "X"]}}"#), documents: #"{"a": "y"}"#,
            finding: "unlistedCase Order.a", edit: #"Order /properties/a/cases: {"x":["x","X"],"y":["y"]}"#),
        Row(
            schema: property(#"{"kind": "string"}"#)
                + #", "cluster": {"discriminator": "a", "models": {"x": "Order"}}"#, documents: #"{"a": "y"}"#,
            finding: "unlistedModel Order", edit: #"Order /cluster/models: {"x":"Order","y":"Order"}"#),
        Row(
            schema: property(#"{"kind": "integer"}"#)
                + #", "cluster": {"discriminator": "a", "models": [{"tag": 1, "model": "Order"}]}"#,
            documents: #"{"a": 2}"#, finding: "unlistedModel Order",
            edit: #"Order /cluster/models: [{"tag":1,"model":"Order"},{"tag":2,"model":"Order"}]"#),
        Row(
            schema: property(#"{"kind": "string"}"#)
                + #", "cluster": {"discriminator": "a", "models": {"x": "Order"}}"#,
            documents: "{}", finding: "unlistedModel Order", edit: #"Order /cluster/default: "Order""#),
        Row(
            schema: property(#"{"kind": "string"}"#)
                + #", "cluster": {"discriminator": "a", "models": {"x": "Order"}}"#,
            documents: #"{"a": null}"#, finding: "unlistedModel Order", edit: #"Order /cluster/default: "Order""#),
        Row(
            schema: property(#"{"kind": "string"}"#)
                + #", "cluster": {"discriminator": "a", "models": {"x": "Order"}}"#,
            documents:
                "{\"a\": \"SponsorEvent\", \"tier\": {\"price\": 5}}\n{\"a\": \"SponsorEvent\", \"tier\": {\"price\": 7}}",
            finding: "unlistedModel Order", edit: #"Order /cluster/models: {"x":"Order","SponsorEvent":"SponsorEvent"}"#
        ),
        Row(
            schema: property(#"{"kind": "integer", "minimum": 1}"#), documents: "{\"a\": -2}\n{\"a\": 0}",
            finding: "brokenRule Order.a", edit: "Order /properties/a/minimum: -2"),
        Row(
            schema: property(#"{"kind": "integer", "exclusiveMaximum": 1}"#), documents: #"{"a": 1}"#,
            finding: "brokenRule Order.a", edit: "Order /properties/a/exclusiveMaximum: remove it"),
        Row(
            schema: property(#"{"kind": "array", "of": {"kind": "string", "maxLength": 2}}"#),
            documents: #"{"a": ["ab", "abc"]}"#, finding: "brokenRule Order.a[]",
            edit: "Order /properties/a/of/maxLength: 3"),
        Row(
            schema: property(#"{"kind": "array", "of": {"kind": "string"}, "maxCount": 1}"#),
            documents: #"{"a": ["ab", "abc"]}"#, finding: "brokenRule Order.a", edit: "Order /properties/a/maxCount: 2"),
        Row(
            schema: property(#"{"kind": "string", "pattern": "^a"}"#), documents: #"{"a": "b"}"#,
            finding: "brokenRule Order.a", edit: "Order /properties/a/pattern: remove it"),
        Row(
            schema: #""properties": {"a": {"kind": "bool"}, "b": {"kind": "bool"}}, "#
                + #""rules": [{"exactlyOneOf": ["a", "b"]}]"#, documents: "{}",
            finding: "brokenRule Order", edit: "Order /rules: remove it"),
        Row(
            schema: #""properties": {"a": {"kind": "bool"}, "b": {"kind": "string"}}, "#
                + #""rules": [{"exactlyOneOf": ["a", "b"]}, {"required": ["b"], "when": {"a": true}}]"#,
            documents: #"{"a": true}"#, finding: "brokenRule Order.b", edit: "Order /rules/1: remove it"),
        Row(
            schema: #""properties": {"a": {"kind": "date"}, "b": {"kind": "date"}}, "#
                + #""rules": [{"notAfter": ["a", "b"]}]"#,
            documents: #"{"a": "2026-01-02T00:00:00Z", "b": "2026-01-01T00:00:00Z"}"#,
            finding: "brokenRule Order.a", edit: "Order /rules: remove it"),
        // An inherited property belongs to the schema that declares it.
        Row(
            schema: property(#"{"kind": "string"}"#) + #", "extends": "Base""#, documents: #"{"a": "", "x": 5}"#,
            finding: "otherKind Base.x", edit: #"Base /properties/x: {"kind":"integer"}"#,
            others: #", {"name": "Base", "properties": {"x": {"kind": "bool"}}}"#),
        Row(
            schema: property(#"{"kind": "model", "model": "Base"}"#), documents: #"{"a": {"x": 5}}"#,
            finding: "missingMember Base.y", edit: "Base /properties/y/required: remove it",
            others:
                #", {"name": "Base", "properties": {"x": {"kind": "integer"}, "y": {"kind": "bool", "required": true}}}"#
        ),
        Row(
            schema: property(#"{"kind": "array", "of": {"kind": "model", "model": "Base"}}"#),
            documents: #"{"a": [{"z": 5}]}"#, finding: "unknownMember Base.z",
            edit: #"Base /properties/z: {"kind":"integer"}"#, others: #", {"name": "Base", "properties": {}}"#),
    ]

    @Test(arguments: rows) func theContradictionIsFoundAndItsEditAcceptsIt(row: Row) throws {
        let trial = try DriftTrial("[{\"name\": \"Order\", \(row.schema)}\(row.others)]")
        let report = try trial.report(row.documents)
        try #require(report.titles == [row.finding])
        let finding = report.findings[0]
        #expect(finding.edit?.description == row.edit)
        #expect(finding.count >= 1 && finding.examples.count == min(finding.count, 3))
        guard let edit = finding.edit else { return }
        let edited = try trial.applying(edit)
        #expect(try edited.report(row.documents).titles == [])
    }

    /// Problems of a stream have locations in the stream, and their values are those of the document, however they are found.
    @Test(arguments: [true, false]) func valuesOfUnknownMembersAreThoseOfTheirDocument(hasLocation: Bool) throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"id": {"kind": "integer"}}}]"#)
        let registry = try trial.registry()
        let schema = try registry.schema(named: "Order")
        let lines = [#"{"id": 1, "x" :  "one"}"#, #"{"x":"two", "id": 2}"#, #"{"id":3,"\u0078":"three"}"#]
        let reports = try DriftTrial.adapter(schema, registry).models(
            fromLines: [Data(lines.joined(separator: "\n").utf8)]
        ).reports
        var monitor = try DriftMonitor(schema: schema, registry: registry)
        for (line, report) in zip(lines, reports) {
            monitor.add(
                Data(line.utf8), problems: report.problems, models: report.models, source: "orders",
                location: hasLocation ? report.location : nil)
        }
        let findings = monitor.report().findings
        #expect(findings.map(\.short) == ["unknownMember Order.x"])
        #expect(findings.first?.examples.map(\.found) == [#""one""#, #""two""#, #""three""#])
        #expect(findings.first?.examples.map(\.line) == [1, 2, 3])
        #expect(findings.first?.edit?.value == ["kind": "string"])
    }

    @Test func aMalformedDocumentIsAFinding() throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "bool"}}}]"#)
        let registry = try trial.registry()
        let schema = try registry.schema(named: "Order")
        let adapter = try DriftTrial.adapter(schema, registry)
        var monitor = try DriftMonitor(schema: schema, registry: registry)
        let text = Array("{\"a\": true,\n}".utf8)
        monitor.add(text, problems: adapter.report(from: text).problems, source: "x.json", line: 7)
        let report = monitor.report()
        #expect(report.titles == ["malformed Order"])
        #expect(report.findings[0].examples[0].line == 8)
        #expect(report.documents == 1 && report.figures.isEmpty)
    }

    /// Documents with one contradiction each, from which decoding could conclude that a rule is broken, too.
    @Test(
        arguments: [
            (#"{"a": "", "l": [1, "x"]}"#, "otherKind Order.l[]"), (#"{"a": "", "l": [1]}"#, "brokenRule Order.l"),
            (#"{"a": 5}"#, "otherKind Order.a"), (#"{"a": "", "m": {"k": "x"}}"#, "brokenRule Order.m"),
            (#"{"a": "", "m": {"k": 5}}"#, "otherKind Order.m[]"), ("{}", "brokenRule Order"),
        ])
    func rulesCountOnlyWhereAllElseIsRight(document: String, finding: String) throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"a": {"kind": "string"}, "b": {"kind": "string"},
              "l": {"kind": "array", "of": {"kind": "integer"}, "minCount": 2},
              "m": {"kind": "dictionary", "of": {"kind": "string"}, "minCount": 2}},
              "rules": [{"exactlyOneOf": ["a", "b"]}]}]
            """)
        #expect(try trial.report(document).titles == [finding])
    }

    @Test func anEditThatAloneCannotBeLoadedIsNotProposed() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"a": {"kind": "string"}, "b": {"kind": "string"}},
              "rules": [{"required": ["b"], "when": {"a": "x"}}]}]
            """)
        let report = try trial.report(#"{"a": 5}"#)
        #expect(report.titles == ["otherKind Order.a"] && report.findings[0].edit == nil)
    }

    @Test func theFirstExamplesTellWhereTheyAre() throws {
        let trial = try DriftTrial(#"[{"name": "Order", "properties": {"a": {"kind": "bool", "json": "x.y"}}}]"#)
        let report = try trial.report((1...5).map { ["x": ["y": .number(JSONNumber($0))]] })
        let finding = try #require(report.findings.first)
        #expect(finding.count == 5 && finding.values.map(\.value) == ["number"] && finding.values[0].count == 5)
        #expect(finding.examples.map(\.line) == [1, 2, 3] && finding.examples.allSatisfy { $0.source == "events" })
        #expect(finding.examples.map(\.pointer) == Array(repeating: ["x", "y"], count: 3))
        #expect(finding.examples.map(\.found) == ["the number 1", "the number 2", "the number 3"])
    }

    @Test func whatTheSchemaAllowsForIsANote() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"a": {"kind": "string"}, "c": {"kind": "array", "of":
              {"kind": "enumeration", "cases": ["x"], "unknown": "keep"}}, "d": {"kind": "bool"}},
              "cluster": {"discriminator": "a", "models": {"x": "X", "o": "Order"}, "default": "Order"}},
             {"name": "X", "extends": "Order"}]
            """)
        let report = try trial.report(#"{"a": "new", "c": ["x", "y"]}"#)
        #expect(report.findings.isEmpty && !report.hasNews)
        #expect(
            report.notes.map(\.short) == [
                "unlistedModel Order", "unlistedCase Order.c[]", "neverSeen Order.d", "neverSeen X",
            ])
        #expect(report.notes[0].values.map(\.value) == ["new"])
        #expect(try trial.report(#"{"a": "x"}"#).notes.map(\.short) == ["neverSeen Order.c", "neverSeen Order.d"])
        #expect(report.notes[1].examples.map(\.pointer) == [["c", "1"]])
    }

    @Test(arguments: ["", #", "default": "Order""#]) func secretDiscriminatorsStaySecret(fallback: String) throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"a": {"kind": "string", "labels": ["secret"], "json": "x.y"}},
              "cluster": {"discriminator": "x.y", "models": {"o": "Order"}\(fallback)}}]
            """)
        let report = try trial.report(#"{"x": {"y": "zxqv"}}"#)
        #expect(report.titles == (fallback.isEmpty ? ["unlistedModel Order"] : []))
        for text in [try report.json.text(), report.text] { #expect(!text.contains("zxqv")) }
    }

    @Test func secretsStaySecret() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {
              "pin": {"kind": "integer", "labels": ["secret"], "minimum": 5000},
              "word": {"kind": "enumeration", "cases": ["a"], "labels": ["secret"]},
              "codes": {"kind": "dictionary", "of": {"kind": "string"}, "labels": ["secret"]},
              "card": {"kind": "model", "model": "Card", "labels": ["secret"]}, "other": {"kind": "string", "labels": ["secret"]}}},
             {"name": "Card", "properties": {"number": {"kind": "string"}}}]
            """)
        let report = try trial.report(
            """
            {"pin": 1234, "word": "zxqv", "codes": {"zxqvKey": 777777}, "card": {"number": 888888, "zxqvName": 1}}
            {"pin": "zxqv", "word": 999999, "other": "zxqv"}
            {"pin": 1234}
            """)
        let expected = [
            "otherKind Order.pin", "unlistedCase Order.word", "otherKind Order.word", "otherKind Order.codes[]",
            "otherKind Card.number", "unknownMember Card.…", "brokenRule Order.pin",
        ]
        #expect(Set(report.titles).isSubset(of: expected) && report.findings.count >= 6, "\(report.titles)")
        let texts = [try report.json.text(), report.text]
        for text in texts {
            for secret in ["1234", "zxqv", "777777", "888888", "999999"] { #expect(!text.contains(secret)) }
        }
    }
}
