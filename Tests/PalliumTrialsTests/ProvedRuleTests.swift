import Foundation
import Pallium
import PalliumTrials
import Testing

/// A change of the rules about several properties of a schema.
struct RuleEdit: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String

    init(_ old: String, _ new: String) {
        self.old = old
        self.new = new
    }

    var testDescription: String { "\(old) becomes \(new)" }

    func changes() throws -> [SchemaChange] {
        try ComparisonTests.changes(from: Self.schema(old), to: Self.schema(new), [.backward])
    }

    private static func schema(_ rules: String) -> String {
        #"""
        {"name": "Issue", "rules": [\#(rules)], "properties": {
            "state": {"kind": "enumeration", "cases": ["open", "closed", "draft"]}, "urgent": {"kind": "bool"},
            "count": {"kind": "integer"}, "note": {"kind": "string"}, "label": {"kind": "string", "pattern": "^l[0-9]$"},
            "openedAt": {"kind": "date"}, "closedAt": {"kind": "date"}}}
        """#
    }
}

@Suite struct ProvedRuleTests {
    static let breaking: [RuleEdit] = [
        // Each condition alone.
        RuleEdit(
            #"{"required": ["closedAt"], "when": {"state": "closed", "urgent": true}}"#,
            #"{"required": ["closedAt"], "when": {"state": "closed"}}"#),
        RuleEdit(
            #"{"required": ["closedAt"], "when": {"state": "closed", "urgent": true}}"#,
            #"{"required": ["closedAt"], "when": {"urgent": true}}"#),
        RuleEdit(
            #"{"required": ["note"], "when": {"count": 977, "label": "l8", "urgent": false}}"#,
            #"{"required": ["note"], "when": {"count": 977, "urgent": false}}"#),
        RuleEdit(
            #"{"required": ["note"], "when": {"state": null, "count": 977}}"#,
            #"{"required": ["note"], "when": {"count": 977}}"#),
        // Each required property alone.
        RuleEdit(
            #"{"required": ["note"], "when": {"count": 977}}"#,
            #"{"required": ["note", "label"], "when": {"count": 977}}"#),
        RuleEdit(#"{"exactlyOneOf": ["note", "label"]}"#, #"{"exactlyOneOf": ["note", "label", "count"]}"#),
        RuleEdit(#"{"exactlyOneOf": ["note", "label", "count"]}"#, #"{"exactlyOneOf": ["note", "label"]}"#),
        // Each order of two values.
        RuleEdit(#"{"notAfter": ["openedAt", "closedAt"]}"#, #"{"before": ["openedAt", "closedAt"]}"#),
        RuleEdit(#"{"before": ["openedAt", "closedAt"]}"#, #"{"before": ["closedAt", "openedAt"]}"#),
    ]

    static let harmless: [RuleEdit] = [
        RuleEdit(
            #"{"required": ["closedAt"], "when": {"state": "closed"}}"#,
            #"{"required": ["closedAt"], "when": {"state": "closed", "urgent": true}}"#),
        RuleEdit(
            #"{"required": ["note", "label"], "when": {"count": 977}}"#,
            #"{"required": ["note"], "when": {"count": 977}}"#),
        RuleEdit(
            #"{"exactlyOneOf": ["note", "label"]}"#,
            #"{"exactlyOneOf": ["note", "label"]}, {"required": ["label"], "when": {"note": null}}"#),
        RuleEdit(#"{"before": ["openedAt", "closedAt"]}"#, #"{"notAfter": ["openedAt", "closedAt"]}"#),
        RuleEdit(
            #"{"before": ["openedAt", "closedAt"]}, {"exactlyOneOf": ["note", "label"]}"#,
            #"{"exactlyOneOf": ["note", "label"]}, {"before": ["openedAt", "closedAt"]}"#),
    ]

    @Test(arguments: breaking) func aStricterRuleHasAWitness(_ edit: RuleEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == ["rules-changed"])
        #expect(changes.map(\.severity) == [.breaking], "\(changes)")
    }

    @Test(arguments: harmless) func aRuleThatFollowsIsHarmless(_ edit: RuleEdit) throws {
        #expect(try edit.changes().map(\.severity) == [.harmless])
    }

    @Test func aRuleThatValuesCannotBreakIsUnproved() throws {
        // No text is a state, but nothing knows this without the values.
        let changes = try RuleEdit(
            #"{"exactlyOneOf": ["count", "note"]}"#,
            #"{"exactlyOneOf": ["count", "note"]}, {"required": ["urgent"], "when": {"label": "no label"}}"#
        ).changes()
        #expect(changes.map(\.severity) == [.unproved], "\(changes)")
    }

    @Test func aStricterRuleOfARenamedSchemaBreaks() throws {
        func schema(_ name: String, _ pattern: String, _ rest: String) -> String {
            #"{"name": "\#(name)", "properties": {"login": {"kind": "string", "pattern": "\#(pattern)"}}\#(rest)}"#
        }
        let upgrade = #", "version": 2, "upgrades": [{"from": 1, "renameSchema": "User"}]"#
        for (pattern, severity) in [("^[a-y]+$", SchemaChange.Severity.breaking), ("[a-z]$", .harmless)] {
            let changes = try ComparisonTests.changes(
                from: schema("User", "^[a-z]+$", ""), to: schema("Account", pattern, upgrade), [.backward])
            #expect(changes.map(\.severity).max() == severity, "\(changes)")
        }
    }

    @Test func aStricterRuleOfARenamedKeyBreaks() throws {
        func schema(_ key: String, _ pattern: String) -> String {
            #"""
            {"name": "User", "properties": {"\#(key)": {"kind": "string", "json": "name", "pattern": "\#(pattern)"}}}
            """#
        }
        let changes = try ComparisonTests.changes(
            from: schema("login", "^[a-z]+$"), to: schema("handle", "^[a-y]+$"), [.backward])
        #expect(
            changes.flatMap(\.effects).contains { $0.format == .document && $0.witness["name"] == "z" }, "\(changes)")
    }

    @Test func anInheritedRuleCounts() throws {
        func schemas(_ pattern: String) -> String {
            #"""
            [{"name": "Base", "properties": {"login": {"kind": "string", "pattern": "^[a-f]+$"}}},
             {"name": "User", "extends": "Base", "properties": {"login": {"kind": "string", "pattern": "\#(pattern)"}}}]
            """#
        }
        let same = try ComparisonTests.changes(from: schemas("^[a-z]+$"), to: schemas("^[a-y]+$"), [.backward])
        #expect(same.map(\.severity) == [.harmless])
        let stricter = try ComparisonTests.changes(from: schemas("^[a-z]+$"), to: schemas("^[a-e]+$"), [.backward])
        #expect(stricter.map(\.severity) == [.breaking])
    }

    @Test func anotherOrderOfTheRulesOfAClusterIsNotHarmless() throws {
        func schemas(_ rules: String) -> String {
            #"""
            [{"name": "Event", "properties": {"size": {"kind": "integer"}, "forkee": {"kind": "string"}},
              "cluster": {"rules": [\#(rules)], "default": "Event"}},
             {"name": "Push", "extends": "Event"}, {"name": "Fork", "extends": "Event"}]
            """#
        }
        let (push, fork) = (
            #"{"present": "size", "model": "Push"}"#,
            #"{"present": "forkee", "model": "Fork"}"#
        )
        let changes = try ComparisonTests.changes(
            from: schemas("\(push), \(fork)"), to: schemas("\(fork), \(push)"), [.backward])
        #expect(changes.map(\.rule) == ["cluster-changed"])
        #expect(changes.allSatisfy { $0.severity >= .unproved }, "\(changes)")
    }

    @Test func whatIsNotComparedIsUnproved() throws {
        let plain = #"{"name": "User", "properties": {"login": {"kind": "string"}}}"#
        let profiled =
            #"{"name": "User", "properties": {"login": {"kind": "string"}}, "profiles": {"v2": {"login": "name"}}}"#
        let changes = try ComparisonTests.changes(from: plain, to: profiled, [.backward])
        #expect(changes.map(\.severity) == [.unproved])
    }

    @Test func aCaseBeyondTheSamplesIsUnprovedOrBreaking() throws {
        func property(_ count: Int) -> String {
            let cases = (0..<count).map { #""c\#($0)""# }.joined(separator: ", ")
            return #""kind": "enumeration", "cases": [\#(cases)]"#
        }
        let changes = try PropertyEdit("", property(1002), property(1001)).changes()
        #expect(changes.allSatisfy { $0.severity >= .unproved })
    }
}
