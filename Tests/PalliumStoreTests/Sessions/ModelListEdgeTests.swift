import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// The live objects of a query: the sections *Lists* and *What a list is* of the article *Stores*.
struct ModelListEdgeTests {
    private static let schemas = [
        ModelSchema(
            "Task", ["id": .integer.required, "title": .string, "isDone": .bool, "owner": .model("Owner")],
            identity: ["id"]),
        ModelSchema("Chore", ["minutes": .integer], extends: "Task"),
        ModelSchema("Owner", ["login": .string.required], identity: ["login"]),
    ]
    private let world: SessionWorld

    init() throws {
        world = try SessionWorld(schemas: Self.schemas)
        for id in 1...5 { try world.put("Task", ["id": .number(JSONNumber(id)), "title": .string("t\(id)")]) }
    }

    private func list(
        _ order: [Order] = [.ascending("title")], where condition: Condition? = nil, limit: Int? = nil, offset: Int = 0
    ) throws -> ModelList<DynamicModel> {
        try world.session.list(
            ModelQuery(schema: world.world.schema("Task"), where: condition, order: order, limit: limit, offset: offset)
        )
    }

    private func ids(_ models: [DynamicModel]) -> [Int] { models.compactMap { $0["id", as: Int.self] } }

    /// Removals and insertions with offsets, and whether the difference makes the new list of the old one.
    private func update(_ list: ModelList<DynamicModel>) throws -> (removed: [Int: Int], inserted: [Int: Int]) {
        let before = list.models
        let difference = try list.update()
        #expect(
            (before.applying(difference) ?? []).map(ObjectIdentifier.init) == list.models.map(ObjectIdentifier.init))
        var result: (removed: [Int: Int], inserted: [Int: Int]) = ([:], [:])
        for change in difference {
            switch change {
            case .remove(let offset, let model, _): result.removed[offset] = model["id", as: Int.self]
            case .insert(let offset, let model, _): result.inserted[offset] = model["id", as: Int.self]
            }
        }
        return result
    }

    // MARK: Updates

    @Test func anUpdateOfAnUnchangedListIsEmpty() throws {
        let list = try list()
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
        #expect(try list.update().isEmpty)
        // A change that the order and the condition do not read is in the object, and not in the list.
        try world.put("Task", 3) { try $0.setValue(true, forKey: "isDone") }
        let object = list.models[2]
        #expect(try list.update().isEmpty)
        #expect(object["isDone", as: Bool.self] == true && list.models[2] === object)
    }

    @Test func whatComesAndGoesHasOffsets() throws {
        let list = try list(where: Key("isDone") == nil)
        try world.put("Task", ["id": 0, "title": "t0"])
        try world.put("Task", ["id": 9, "title": "t9"])
        var changes = try update(list)
        #expect(changes.removed == [:] && changes.inserted == [0: 0, 6: 9])
        try world.remove("Task", "id", 3)
        try world.put("Task", 5) { try $0.setValue(false, forKey: "isDone") }
        changes = try update(list)
        #expect(changes.removed == [3: 3, 5: 5] && changes.inserted == [:])
        #expect(ids(list.models) == [0, 1, 2, 4, 9])
    }

    @Test func whatMovesIsTheSameObject() throws {
        let list = try list()
        let first = list.models[0]
        try world.put("Task", 1) { try $0.setValue("u", forKey: "title") }
        let changes = try update(list)
        #expect(changes.removed == [0: 1] && changes.inserted == [4: 1])
        #expect(list.models.last === first && first["title", as: String.self] == "u")
    }

    @Test func aListCanBeReversedEmptiedAndFilled() throws {
        let list = try list()
        for id in 1...5 { try world.put("Task", id) { try $0.setValue("t\(9 - id)", forKey: "title") } }
        _ = try update(list)
        #expect(ids(list.models) == [5, 4, 3, 2, 1])
        for id in 1...5 { try world.remove("Task", "id", id) }
        #expect(try update(list).removed.count == 5)
        #expect(list.models.isEmpty)
        try world.put("Task", ["id": 1])
        #expect(try update(list).inserted == [0: 1])
    }

    @Test func aListOfAPageHasTheRowsOfThePage() throws {
        let list = try list(limit: 2, offset: 1)
        #expect(ids(list.models) == [2, 3])
        try world.remove("Task", "id", 1)
        let changes = try update(list)
        #expect(changes.removed == [0: 2] && changes.inserted == [1: 4])
    }

    @Test func rowsOfDescendantsAreInTheList() throws {
        let list = try list()
        try world.put("Chore", ["id": 6, "title": "t2x", "minutes": 5])
        #expect(try update(list).inserted == [2: 6])
        // A row that changes to another descendant is another object.
        let before = list.models[0]
        try world.put("Chore", ["id": 1, "title": "t1"])
        let changes = try update(list)
        #expect(changes.removed == [0: 1] && changes.inserted == [0: 1])
        #expect(list.models[0] !== before && list.models[0].schema.name == "Chore")
    }

    // MARK: Edits

    @Test func editsThatAreNotSavedChangeNoList() throws {
        let list = try list(where: Key("isDone") == nil)
        list.models[0]["title"] = "z"
        list.models[1]["isDone"] = true
        #expect(try list.update().isEmpty)
        try world.session.save()
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
        let changes = try update(list)
        #expect(changes.removed == [0: 1, 1: 2] && changes.inserted == [3: 1])
    }

    @Test func anObjectThatWaitsToBeDeletedLeavesTheList() throws {
        let list = try list()
        let object = list.models[1]
        try world.session.delete(object)
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
        #expect(try update(list).removed == [1: 2])
        world.session.revert()
        let changes = try update(list)
        #expect(changes.inserted == [1: 2] && list.models[1] === object)
    }

    @Test func anInsertedObjectComesWhenItIsSaved() throws {
        let list = try list()
        let model = try world.world.make("Task", ["id": 0, "title": "t0"])
        try world.session.insert(model)
        #expect(try list.update().isEmpty)
        try world.session.save()
        #expect(try update(list).inserted == [0: 0])
        #expect(list.models[0] === model)
    }

    @Test func twoListsHaveTheSameObjects() throws {
        let (open, all) = (try list(where: Key("id") < 3), try list([.descending("id")]))
        #expect(open.models[0] === all.models[4])
        try world.remove("Task", "id", 1)
        try open.update()
        #expect(ids(open.models) == [2] && ids(all.models) == [5, 4, 3, 2, 1])
        #expect(try update(all).removed == [4: 1])
    }

    // MARK: Transactions and errors

    @Test func whatATransactionTakesBackIsInNoList() throws {
        struct Abandoned: Error {}
        let list = try list()
        #expect(throws: Abandoned.self) {
            try world.others.transaction { store in
                _ = try store.delete(ModelQuery(schema: world.others.registry.schema(named: "Task")))
                throw Abandoned()
            }
        }
        #expect(try list.update().isEmpty)
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
    }

    @Test func anUpdateThatThrowsLeavesTheListAsItWas() throws {
        let list = try list()
        try world.world.change("UPDATE Task SET _document = '{' WHERE id = 3")
        #expect(throws: ModelError.self) { try list.update() }
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
        try world.remove("Task", "id", 3)
        #expect(try update(list).removed == [2: 3])
    }

    @Test func aListOfAnUnknownKeyIsRefused() throws {
        #expect(throws: ModelError.self) { try list([.ascending("titel")]) }
        #expect(throws: ModelError.self) { try list(where: Key("titel") == "a") }
        #expect(throws: ModelError.self) { try list(limit: -1) }
    }

    // MARK: Loops

    @Test(.timeLimit(.patient)) func aLoopBeginsWithWhatChangedBeforeIt() async throws {
        let list = try list()
        try world.remove("Task", "id", 2)
        var loop = list.differences.makeAsyncIterator()
        var difference = try #require(try await loop.next())
        #expect(difference.removals.count == 1 && difference.insertions.isEmpty && ids(list.models) == [1, 3, 4, 5])
        // A commit that changes nothing in the list has no element; two have one, for the loop was not there.
        try world.put("Task", 1) { try $0.setValue(true, forKey: "isDone") }
        try world.put("Task", ["id": 7, "title": "t7"])
        try world.remove("Task", "id", 5)
        difference = try #require(try await loop.next())
        #expect(difference.removals.count == 1 && difference.insertions.count == 1 && ids(list.models) == [1, 3, 4, 7])
    }

    @Test(.timeLimit(.patient)) func aSaveOfTheSessionIsACommitLikeOthers() async throws {
        let list = try list()
        var loop = list.differences.makeAsyncIterator()
        list.models[0]["title"] = "z"
        try world.session.save()
        let difference = try #require(try await loop.next())
        #expect(difference.count == 2 && ids(list.models) == [2, 3, 4, 5, 1])
    }

    @Test(.timeLimit(.patient)) func aLoopEndsWithAnErrorAndAnotherMayBegin() async throws {
        let list = try list()
        try world.world.change("UPDATE Task SET _document = '{' WHERE id = 3")
        var loop = list.differences.makeAsyncIterator()
        try world.put("Task", ["id": 8, "title": "t8"])
        do throws(ModelError) {
            _ = try await loop.next()
            Issue.record("the row cannot be read")
        } catch { #expect(error.code == .malformedStore) }
        #expect(ids(list.models) == [1, 2, 3, 4, 5])
        try world.remove("Task", "id", 3)
        var second = list.differences.makeAsyncIterator()
        _ = try await second.next()
        #expect(ids(list.models) == [1, 2, 4, 5, 8])
    }
}
