import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// After an error, the store and every object are as they were, and the next save may succeed.
struct SessionErrorTests {
    private let scene: SessionWorld
    private let issues: [DynamicModel]
    private let user: DynamicModel
    private static let tables = ["Issue", "User", "Milestone"]

    init() throws {
        var schemas = StoreWorld.schemas
        schemas[0] = ModelSchema(
            "User", ["id": .integer.required, "login": .string.required.indexed(.unique).rules(.maxLength(9))],
            identity: ["id"])
        scene = try SessionWorld(schemas: schemas)
        for number in 1...3 {
            try scene.put(
                "Issue",
                [
                    "number": .number(JSONNumber(number)), "title": "old", "votes": 1,
                    "assignee": ["id": 1, "login": "ada"],
                ])
        }
        issues = try scene.objects("Issue")
        user = try scene.object("User", 1)
    }

    /// Makes edits of every kind, and one more that the save must refuse; then mends that and saves.
    private func refused(
        _ code: ModelError.Code, updated: Int = 1, inserted: Int = 1,
        by mistake: () throws -> Void, mend: () throws -> Void
    ) throws {
        issues[0]["title"] = "edited"
        try scene.session.insert(scene.world.make("Issue", ["number": 50, "title": "new"]))
        try scene.session.delete(issues[2])
        // What others have stored is not taken over by a save that fails.
        try scene.put("Issue", 1) { $0["state"] = "closed" }
        try mistake()
        let before = try (issues.map(scene.json), scene.json(user), scene.rows(Self.tables))
        for _ in 1...2 {
            let error = #expect(throws: ModelError.self) { try scene.session.save() }
            #expect(error?.code == code, "\(error?.description ?? "")")
            #expect(try issues.map(scene.json) == before.0)
            #expect(try scene.json(user) == before.1)
            #expect(try scene.rows(Self.tables) == before.2)
            #expect(scene.session.hasChanges)
        }
        try mend()
        let saved = try scene.session.save()
        #expect(saved.rows == StoreChanges(inserted: inserted, updated: updated, deleted: 1))
        #expect(issues[0]["state", as: String.self] == "closed")
        #expect(try scene.document("Issue", 1)?["title"] == "edited")
        #expect(try scene.document("Issue", 50)?["title"] == "new")
        #expect(!scene.session.hasChanges)
    }

    @Test func anEditedObjectWhoseRowIsGone() throws {
        try refused(.conflict, updated: 1, inserted: 2) {
            issues[1]["title"] = "edited"
            try scene.remove("Issue", "number", 2)
        } mend: {
            #expect(try scene.session.refresh().deleted.map { ObjectIdentifier($0) } == [ObjectIdentifier(issues[1])])
            try scene.session.insert(issues[1])
        }
        #expect(try scene.document("Issue", 2)?["title"] == "edited")
    }

    @Test func anInsertedObjectWhoseRowExists() throws {
        let model = try scene.world.make("Issue", ["number": 60, "title": "mine"])
        try refused(.conflict) {
            try scene.session.insert(model)
            try scene.put("Issue", ["number": 60, "title": "theirs"])
        } mend: {
            try scene.session.delete(model)
        }
        #expect(try scene.document("Issue", 60)?["title"] == "theirs")
    }

    @Test func anotherModelOfAnIdentityOfTheSession() throws {
        try refused(.conflict, updated: 2) {
            issues[1]["assignee"] = try scene.world.make("User", ["id": 1, "login": "other"])
        } mend: {
            issues[1]["assignee"] = user
            issues[1]["title"] = "mended"
        }
    }

    @Test func aRuleThatRefuses() throws {
        try refused(.ruleBroken, updated: 2) {
            user["login"] = "far too long"
        } mend: {
            user["login"] = "grace"
        }
    }

    @Test func aRequiredPropertyWithoutAValue() throws {
        try refused(.missingProperty, updated: 1) {
            try user.unset("login")
        } mend: {
            user["login"] = "ada"
        }
    }

