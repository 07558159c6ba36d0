import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A save writes what was edited, inserted and deleted, and nothing else.
struct SessionSaveTests {
    private let scene: SessionWorld
    private let tables = ["Issue", "User", "Milestone"]

    init() throws {
        scene = try SessionWorld()
        for number in 1...3 {
            try scene.put(
                "Issue",
                [
                    "number": .number(JSONNumber(number)), "title": "old", "state": "open",
                    "milestone": ["title": "1.0", "creator": ["id": 1, "login": "ada"]],
                ])
        }
    }

    private func saved() throws -> StoreChanges { try scene.session.save().rows }

    @Test func theExampleOfTheArticle() throws {
        let open = try scene.session.fetch(scene.world.query("Issue", where: Key("state") == "open"))
        #expect(!scene.session.hasChanges)
        open[0]["title"] = "Crash at start"
        try scene.session.insert(scene.world.make("Issue", ["number": 9]))
        try scene.session.delete(open[1])
        #expect(scene.session.hasChanges)
        #expect(try scene.world.store.count(scene.world.query("Issue")) == 3)
        let changes = try scene.session.save()
        #expect(changes.rows.description == "1 inserted, 1 updated, 1 deleted")
        #expect(changes.updated.isEmpty && changes.deleted.isEmpty && changes.conflicts.isEmpty)
        #expect(!scene.session.hasChanges)
        #expect(try scene.document("Issue", 1)?["title"] == "Crash at start")
        #expect(try scene.document("Issue", 2) == nil)
        #expect(try scene.document("Issue", 9) != nil)
        #expect(try saved().isEmpty)
    }

    @Test func aSessionWithoutEditsWritesNothing() throws {
        #expect(try saved().isEmpty && !scene.session.hasChanges)
        _ = try scene.objects("Issue", including: .all)
        let before = try scene.world.rows("PRAGMA data_version")
        #expect(try saved().isEmpty)
        #expect(try scene.world.rows("PRAGMA data_version") == before)
    }

    @Test func anEditThatWasTakenBackIsNone() throws {
        let issue = try scene.object("Issue", 1)
        issue["title"] = "new"
        #expect(scene.session.hasChanges)
        issue["title"] = "old"
        #expect(!scene.session.hasChanges)
        #expect(try saved().isEmpty)
    }

    /// The row of others stays, although the session has an older object of it.
    @Test func anObjectThatNobodyEditedIsNotWritten() throws {
        let fetched = try scene.objects("Issue")
        try scene.put("Issue", ["number": 1, "title": "theirs"])
        fetched[1]["title"] = "mine"
        #expect(try saved() == StoreChanges(updated: 1))
        #expect(try scene.document("Issue", 1) == ["number": 1, "title": "theirs"])
        #expect(try scene.document("Issue", 2)?["title"] == "mine")
    }

    @Test func newModelsThatEditsLeadToAreInserted() throws {
        let issue = try scene.object("Issue", 1)
        let user = try scene.world.make("User", ["id": 7, "login": "bob"])
        issue["assignee"] = user
        issue["author"] = try scene.world.make(
            "Person", ["name": "eve", "team": scene.world.make("Milestone", ["title": "2.0", "creator": user])])
        #expect(try saved() == StoreChanges(inserted: 2, updated: 1))
        #expect(try scene.document("User", 7)?["login"] == "bob")
        #expect(try scene.document("Milestone", "2.0")?["creator"] == ["id": 7, "login": "bob"])
        // They are objects of the session now.
        #expect(try scene.object("User", 7) === user)
        user["login"] = "robert"
        #expect(try saved() == StoreChanges(updated: 1))
    }

    @Test func anInsertBringsAllNewModelsThatItLeadsTo() throws {
        let user = try scene.world.make("User", ["id": 7, "login": "bob"])
        let (first, second) = (
            try scene.world.make("Issue", ["number": 8, "assignee": user]), try scene.world.make("Issue", ["number": 9])
        )
        first["related"] = [second]
        second["related"] = [first]
        defer { first["related"] = [DynamicModel]() }
        try scene.session.insert(first)
        #expect(try saved() == StoreChanges(inserted: 3))
        #expect(try scene.object("Issue", 9) === second)
        #expect(!scene.session.hasChanges)
    }

    @Test func aReferenceToAnObjectOfTheSessionWritesOnlyItsHolder() throws {
        let fetched = try scene.objects("Issue", including: .all)
        fetched[0]["related"] = [fetched[1], fetched[2]]
        #expect(try saved() == StoreChanges(updated: 1))
        #expect(try scene.document("Issue", 1)?["related"]?[1]?["number"] == 3)
        #expect(try scene.document("Issue", 2)?["title"] == "old")
    }

