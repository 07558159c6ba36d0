import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Promises of the article at their edges.
struct StoreEdgeTests {
    private let world: StoreWorld

    init() throws { world = try StoreWorld() }

    private func tables() throws -> Int64? {
        if case .integer(let count) = try world.rows("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")[0][0] {
            return count
        }
        return nil
    }

    // MARK: Reading

    @Test func aReadMakesNoTable() throws {
        #expect(try world.fetch("Issue").isEmpty)
        #expect(try world.store.count(world.query("User")) == 0)
        #expect(try world.store.first(world.schema("Issue"), identity: 1) == nil)
        #expect(try tables() == 0)
        // What another program writes is no reason to wait.
        let lock = try SQLiteConnection(world.url.path, .writing, busyTimeout: .zero)
        try lock.execute("BEGIN IMMEDIATE")
        #expect(try world.fetch("Vote").isEmpty)
        try lock.execute("ROLLBACK")
    }

    /// *Schemas*, section *Null*: a required property may be null, and one that is never null may be absent.
    @Test func rowsKeepWhatIsNullAndWhatIsAbsent() throws {
        let world = try StoreWorld(schemas: [
            ModelSchema(
                "Note",
                [
                    "id": .integer.required, "must": .string.required.nullable.indexed(),
                    "may": .string.notNull.indexed(),
                ],
                identity: ["id"])
        ])
        let adapter = try world.adapter("Note")
        try world.store.import(
            #"[{"id": 1, "must": null}, {"id": 2, "must": "a", "may": "b"}]"#, using: adapter)
        let note = try world.schema("Note")
        let first = try #require(try world.store.first(note, identity: 1))
        #expect(try first.state(of: "must") == .null && first.state(of: "may") == .unset)
        let second = try #require(try world.store.first(note, identity: 2))
        try second.setValue(nil, forKey: "must")
        try second.setValue(nil, forKey: "may")
        try world.store.save(second)
        let again = try #require(try world.store.first(note, identity: 2))
        #expect(try again.state(of: "must") == .null && again.state(of: "may") == .unset)
        #expect(try world.store.count(ModelQuery(schema: note, where: Key("must") == nil)) == 2)
        #expect(try world.store.count(ModelQuery(schema: note, where: Key("may") == nil)) == 2)
        #expect(throws: ModelError.self) {
            try world.store.import(#"[{"id": 3, "must": "a", "may": null}]"#, using: adapter)
        }
        #expect(throws: ModelError.self) { try world.store.import(#"[{"id": 3}]"#, using: adapter) }
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aReadInsideOfATransactionSeesTheStateBefore() throws {
        try world.store.transaction { store in
            try store.save(world.make("Issue", ["number": 1]))
            #expect(try world.store.count(world.query("Issue")) == 0)
            #expect(try store.count(world.query("Issue")) == 1)
        }
        #expect(try world.store.count(world.query("Issue")) == 1)
    }

    @Test func aConditionMayNameATableThatNothingHasMade() throws {
        try world.store.save(world.make("Issue", ["number": 1]))
        try world.change("DROP TABLE \"User\"")
        let store = try world.reopened().store
        let schema = try store.registry.schema(named: "Issue")
        #expect(try store.count(ModelQuery(schema: schema, where: Key("assignee.login") == "ada")) == 0)
        #expect(try store.count(ModelQuery(schema: schema, where: Key("assignee.login") == nil)) == 1)
    }

    /// SQLite could take the name for a text.
    @Test func aMissingColumnIsAnError() throws {
        try world.store.save(world.make("Vote", ["issue": 1, "user": "a"]))
        let other = ModelSchema("Vote", ["voter": .string.required, "issue": .integer], identity: ["voter"])
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let (store, registry) = try world.reopened([other], options: options)
        #expect(throws: ModelError.self) { try store.first(registry.schema(named: "Vote"), identity: "voter") }
    }

    // MARK: Saving

    /// A value that equals its default is one that somebody set.
    @Test func aModelMayBeSetBackToItsDefaults() throws {
        let setting = ModelSchema("Setting", ["id": .integer.required, "isOn": .bool.default(true)], identity: ["id"])
        let world = try StoreWorld(schemas: [setting])
        try world.store.save(world.make("Setting", ["id": 1, "isOn": false]))
        let found = try world.fetch("Setting")[0]
        found["isOn"] = true
        #expect(try world.store.save(found) == StoreChanges(updated: 1))
        #expect(try world.fetch("Setting")[0]["isOn", as: Bool.self] == true)
    }

    @Test func whatIsSavedCanBeReadHoweverLargeItIs() throws {
        let schema = ModelSchema(
            "Large", ["id": .integer.required, "byName": .dictionary(of: .string), "data": .data], identity: ["id"])
        let world = try StoreWorld(schemas: [schema])
        let name = String(repeating: "n", count: 200_000)
        let model = try world.make("Large", ["id": 1, "data": Data(count: 60_000_000)])
        try model.setValue([name: "value"], forKey: "byName")
        try world.store.save(model)
        #expect(try world.fetch("Large") == [model])
    }

    @Test func oneKeyHasOneTypeOfColumn() throws {
        let world = try StoreWorld(schemas: [
            ModelSchema("A", ["id": .integer.required], identity: ["id"]),
            ModelSchema("B", ["size": .integer.indexed()], extends: "A"),
            ModelSchema("C", ["size": .string.indexed()], extends: "A"),
        ])
        let error = #expect(throws: ModelError.self) { try world.store.save(world.make("A", ["id": 1])) }
        #expect(error?.code == .conflict && error?.property == "size")
    }

    /// The reference is kept as it is, but what the document says about the other row counts.
    @Test func anImportChangesEveryRowThatTheDocumentMentions() throws {
        let schemas = [
            ModelSchema("User", ["id": .integer.required, "login": .string], identity: ["id"]),
            ModelSchema(
                "Issue", ["number": .integer.required, "assignee": .model("User").merge(.keep)], identity: ["number"]),
        ]
        let world = try StoreWorld(schemas: schemas)
        let adapter = try world.adapter("Issue")
        try world.store.import(#"{"number": 1, "assignee": {"id": 7, "login": "ada"}}"#, using: adapter)
        try world.store.save(world.make("User", ["id": 9, "login": "old"]))
        #expect(
            try world.store.import(#"{"number": 1, "assignee": {"id": 9, "login": "new"}}"#, using: adapter)
                == StoreChanges(updated: 1))
        #expect(try world.fetch("User").map { $0["login", as: String.self] } == ["ada", "new"])
    }

    // MARK: Loops, references, backups

    @Test func aLoopOverAStoreInMemoryMayWrite() throws {
        let world = try StoreWorld(file: nil)
        for includes in [ModelQuery<DynamicModel>.Links.stubs, .all] {
            try world.store.save((1...3).map { try world.make("Issue", ["number": $0]) })
            var seen = 0
            try world.store.forEach(world.query("Issue", including: includes)) { issue in
                seen += 1
                let number = issue["number", as: Int.self] ?? 0
                try world.store.save(world.make("Issue", ["number": number + 100]))
            }
            #expect(seen == (includes.isAll ? 6 : 3))
        }
    }

    @Test func depthsLeadAroundCyclesOnce() throws {
        let issues = try (0..<50).map { try world.make("Issue", ["number": $0]) }
        for (index, issue) in issues.enumerated() {
            issue["related"] = [issues[(index + 1) % 50], issues[(index * 7) % 50]]
        }
        try world.store.save(issues)
        let found = try world.store.fetch(
            world.query("Issue", where: Key("number") == 0, including: .depth(1_000_000)))
        #expect(found == [issues[0]])
    }

    @Test func aCopyNeverReplacesAStoreThatIsInUse() throws {
        try world.store.save(world.make("Issue", ["number": 1]))
        let file = world.folder.url.appendingPathComponent("copy")
        try world.store.backup(to: file)
        let copy = try ModelStore(at: file, registry: world.registry)
        try copy.save(world.make("Issue", ["number": 2]))
        for target in [file, world.url] {
            let error = #expect(throws: ModelError.self) { try world.store.backup(to: target) }
            #expect(error?.code == .unwritableFile, "\(error?.description ?? "")")
        }
        #expect(try copy.count(world.query("Issue")) == 2)
    }
}

extension ModelQuery.Links {
    fileprivate var isAll: Bool { if case .depth(.max) = content { true } else { false } }
}
