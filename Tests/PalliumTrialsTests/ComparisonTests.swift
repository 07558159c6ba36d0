import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// An edit of the property `value` of a schema.
struct PropertyEdit: CustomTestStringConvertible, Sendable {
    /// The rule that the comparison reports.
    let rule: String
    /// The members of the property's document, before and after.
    let old: String
    let new: String

    init(_ rule: String, _ old: String, _ new: String) {
        self.rule = rule
        self.old = old
        self.new = new
    }

    var testDescription: String { "\(rule): \(old) becomes \(new)" }

    /// Compares both versions of a schema with the property.
    func changes() throws -> [SchemaChange] {
        try ComparisonTests.changes(from: Self.schema(old), to: Self.schema(new), [.backward])
    }

    static func schema(_ members: String) -> String {
        #"{"name": "Issue", "properties": {"number": {"kind": "integer", "required": true}, "value": {\#(members)}}}"#
    }
}

@Suite struct ComparisonTests {
    static let breaking: [PropertyEdit] = [
        PropertyEdit("required-added", #""kind": "string""#, #""kind": "string", "required": true"#),
        PropertyEdit("kind-changed", #""kind": "string""#, #""kind": "integer""#),
        PropertyEdit("kind-changed", #""kind": "double""#, #""kind": "integer""#),
        PropertyEdit("kind-changed", #""kind": "integer""#, #""kind": "uint8""#),
        PropertyEdit("kind-changed", #""kind": "string""#, #""kind": "url""#),
        PropertyEdit("kind-changed", #""kind": "string""#, #""kind": "enumeration", "cases": ["a"]"#),
        PropertyEdit(
            "cases-changed", #""kind": "enumeration", "cases": ["a", "b"]"#, #""kind": "enumeration", "cases": ["a"]"#),
        PropertyEdit(
            "unknown-removed", #""kind": "enumeration", "cases": ["a"], "unknown": "keep""#,
            #""kind": "enumeration", "cases": ["a"]"#),
        PropertyEdit("minimum-added", #""kind": "integer""#, #""kind": "integer", "minimum": 0"#),
        PropertyEdit("maximum-changed", #""kind": "integer", "maximum": 10"#, #""kind": "integer", "maximum": 9"#),
        PropertyEdit("multipleOf-added", #""kind": "integer""#, #""kind": "integer", "multipleOf": 5"#),
        PropertyEdit("minLength-changed", #""kind": "string", "minLength": 2"#, #""kind": "string", "minLength": 3"#),
        PropertyEdit("maxLength-added", #""kind": "string""#, #""kind": "string", "maxLength": 50"#),
        PropertyEdit("pattern-added", #""kind": "string""#, #""kind": "string", "pattern": "^[a-z]+$""#),
        PropertyEdit("format-added", #""kind": "string""#, #""kind": "string", "format": "email""#),
        PropertyEdit(
            "maxCount-added", #""kind": "array", "of": {"kind": "integer"}"#,
            #""kind": "array", "of": {"kind": "integer"}, "maxCount": 12"#
        ),
        PropertyEdit(
            "unique-added", #""kind": "array", "of": {"kind": "integer"}"#,
            #""kind": "array", "of": {"kind": "integer"}, "unique": true"#),
        PropertyEdit(
            "of.minLength-added", #""kind": "array", "of": {"kind": "string"}"#,
            #""kind": "array", "of": {"kind": "string", "minLength": 1}"#),
        PropertyEdit("json-added", #""kind": "string""#, #""kind": "string", "json": "text""#),
        PropertyEdit("default-changed", #""kind": "integer", "default": 1"#, #""kind": "integer", "default": 2"#),
    ]

    static let harmless: [PropertyEdit] = [
        PropertyEdit("doc-added", #""kind": "string""#, #""kind": "string", "doc": "A text.""#),
        PropertyEdit("required-removed", #""kind": "string", "required": true"#, #""kind": "string""#),
        PropertyEdit("kind-changed", #""kind": "integer""#, #""kind": "json""#),
        PropertyEdit("kind-changed", #""kind": "uint8""#, #""kind": "integer""#),
        PropertyEdit("kind-changed", #""kind": "enumeration", "cases": ["a"]"#, #""kind": "string""#),
        PropertyEdit(
            "cases-changed", #""kind": "enumeration", "cases": ["a"]"#, #""kind": "enumeration", "cases": ["a", "b"]"#),
        PropertyEdit(
            "unknown-added", #""kind": "enumeration", "cases": ["a"]"#,
            #""kind": "enumeration", "cases": ["a"], "unknown": "keep""#),
        PropertyEdit("minimum-removed", #""kind": "integer", "minimum": 0"#, #""kind": "integer""#),
        PropertyEdit("maximum-changed", #""kind": "integer", "maximum": 9"#, #""kind": "integer", "maximum": 10"#),
        PropertyEdit(
            "multipleOf-changed", #""kind": "integer", "multipleOf": 10"#, #""kind": "integer", "multipleOf": 5"#),
        PropertyEdit("minLength-changed", #""kind": "string", "minLength": 3"#, #""kind": "string", "minLength": 2"#),
        PropertyEdit("maxLength-removed", #""kind": "string", "maxLength": 50"#, #""kind": "string""#),
        PropertyEdit("pattern-removed", #""kind": "string", "pattern": "^[a-z]+$""#, #""kind": "string""#),
        PropertyEdit("format-removed", #""kind": "string", "format": "email""#, #""kind": "string""#),
        PropertyEdit(
            "maxCount-changed", #""kind": "array", "of": {"kind": "integer"}, "maxCount": 5"#,
            #""kind": "array", "of": {"kind": "integer"}, "maxCount": 12"#),
        PropertyEdit(
            "unique-removed", #""kind": "array", "of": {"kind": "integer"}, "unique": true"#,
            #""kind": "array", "of": {"kind": "integer"}"#
        ),
        PropertyEdit("json-added", #""kind": "string""#, #""kind": "string", "json": {"firstOf": ["value", "text"]}"#),
        PropertyEdit("merge-added", #""kind": "string""#, #""kind": "string", "merge": "keep""#),
        PropertyEdit("labels-added", #""kind": "string""#, #""kind": "string", "labels": ["secret"]"#),
    ]

    /// Loads two versions of a document and compares them.
    static func changes(
        from old: String, to new: String,
        _ directions: Set<SchemaChange.Direction> = Set(SchemaChange.Direction.allCases)
    ) throws -> [SchemaChange] {
        let (before, after) = (SchemaRegistry(), SchemaRegistry())
        try before.load(Data(old.utf8))
        try after.load(Data(new.utf8))
        let changes = try SchemaComparison(of: before, with: after, directions: directions).changes
        for change in changes {
            for effect in change.effects where effect.format == .document {
                try replay(effect, of: change, old: before, new: after)
            }
        }
        return changes
    }

    /// Reads the witness of an effect with both versions.
    private static func replay(
        _ effect: SchemaChange.Effect, of change: SchemaChange, old: SchemaRegistry, new: SchemaRegistry
    ) throws {
        let (writer, reader) = effect.direction == .backward ? (old, new) : (new, old)
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        let strict = try JSONAdapter(
            schema: writer.schema(named: effect.model), registry: writer, options: options)
        let written = try strict.model(from: effect.witness)
        guard let schema = try? reader.schema(named: effect.model) else { return }
        let report = try JSONAdapter(schema: schema, registry: reader).report(from: effect.witness)
        guard report.problems.isEmpty, let key = change.property, let read = report.model else {
            #expect(effect.severity == .breaking, "\(effect)")
            return
        }
        let before = try written.value(forKey: key)
        if effect.severity == .lossy {
            #expect(before != nil && (try? read.value(forKey: key)) == nil, "\(effect)")
        } else {
            #expect(
                "\(String(describing: before))" != "\(String(describing: try read.value(forKey: key)))", "\(effect)")
        }
    }

    @Test(arguments: breaking) func aBreakingEditHasAWitness(_ edit: PropertyEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == [edit.rule])
        #expect(changes.map(\.property) == ["value"])
        #expect(changes.map(\.severity) == [.breaking])
    }

    @Test(arguments: harmless) func aHarmlessEditHasNoEffect(_ edit: PropertyEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == [edit.rule])
        #expect(changes.map(\.severity) == [.harmless], "\(changes)")
    }

    @Test func equalSchemasHaveNoChanges() throws {
        let schema = PropertyEdit.schema(#""kind": "string""#)
        #expect(try Self.changes(from: schema, to: schema) == [])
    }

    @Test func aRemovedPropertyLosesItsValueAndARequiredOneIsMissed() throws {
        let old =
            #"{"name": "Issue", "properties": {"note": {"kind": "string"}, "title": {"kind": "string", "required": true}}}"#
        let new = #"{"name": "Issue", "properties": {}}"#
        let changes = try Self.changes(from: old, to: new)
        #expect(changes.map(\.rule) == ["property-removed", "property-removed"])
        #expect(changes.map(\.property) == ["note", "title"])
        let note = changes[0].effects
        #expect(note.map(\.direction) == [.backward, .backward])
        #expect(note.map(\.severity) == [.lossy, .lossy])
        #expect(note.map(\.format) == [.document, .archive])
        #expect(note.first?.witness == ["note": "", "title": ""])
        let title = changes[1].effects.filter { $0.direction == .forward }
        #expect(title.map(\.severity) == [.breaking, .breaking])
        #expect(title.map(\.witness) == [[:], [:]])
    }

    @Test func aRenamedKeyNeedsAnUpgradeForArchives() throws {
        func schema(_ key: String, _ rest: String) -> String {
            #"{"name": "Issue", "properties": {"\#(key)": {"kind": "string", "json": "text"}}\#(rest)}"#
        }
        let renamed = try Self.changes(from: schema("text", ""), to: schema("body", ""), [.backward])
        #expect(renamed.map(\.rule) == ["property-removed", "property-added"])
        #expect(renamed.flatMap(\.effects).map(\.format) == [.archive])
        let upgraded = try Self.changes(
            from: schema("text", ""),
            to: schema("body", #", "version": 2, "upgrades": [{"from": 1, "rename": {"text": "body"}}]"#), [.backward])
        #expect(upgraded.map(\.rule) == ["version-added", "property-removed", "property-added"])
        #expect(upgraded.flatMap(\.effects) == [])
    }

    @Test func oldProgramsRefuseArchivesOfALaterVersion() throws {
        let old = #"{"name": "Issue", "properties": {"text": {"kind": "string"}}}"#
        let new =
            #"{"name": "Issue", "version": 2, "properties": {"text": {"kind": "string"}}, "upgrades": [{"from": 1}]}"#
        let changes = try Self.changes(from: old, to: new)
        #expect(changes.map(\.rule) == ["version-added"])
        #expect(changes.flatMap(\.effects).map(\.format) == [.archive])
        #expect(changes.flatMap(\.effects).map(\.direction) == [.forward])
    }

    @Test func aModelThatAClusterNoLongerChoosesBreaks() throws {
        func schemas(_ cases: String) -> String {
            #"""
            [{"name": "Event", "properties": {"type": {"kind": "string", "required": true}},
              "cluster": {"discriminator": "type", "models": {\#(cases)}}},
             {"name": "Push", "extends": "Event", "properties": {"size": {"kind": "integer"}}},
             {"name": "Fork", "extends": "Event", "properties": {"forkee": {"kind": "string"}}}]
            """#
        }
        let changes = try Self.changes(
            from: schemas(#""push": "Push", "fork": "Fork""#), to: schemas(#""push": "Push""#), [.backward])
        #expect(changes.map(\.rule) == ["cluster-changed"])
        #expect(changes[0].effects.contains { $0.severity == .breaking && $0.witness == ["type": "fork"] })
    }

    @Test func aRemovedSchemaBreaksUnlessALaterOneHadItsName() throws {
        let old = #"[{"name": "User", "properties": {"login": {"kind": "string"}}}]"#
        let other = #"[{"name": "Account", "properties": {"login": {"kind": "string"}}}]"#
        let removed = try Self.changes(from: old, to: other, [.backward])
        #expect(removed.map(\.rule) == ["schema-removed", "schema-added"])
        #expect(removed.map(\.severity) == [.breaking, .harmless])
        let renamed = #"""
            [{"name": "Account", "version": 2, "properties": {"login": {"kind": "string"}},
              "upgrades": [{"from": 1, "renameSchema": "User"}]}]
            """#
        #expect(try Self.changes(from: old, to: renamed, [.backward]).flatMap(\.effects) == [])
    }

    @Test func eachEditOfAPropertyHasItsOwnWitness() throws {
        let changes = try PropertyEdit(
            "", #""kind": "array", "of": {"kind": "string"}"#,
            #""kind": "array", "of": {"kind": "string", "minLength": 1}, "maxCount": 2"#
        ).changes()
        #expect(changes.map(\.rule) == ["of.minLength-added", "maxCount-added"])
        let witnesses = changes.map { $0.effects.map(\.witness) }
        #expect(witnesses[0].allSatisfy { $0["value"]?.arrayValue == [""] })
        #expect(witnesses[1].allSatisfy { $0["value"]?.arrayValue?.count == 3 })
        #expect(changes.map(\.effects.count) == [2, 2])
    }

    @Test func anEffectSaysWhoReadsWhat() throws {
        let edit = PropertyEdit("", #""kind": "string""#, #""kind": "string", "required": true"#)
        let change = try #require(try edit.changes().first)
        #expect(
            change.description == """
                Issue.value: required-added, true
                  breaking: new schemas read old documents and archives: expected the member "value" of Issue but \
                found none at the root
                    a Issue: {"number":0}
                """, "\(change)")
    }

    @Test func formsOfModelsThatNeedNoCodeAreHarmless() throws {
        func schemas(_ members: String) -> String {
            #"""
            [{"name": "Issue", "properties": {"value": {\#(members)}, "doc": {"kind": "string"}}},
             {"name": "User", "properties": {"login": {"kind": "string"}}}]
            """#
        }
        let model = #""kind": "model", "model": "User""#
        for (old, new) in [(model, #""kind": "json""#), (model, model + #", "archive": "conditional""#)] {
            let changes = try Self.changes(from: schemas(old), to: schemas(new), [.backward])
            #expect(changes.map(\.severity) == [.harmless], "\(changes)")
        }
        let conditional = model + #", "archive": "conditional""#
        let merged = try Self.changes(from: schemas(conditional), to: schemas(conditional + #", "merge": "keep""#))
        #expect(merged.map(\.severity) == [.harmless], "\(merged)")
    }

    @Test func observationIsHarmless() throws {
        let silent = #"{"name": "Issue", "properties": {"value": {"kind": "string", "required": true}}}"#
        let observed = silent.replacing(#""properties""#, with: #""observed": true, "properties""#)
        for (old, new, rule) in [(silent, observed, "observed-added"), (observed, silent, "observed-removed")] {
            let changes = try Self.changes(from: old, to: new)
            #expect(changes.map(\.description) == ["Issue: \(rule), true"])
            #expect(changes.map(\.severity) == [.harmless])
        }
    }

    @Test func aPropertyMayBeCalledLikeAMemberOfTheFormat() throws {
        let old = #"{"name": "Issue", "properties": {"doc": {"kind": "string", "required": true}}}"#
        let changes = try Self.changes(from: old, to: #"{"name": "Issue", "properties": {}}"#)
        #expect(changes.map(\.severity) == [.breaking])
    }

    @Test func modelsThatAClusterExchangesBreak() throws {
        func schemas(_ models: String) -> String {
            #"""
            [{"name": "Event", "properties": {"type": {"kind": "string", "required": true}},
              "cluster": {"discriminator": "type", "models": {\#(models)}}},
             {"name": "Push", "extends": "Event"}, {"name": "Fork", "extends": "Event"}]
            """#
        }
        let changes = try Self.changes(
            from: schemas(#""a": "Push", "b": "Fork""#), to: schemas(#""a": "Fork", "b": "Push""#), [.backward])
        #expect(changes.map(\.rule) == ["cluster-changed"])
        #expect(changes.first?.effects.first?.problem == "a Push is read as a Fork")
    }

    @Test func aRenamedSchemaIsComparedForward() throws {
        let old = #"[{"name": "User", "properties": {"login": {"kind": "string", "required": true}}}]"#
        let new = #"""
            [{"name": "Account", "version": 2, "properties": {"login": {"kind": "string"}},
              "upgrades": [{"from": 1, "renameSchema": "User"}]}]
            """#
        let effects = try Self.changes(from: old, to: new, [.forward]).flatMap(\.effects)
        #expect(effects.contains { $0.format == .document && $0.severity == .breaking && $0.witness == [:] })
    }

    @Test func aSchemaThatBecameSeveralIsNamed() throws {
        let (old, new) = (SchemaRegistry(), SchemaRegistry())
        try old.load(Data(#"{"name": "Vehicle", "properties": {"kind": {"kind": "string"}}}"#.utf8))
        func part(_ name: String, _ kind: String) -> String {
            #"""
            {"name": "\#(name)", "version": 2, "properties": {"kind": {"kind": "string"}},
             "upgrades": [{"from": 1, "renameSchema": "Vehicle", "when": {"kind": "\#(kind)"}}]}
            """#
        }
        try new.load(Data("[\(part("Car", "car")), \(part("Truck", "truck"))]".utf8))
        let comparison = try SchemaComparison(of: old, with: new, directions: [.backward])
        #expect(comparison.omissions.map(\.schema) == ["Vehicle"])
        #expect(comparison.changes.flatMap(\.effects) == [])
    }

    @Test func codeInSchemasIsRefused() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Page", ["title": .string]).didDecode { _ in })
        #expect(throws: SchemaError.self) { try SchemaComparison(of: registry, with: registry) }
    }
}