    @Test func anEditOfAnObjectThatIsOnlyReferredToIsWritten() throws {
        let issue = try #require(
            try scene.session.first(scene.world.schema("Issue"), identity: 1, including: .all))
        let milestone = try #require(issue["milestone", as: DynamicModel.self])
        milestone["due"] = Date(timeIntervalSinceReferenceDate: 5)
        #expect(try saved() == StoreChanges(updated: 1))
        #expect(try scene.document("Milestone", "1.0")?["due"] == "2001-01-01T00:00:05Z")
    }

    /// A stub knows nothing of its row, so an edit of it must not wipe out the rest.
    @Test func anEditOfAStubKeepsTheRestOfItsRow() throws {
        let issue = try scene.object("Issue", 1)
        let stub = try #require(issue["milestone", as: DynamicModel.self])
        stub["due"] = Date(timeIntervalSinceReferenceDate: 5)
        #expect(try saved() == StoreChanges(updated: 1))
        let row = try #require(try scene.document("Milestone", "1.0"))
        #expect(row["due"] == "2001-01-01T00:00:05Z")
        #expect(row["creator"] == ["id": 1, "login": "ada"])
        #expect(stub["creator", as: DynamicModel.self]?["login", as: String.self] == "ada")
    }

    @Test func whatWasDeletedLeavesTheSession() throws {
        let issue = try scene.object("Issue", 1)
        issue["title"] = "edited before"
        try scene.session.delete(issue)
        try scene.session.delete(issue)
        #expect(try saved() == StoreChanges(deleted: 1))
        #expect(try scene.session.first(scene.world.schema("Issue"), identity: 1) == nil)
        try scene.put("Issue", ["number": 1, "title": "again"])
        #expect(try scene.object("Issue", 1)["title", as: String.self] == "again")
    }

    @Test func aDeletionOfARowThatIsGoneIsDone() throws {
        let issue = try scene.object("Issue", 1)
        try scene.remove("Issue", "number", 1)
        try scene.session.delete(issue)
        #expect(try saved().isEmpty)
        #expect(!scene.session.hasChanges)
    }

    @Test func whatWasInsertedAndDeletedLeavesTheSession() throws {
        let issue = try scene.world.make("Issue", ["number": 9])
        try scene.session.insert(issue)
        try scene.session.delete(issue)
        #expect(!scene.session.hasChanges)
        #expect(try saved().isEmpty)
        #expect(try scene.document("Issue", 9) == nil)
        let error = #expect(throws: ModelError.self) { try scene.session.delete(issue) }
        #expect(error?.code == .conflict)
        // Its identity is free again.
        try scene.session.insert(scene.world.make("Issue", ["number": 9]))
    }

    @Test func revertTakesBackAllThatWasNotSaved() throws {
        let fetched = try scene.objects("Issue", including: .all)
        let before = try fetched.map(scene.json)
        fetched[0]["title"] = "edit"
        try fetched[0].unset("state")
        fetched[0]["assignee"] = try scene.world.make("User", ["id": 7, "login": "bob"])
        fetched[1]["milestone", as: DynamicModel.self]?["due"] = Date()
        try scene.session.delete(fetched[2])
        let inserted = try scene.world.make("Issue", ["number": 9])
        try scene.session.insert(inserted)
        scene.session.revert()
        #expect(!scene.session.hasChanges)
        #expect(try fetched.map(scene.json) == before)
        #expect(try saved().isEmpty)
        #expect(try scene.objects("Issue").count == 3)
        // The inserted one is no object any more.
        let error = #expect(throws: ModelError.self) { try scene.session.delete(inserted) }
        #expect(error?.code == .conflict)
    }

    @Test func revertGoesBackToWhatWasSavedLast() throws {
        let issue = try scene.object("Issue", 1)
        issue["title"] = "saved"
        try scene.session.save()
        issue["title"] = "not saved"
        scene.session.revert()
        #expect(issue["title", as: String.self] == "saved")
    }

    @Test func aStoreInMemoryHasSessionsToo() throws {
        let world = try StoreWorld(file: nil)
        let session = ModelSession(world.store)
        let issue = try world.make("Issue", ["number": 1, "title": "a"])
        try session.insert(issue)
        #expect(try session.save().rows == StoreChanges(inserted: 1))
        issue["title"] = "b"
        #expect(try session.save().rows == StoreChanges(updated: 1))
        #expect(try world.fetch("Issue").first?["title", as: String.self] == "b")
    }
}
