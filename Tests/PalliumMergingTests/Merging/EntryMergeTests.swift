import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Dictionaries, entry by entry: as the article says.
@Suite("Merging of entries")
struct EntryMergeTests {
    private static func adapter(_ policy: MergePolicy?) throws -> JSONAdapter<DynamicModel> {
        let plain = PropertySchema.dictionary(of: .integer)
        let table = policy.map { plain.merge($0) } ?? plain
        return try Plain.adapter([
            ModelSchema("Holder", ["id": .integer, "stamp": .integer, "table": table], identity: ["id"])
        ]).adapter
    }

    private func text(_ model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>) throws -> String {
        try canonicalText(adapter.jsonValue(from: model)["table"] ?? nil)
    }

    /// A rebase: what was edited, what comes, and what remains with what is pending and what is a conflict.
    private struct Row: Sendable {
        let policy: MergePolicy?
        let edit: String
        let incoming: String
        let result: String
        var pending: [String] = []
        var conflicts: [String] = []
    }

    private static let rows: [Row] = [
        // Changes of different keys are no conflict, whatever the policy.
        Row(
            policy: nil, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":1,"b":8}"#, result: #"{"a":9,"b":8}"#,
            pending: ["/a"]),
        Row(
            policy: .replace, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":1,"b":8}"#, result: #"{"a":9,"b":8}"#,
            pending: ["/a"]),
        Row(
            policy: .union, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":1,"b":8}"#, result: #"{"a":9,"b":8}"#,
            pending: ["/a"]),
        Row(
            policy: nil, edit: #"{"a":1,"b":2,"c":3}"#, incoming: #"{"a":1,"b":2,"d":4}"#,
            result: #"{"a":1,"b":2,"c":3,"d":4}"#, pending: ["/c"]),
        Row(policy: nil, edit: #"{"a":1}"#, incoming: #"{"b":2}"#, result: "{}", pending: ["/b"]),
        // Both sides changed an entry.
        Row(
            policy: nil, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":9,"b":2}"#,
            pending: ["/a"], conflicts: ["/a"]),
        Row(
            policy: .keep, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":9,"b":2}"#,
            pending: ["/a"], conflicts: ["/a"]),
        Row(
            policy: .replace, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":7,"b":2}"#,
            conflicts: ["/a"]),
        Row(
            policy: .union, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":7,"b":2}"#,
            conflicts: ["/a"]),
        Row(
            policy: .newest(by: "stamp"), edit: #"{"a":9,"b":2}"#, incoming: #"{"a":7,"b":2}"#,
            result: #"{"a":7,"b":2}"#, conflicts: ["/a"]),
        Row(
            policy: nil, edit: #"{"a":7,"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":7,"b":2}"#),
        // Removed here and changed there.
        Row(
            policy: nil, edit: #"{"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"b":2}"#, pending: ["/a"],
            conflicts: ["/a"]),
        Row(
            policy: .union, edit: #"{"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":7,"b":2}"#,
            conflicts: ["/a"]),
        Row(
            policy: .replace, edit: #"{"b":2}"#, incoming: #"{"a":7,"b":2}"#, result: #"{"a":7,"b":2}"#,
            conflicts: ["/a"]),
        // Changed here and removed there.
        Row(
            policy: nil, edit: #"{"a":9,"b":2}"#, incoming: #"{"b":2}"#, result: #"{"a":9,"b":2}"#, pending: ["/a"],
            conflicts: ["/a"]),
        Row(
            policy: .replace, edit: #"{"a":9,"b":2}"#, incoming: #"{"b":2}"#, result: #"{"b":2}"#, conflicts: ["/a"]),
        Row(
            policy: .union, edit: #"{"a":9,"b":2}"#, incoming: #"{"a":null}"#, result: #"{"a":9,"b":2}"#,
            pending: ["/a"], conflicts: ["/a"]),
        // A key that is not mentioned says nothing with union.
        Row(
            policy: .union, edit: #"{"a":1,"b":2,"c":3}"#, incoming: #"{"d":4}"#, result: #"{"a":1,"b":2,"c":3,"d":4}"#,
            pending: ["/c"]),
        Row(policy: .union, edit: #"{"a":1,"b":2}"#, incoming: #"{"b":null}"#, result: #"{"a":1}"#),
    ]

    @Test(arguments: rows.indices)
    func aRebaseDecidesAboutEachEntry(_ number: Int) throws {
        let row = Self.rows[number]
        let adapter = try Self.adapter(row.policy)
        let model = try adapter.model(from: #"{"id":1,"stamp":1,"table":{"a":1,"b":2}}"#)
        model.trackChanges()
        let edit = try JSONValue(parsing: row.edit).objectValue ?? [:]
        try model.setValue(
            Dictionary(uniqueKeysWithValues: edit.map { ($0.key, $0.value.intValue ?? 0) }), forKey: "table")
        let document = #"{"id":1,"stamp":2,"table":\#(row.incoming)}"#
        let changes = try adapter.rebase(model, onto: document)
        #expect(try text(model, adapter) == canonicalText(JSONValue(parsing: row.result)), "\(number)")
        #expect(model.pendingChanges.pointers == row.pending.map { "/table\($0)" }, "\(number)")
        #expect(changes.conflicts.map(\.pointer.description) == row.conflicts.map { "/table\($0)" }, "\(number)")
        let before = try text(model, adapter)
        #expect(try adapter.rebase(model, onto: document).isEmpty)
        #expect(try text(model, adapter) == before)
    }

    @Test(arguments: [
        (MergePolicy?.none, #"{"a":9}"#, #"{"a":9}"#), (nil, #"{"a":9,"b":null}"#, #"{"a":9}"#),
        (nil, #"{"b":null}"#, "{}"),
        (.union, #"{"a":9,"c":3}"#, #"{"a":9,"b":2,"c":3}"#), (.union, #"{"a":null,"c":3}"#, #"{"b":2,"c":3}"#),
        (.union, #"{"z":null}"#, #"{"a":1,"b":2}"#), (.skipNull, #"{"a":null}"#, "{}"),
    ])
    func aMergeDecidesAboutEachEntry(_ policy: MergePolicy?, _ document: String, _ result: String) throws {
        let adapter = try Self.adapter(policy)
        let base = #"{"id":1,"table":{"a":1,"b":2}}"#
        let full = #"{"id":1,"table":\#(document)}"#
        let (model, tree) = (try adapter.model(from: base), try adapter.model(from: base))
        try adapter.merge(full, into: model)
        try adapter.merge(JSONValue(parsing: full), into: tree)
        let map = IdentityMap()
        let instance = try map.import(base, using: adapter)[0]
        try map.import(full, using: adapter)
        for model in [model, tree, instance] {
            #expect(try text(model, adapter) == canonicalText(JSONValue(parsing: result)))
        }
        // A complete document has no key to remove.
        if document.contains("null") { #expect(throws: ModelError.self) { try adapter.model(from: full) } }
    }

    /// The merge patch of an edited model, merged into what it was, gives the edited model.
    @Test func mergePatchesRemoveKeys() throws {
        let adapter = try Self.adapter(.union)
        let model = try adapter.model(from: #"{"id":1,"table":{"a":1,"b":2}}"#)
        let other = model.deepCopy()
        model.trackChanges()
        try model.setValue(["b": 3, "c": 4], forKey: "table")
        let patch = try adapter.mergePatch(for: model)
        #expect(patch.jsonValue == ["table": ["a": nil, "b": 3, "c": 4]])
        try adapter.merge(patch.jsonValue, into: other)
        #expect(other == model)
    }

    @Test func manyMentionsOfOneDictionaryAreMergedInTheirOrder() throws {
        let adapter = try Self.adapter(.union)
        let map = IdentityMap()
        let model = try map.import(#"{"id":1,"table":{"a":1}}"#, using: adapter)[0]
        try map.import(
            #"[{"id":1,"table":{"b":2}},{"id":1,"table":{"a":null,"b":null}},{"id":1,"table":{"b":3,"c":4}}]"#,
            using: adapter)
        #expect(try text(model, adapter) == #"{"b":3,"c":4}"#)
    }

    // MARK: Models

    private func people(_ missing: MergePolicy.MissingElements?) throws -> JSONAdapter<DynamicModel> {
        let policy = missing.map { MergePolicy.recurse(missing: $0) } ?? .recurse
        return try Plain.adapter([
            ModelSchema(
                "Team", ["id": .integer, "people": .dictionary(of: .model("Person")).merge(policy)], identity: ["id"]),
            ModelSchema("Person", ["name": .string.required, "age": .integer]),
        ]).adapter
    }

    private static let team = #"{"id":1,"people":{"a":{"name":"Ada","age":36},"b":{"name":"Bob"}}}"#

    @Test(arguments: [nil, .keep, .remove] as [MergePolicy.MissingElements?])
    func modelsWithTheSameKeyAreMergedInPlace(_ missing: MergePolicy.MissingElements?) throws {
        let adapter = try people(missing)
        let document = #"{"id":1,"people":{"a":{"age":37},"c":{"name":"Cid"}}}"#
        let rebased = try adapter.model(from: Self.team)
        rebased.trackChanges()
        let map = IdentityMap()
        let imported = try map.import(Self.team, using: adapter)[0]
        let merged = try adapter.model(from: Self.team)
        for (model, merge) in [
            (merged, { try adapter.merge(document, into: merged) }),
            (rebased, { try adapter.rebase(rebased, onto: document) }),
            (imported, { try map.import(document, using: adapter).changes }),
        ] as [(DynamicModel, () throws -> ModelChanges)] {
            let ada = try #require(model["people", as: [String: DynamicModel].self]?["a"])
            let changes = try merge()
            let people = try #require(model["people", as: [String: DynamicModel].self])
            #expect(people["a"] === ada && ada["age", as: Int.self] == 37 && ada["name", as: String.self] == "Ada")
            #expect(people.keys.sorted() == (missing == .remove ? ["a", "c"] : ["a", "b", "c"]))
            #expect(changes.pointers.contains("/people/a/age") && !model.hasChanges)
        }
        // A new model is complete.
        let error = #expect(throws: ModelError.self) { try adapter.merge(#"{"people":{"z":{"age":1}}}"#, into: merged) }
        #expect(error?.pointer?.description == "/people/z")
    }

    @Test func anEditOfAModelMeetsTheSourcePropertyByProperty() throws {
        let adapter = try people(nil)
        let model = try adapter.model(from: Self.team)
        model.trackChanges()
        var people = try #require(model["people", as: [String: DynamicModel].self])
        people["a"]?["age"] = 40
        people["b"] = nil
        try model.setValue(people, forKey: "people")
        let changes = try adapter.rebase(
            model, onto: #"{"people":{"a":{"name":"Countess","age":37},"b":{"age":5},"c":{"name":"Cid"}}}"#)
        #expect(model["people", as: [String: DynamicModel].self]?.keys.sorted() == ["a", "c"])
        #expect(people["a"]?.description == #"Person(name: "Countess", age: 40)"#)
        #expect(changes.conflicts.map(\.pointer.description).sorted() == ["/people/a/age", "/people/b"])
        #expect(model.pendingChanges.pointers.sorted() == ["/people/a/age", "/people/b"])
        model.revert()
        #expect(model["people", as: [String: DynamicModel].self]?["b"]?.description == #"Person(name: "Bob", age: 5)"#)
    }

    @Test func anEntryThatCannotBeDecodedStays() throws {
        let adapter = try people(.remove).with { $0.elements = .skip }
        let model = try adapter.model(from: Self.team)
        let changes = try adapter.merge(#"{"people":{"a":{"age":"x"},"c":{"name":"Cid"}}}"#, into: model)
        #expect(model["people", as: [String: DynamicModel].self]?.keys.sorted() == ["a", "c"])
        #expect(changes.kept.pointers == ["/people/a"])
    }
}