    @Test func aValueThatMustBeUnique() throws {
        try scene.put("User", ["id": 2, "login": "bob"])
        try refused(.conflict, updated: 2) {
            user["login"] = "bob"
        } mend: {
            user["login"] = "grace"
        }
    }

    @Test func aRowOfALaterVersion() throws {
        try refused(.newerVersion, updated: 2) {
            issues[1]["title"] = "edited"
            try scene.world.change(
                "UPDATE \"Issue\" SET \"_versions\" = '{\"Issue\":2}', \"_checksum\" = "
                    + "\(StoredRow.checksum(try document(2), versions: #"{"Issue":2}"#)) WHERE number = 2")
        } mend: {
            try scene.world.change(
                "UPDATE \"Issue\" SET \"_versions\" = '{}', \"_checksum\" = "
                    + "\(StoredRow.checksum(try document(2))) WHERE number = 2")
        }
    }

    @Test func aDamagedRow() throws {
        try refused(.malformedStore, updated: 2) {
            issues[1]["title"] = "edited"
            try scene.world.change("UPDATE \"Issue\" SET \"_checksum\" = \"_checksum\" + 1 WHERE number = 2")
        } mend: {
            try scene.world.change("UPDATE \"Issue\" SET \"_checksum\" = \"_checksum\" - 1 WHERE number = 2")
        }
    }

    @Test func aFullDisk() throws {
        func limit(_ pages: Int64) throws {
            try scene.world.store.connections.transaction { writer throws(ModelError) in
                try writer.execute("PRAGMA max_page_count = \(pages)")
            }
        }
        let text = String(repeating: "a", count: 100_000)
        try refused(.unwritableFile, updated: 2) {
            issues[1]["title"] = text
            try limit(1)
        } mend: {
            try limit(1_000_000)
        }
    }

    /// The text of a row's document.
    private func document(_ number: Int) throws -> String {
        let row = try scene.world.rows("SELECT \"_document\" FROM \"Issue\" WHERE \"number\" = \(number)")
        guard case .text(let text)? = row.first?.first else { return "" }
        return text
    }

    // MARK: Calls that are refused at once

    @Test func insertRefusesAModelWithoutItsIdentity() throws {
        let error = #expect(throws: ModelError.self) {
            try scene.session.insert(scene.world.make("Issue", ["title": "a"]))
        }
        #expect(error?.code == .missingProperty)
        let deep = #expect(throws: ModelError.self) {
            try scene.session.insert(
                scene.world.make("Issue", ["number": 9, "related": [scene.world.make("Issue", [:])]]))
        }
        #expect(deep?.code == .missingProperty)
        #expect(!scene.session.hasChanges)
        #expect(try scene.session.save().rows.isEmpty)
    }

    @Test func insertRefusesASecondObjectOfAnIdentity() throws {
        for model in [
            try scene.world.make("Issue", ["number": 1]),
            try scene.world.make(
                "Issue", ["number": 9, "assignee": scene.world.make("User", ["id": 1, "login": "x"])]),
            try scene.world.make("Bug", ["number": 2]),
        ] {
            let error = #expect(throws: ModelError.self) { try scene.session.insert(model) }
            #expect(error?.code == .conflict)
            #expect(!scene.session.hasChanges)
        }
    }

    /// The documentation names another object of the identity as the conflict, not the object itself.
    @Test func insertAcceptsAnObjectThatTheSessionHas() throws {
        try scene.session.insert(issues[0])
        #expect(!scene.session.hasChanges)
        let new = try scene.world.make("Issue", ["number": 9])
        try scene.session.insert(new)
        try scene.session.insert(new)
        #expect(try scene.session.save().rows == StoreChanges(inserted: 1))
    }

    @Test func deleteRefusesAModelThatIsNoObject() throws {
        for model in [try scene.world.make("Issue", ["number": 1]), try scene.world.make("Issue", ["number": 77])] {
            let error = #expect(throws: ModelError.self) { try scene.session.delete(model) }
            #expect(error?.code == .conflict)
        }
        #expect(!scene.session.hasChanges)
    }
}
