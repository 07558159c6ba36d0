import Pallium
import Testing

@testable import PalliumStore

/// What becomes of a property that the session edited, that others changed, or both.
struct SessionConflictTests {
    /// What a property is at first, what the session and others make of it, and what it is then.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let property: PropertySchema
        let base: JSONValue
        let edit: JSONValue?
        let other: JSONValue?
        let result: JSONValue
        var isConflict = false

        var testDescription: String { name }
    }

    private static let policies: [(name: String, property: PropertySchema, values: [JSONValue])] = [
        ("none", .integer, [5, 3, 4]), ("replace", .integer.merge(.replace), [5, 3, 4]),
        ("keep", .integer.merge(.keep), [5, 3, 4]), ("skipNull", .integer.merge(.skipNull), [5, nil, nil]),
        ("newest", .integer.merge(.newest(by: "by")), [5, 3, 4]), ("max", .integer.merge(.max), [5, 3, 4]),
        ("min", .integer.merge(.min), [5, 7, 8]),
        ("union", .array(of: .string).merge(.union), [["a", "b"], ["c"], ["d"]]),
        ("append", .array(of: .string).merge(.append), [["a", "b"], ["c"], ["d"]]),
        ("sum", .integer.merge(MergePolicy("sum")), [5, 3, 4]),
    ]

    /// Where only one side changed a property, no policy is asked.
    static let oneSided = policies.flatMap { policy in
        [
            Case(
                name: "\(policy.name), edited", property: policy.property, base: policy.values[0],
                edit: policy.values[1], other: nil, result: policy.values[1]),
            Case(
                name: "\(policy.name), changed by others", property: policy.property, base: policy.values[0],
                edit: nil, other: policy.values[2], result: policy.values[2]),
        ]
    }

    private static func both(
        _ name: String, _ property: PropertySchema, _ base: JSONValue, _ edit: JSONValue, _ other: JSONValue,
        _ result: JSONValue
    ) -> Case {
        Case(
            name: name, property: property, base: base, edit: edit, other: other, result: result,
            isConflict: edit != other)
    }

    static let bothSided = [
        both("none", .integer, 1, 2, 3, 2), both("none, null by others", .integer, 1, 2, nil, 2),
        both("none, null by the edit", .integer, 1, nil, 3, nil), both("the same value", .integer, 1, 2, 2, 2),
        both("replace", .integer.merge(.replace), 1, 2, 3, 3),
        both("replace with null", .integer.merge(.replace), 1, 2, nil, nil),
        both("keep", .integer.merge(.keep), 1, 2, 3, 2), both("skipNull", .integer.merge(.skipNull), 1, 2, 3, 2),
        both("skipNull, null", .integer.merge(.skipNull), 1, 2, nil, 2),
        both("max, edit", .integer.merge(.max), 1, 9, 3, 9), both("max, others", .integer.merge(.max), 1, 2, 3, 3),
        both("max, null", .integer.merge(.max), 1, 2, nil, 2),
        both("min, edit", .integer.merge(.min), 5, 2, 3, 2), both("min, others", .integer.merge(.min), 5, 4, 3, 3),
        both(
            "union", .array(of: .string).merge(.union), ["a", "b"], ["a", "b", "x"], ["a", "b", "y"],
            [
                "a", "b", "x", "y",
            ]),
        both("union, removed", .array(of: .string).merge(.union), ["a", "b"], ["a"], ["a", "b", "y"], ["a", "y"]),
        both("append", .array(of: .string).merge(.append), ["a"], ["a", "x"], ["y"], ["a", "x", "y"]),
        both("sum", .integer.merge(MergePolicy("sum")), 10, 12, 15, 17),
    ]

    private static func world(_ property: PropertySchema) throws -> StoreWorld {
        let sum = Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) - ($0.base ?? 0) }
        return try StoreWorld(
            schemas: [
                ModelSchema(
                    "Item", ["id": .integer.required, "by": .integer, "value": property, "note": .string],
                    identity: ["id"])
            ], prepare: { try $0.mergers.register(sum, as: "sum") })
    }

    /// Saves `other` beside the session, and lets the session save or refresh.
    private func run(_ row: Case, saving: Bool) throws {
        let world = try Self.world(row.property)
        func set(_ model: DynamicModel, _ value: JSONValue?) throws {
            guard let value else { return }
            let source = try world.model("Item", ["id": 1, "value": value])
            try model.setValue(source.value(forKey: "value"), forKey: "value")
        }
        try world.store.save(world.model("Item", ["id": 1, "value": row.base, "note": "old"]))
        let session = ModelSession(world.store)
        let object = try #require(try session.first(world.schema("Item"), identity: 1))
        try set(object, row.edit)
        let theirs = try #require(try world.fetch("Item").first)
        try set(theirs, row.other)
        if row.other != nil { theirs["note"] = "new" }
        try world.store.save(theirs)
        let changes = try saving ? session.save() : session.refresh()
        let adapter = try world.adapter("Item")
        let result = try #require(try adapter.jsonValue(from: object)["value"])
        #expect(result == row.result)
        let savesSomething = saving && row.edit != nil && row.result != row.other
        #expect(changes.rows == StoreChanges(updated: savesSomething ? 1 : 0))
        if row.edit == nil || row.other == nil || row.isConflict {
            #expect(changes.conflicts.count == (row.isConflict ? 1 : 0), "\(changes.conflicts)")
            #expect(changes.conflicts.allSatisfy { $0.key == "value" && $0.isConflict })
        }
        let isTaken = row.other != nil && (!saving || row.edit != nil)
        #expect(object["note", as: String.self] == (isTaken ? "new" : "old"))
        #expect(changes.updated.count == (isTaken ? 1 : 0))
        #expect(changes.deleted.isEmpty)
        if saving, row.edit != nil {
            #expect(try world.fetch("Item") == [object])
            #expect(!session.hasChanges)
        }
        // What is left to save is what differs from the row.
        try session.save()
        if row.edit != nil { #expect(try world.fetch("Item") == [object]) }
    }

    @Test(arguments: oneSided) func withoutTwoSidesNoPolicyIsAsked(row: Case) throws {
        if row.edit != nil { try run(row, saving: true) }
        try run(row, saving: false)
    }

    @Test(arguments: bothSided) func policiesDecideWhereBothSidesChanged(row: Case) throws {
        try run(row, saving: true)
        try run(row, saving: false)
    }

    @Test(arguments: [(7, 5, "mine"), (5, 7, "theirs")]) func theNewestValueWins(
        mine: Int, theirs: Int, winner: String
    ) throws {
        let world = try Self.world(.string.merge(.newest(by: "by")))
        try world.store.save(world.model("Item", ["id": 1, "by": 1, "value": "old"]))
        let session = ModelSession(world.store)
        let object = try #require(try session.first(world.schema("Item"), identity: 1))
        (object["value"], object["by"]) = ("mine", mine)
        let other = try #require(try world.fetch("Item").first)
        (other["value"], other["by"]) = ("theirs", theirs)
        try world.store.save(other)
        try session.save()
        #expect(object["value", as: String.self] == winner && object["by", as: Int.self] == 7)
        #expect(try world.fetch("Item") == [object])
    }

    @Test func theConflictOfTheArticle() throws {
        let scene = try SessionWorld()
        try scene.put("Issue", ["number": 7, "title": "Crash"])
        let issue = try scene.object("Issue", 7)
        issue["title"] = "Crash at start"
        try scene.put("Issue", ["number": 7, "title": "Crash!", "state": "open"])
        let changes = try scene.session.refresh()
        #expect(changes.conflicts.map(\.description) == [#"/title: "Crash at start" → "Crash!" (kept, conflict)"#])
        #expect(changes.updated.count == 1 && changes.updated[0].model === issue)
        #expect(changes.updated[0].changes.keys == ["state"])
        #expect(changes.deleted.isEmpty && changes.rows.isEmpty)
        // The conflict was told, and the edit still waits.
        #expect(try scene.session.refresh().conflicts.isEmpty)
        #expect(scene.session.hasChanges)
        #expect(try scene.session.save().rows == StoreChanges(updated: 1))
        #expect(try scene.document("Issue", 7) == ["number": 7, "title": "Crash at start", "state": "open"])
    }

    /// After a conflict that the edit won, to take it back gives what others have stored.
    @Test func revertAfterAConflictGivesTheRow() throws {
        let scene = try SessionWorld()
        try scene.put("Issue", ["number": 7, "title": "Crash"])
        let issue = try scene.object("Issue", 7)
        issue["title"] = "mine"
        try scene.put("Issue", ["number": 7, "title": "theirs"])
        try scene.session.refresh()
        #expect(issue["title", as: String.self] == "mine")
        scene.session.revert()
        #expect(issue["title", as: String.self] == "theirs")
        #expect(!scene.session.hasChanges)
    }
}
