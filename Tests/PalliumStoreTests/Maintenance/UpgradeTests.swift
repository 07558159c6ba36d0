import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// `upgrade` writes the rows of earlier versions anew: all of them, in parts, while others read and write.
struct UpgradeTests {
    private struct Refused: Error {}

    private static let former = [
        ModelSchema("Note", ["id": .integer.required, "text": .string, "tag": .string.indexed()], identity: ["id"]),
        ModelSchema("Team", ["code": .string.required, "label": .string], identity: ["code"]),
        ModelSchema("Plain", ["id": .integer.required, "a": .string], identity: ["id"]),
    ]

    /// The second version, with a step that may refuse rows.
    private static func present(_ steps: [SchemaUpgrade]? = nil, version: Int = 2) -> [ModelSchema] {
        var note = ModelSchema(
            "Note", ["id": .integer.required, "title": .string, "tag": .string.indexed()], identity: ["id"])
        note.version = version
        note.upgrades = steps ?? [SchemaUpgrade(from: 1, renamed: ["text": "title"])]
        var team = ModelSchema("Team", ["key": .string.required, "label": .string], identity: ["key"])
        team.version = 2
        team.upgrades = [SchemaUpgrade(from: 1, renamed: ["code": "key"])]
        return [note, team, former[2]]
    }

    private func savedWorld(notes: Int = 600, teams: Int = 3) throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.former)
        try world.store.save(
            (0..<notes).map { try world.make("Note", ["id": $0, "text": "t\($0)"]) }
                + (0..<teams).map { try world.make("Team", ["code": "c\($0)"]) }
                + [world.make("Plain", ["id": 1, "a": "b"])])
        return world
    }

    /// The number of rows of the table that say a version.
    private func rows(_ world: StoreWorld, ofVersion version: Int, _ table: String = "Note") throws -> Int64? {
        let versions = version == 1 ? "{}" : "{\"\(table)\":\(version)}"
        let row = try world.rows("SELECT count(*) FROM \"\(table)\" WHERE \"_versions\" = '\(versions)'")
        guard case .integer(let count)? = row.first?.first else { return nil }
        return count
    }

    @Test func allRowsOfEarlierVersionsAreWrittenAnewOnce() throws {
        let world = try savedWorld()
        let (store, registry) = try world.reopened(Self.present())
        #expect(try rows(world, ofVersion: 1) == 600)
        let upgraded = try store.upgrade()
        #expect(upgraded == StoreChanges(updated: 603))
        #expect(try rows(world, ofVersion: 2) == 600)
        #expect(try rows(world, ofVersion: 2, "Team") == 3)
        #expect(try rows(world, ofVersion: 1, "Plain") == 1)
        #expect(try store.upgrade().isEmpty)
        let schema = try registry.schema(named: "Note")
        let found = try store.fetch(ModelQuery(schema: schema, where: Key("title") == "t300"))
        #expect(found.map { $0["id", as: Int.self] } == [300])
        #expect(try store.integrityCheck().isEmpty)
    }

    @Test func rowsOfThePresentVersionAreNotWritten() throws {
        let world = try savedWorld(notes: 5, teams: 0)
        let (store, registry) = try world.reopened(Self.present())
        let all = try store.fetch(ModelQuery(schema: registry.schema(named: "Note")))
        all[0]["title"] = "edited"
        try store.save(all[0])
        let upgraded = try store.upgrade()
        #expect(upgraded == StoreChanges(updated: 4))
        let plain = try savedWorld()
        #expect(try plain.store.upgrade().isEmpty)
    }

    @Test func progressIsToldOfEachTransaction() throws {
        let world = try savedWorld()
        let (store, _) = try world.reopened(Self.present())
        var told: [StoreProgress] = []
        try store.upgrade { told.append($0) }
        #expect(told.count >= 3)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.completed < $1.completed && $0.total == $1.total })
        #expect(zip(told, told.dropFirst()).allSatisfy { $1.completed - $0.completed <= 256 })
        #expect(told.last.map { $0.completed == $0.total } == true)
        // 256 at a time.
        #expect(told.first?.completed == 256)
    }

    /// Whatever is done stays, and the next call goes on.
    @Test func anErrorInTheMiddleKeepsWhatIsDone() throws {
        let world = try savedWorld(teams: 0)
        let refusing = SchemaUpgrade(
            from: 1, renamed: ["text": "title"],
            convert: { note in if note["title"]?.text == "t555" { throw Refused() } })
        let (store, _) = try world.reopened(Self.present([refusing]))
        for _ in 1...2 {
            let error = #expect(throws: ModelError.self) { try store.upgrade() }
            #expect(error?.code == .upgradeFailed)
            #expect(try rows(world, ofVersion: 2) == 512)
        }
        try world.change("DELETE FROM \"Note\" WHERE id = 555")
        let rest = try store.upgrade()
        #expect(rest == StoreChanges(updated: 87))
        #expect(try rows(world, ofVersion: 2) == 599)
        #expect(try store.integrityCheck().isEmpty)
    }

    @Test func othersReadAndWriteMeanwhile() throws {
        let world = try savedWorld(teams: 0)
        var options = ModelStoreOptions()
        options.busyTimeout = .zero
        let (store, _) = try world.reopened(Self.present())
        let other = try world.reopened(Self.present(), options: options)
        let schema = try other.registry.schema(named: "Note")
        var turn = 0
        let upgraded = try store.upgrade { _ in
            do {
                #expect(try other.store.count(ModelQuery(schema: schema)) == 600 + turn)
                #expect(
                    try other.store.first(schema, identity: 599)?["title", as: String.self]
                        == (turn == 0 ? "t599" : "theirs"))
                let note = DynamicModel(schema: schema, registry: other.registry)
                (note["id"], note["title"]) = (1000 + turn, "new")
                #expect(try other.store.save(note) == StoreChanges(inserted: 1))
                // Those that others have written are not upgraded again.
                if turn == 0, let last = try other.store.first(schema, identity: 599) {
                    last["title"] = "theirs"
                    #expect(try other.store.save(last) == StoreChanges(updated: 1))
                }
                turn += 1
            } catch { Issue.record(error) }
        }
        #expect(turn >= 3)
        #expect(upgraded == StoreChanges(updated: 599))
        #expect(try other.store.first(schema, identity: 599)?["title", as: String.self] == "theirs")
        #expect(try rows(world, ofVersion: 2) == Int64(600 + turn))
    }

    @Test func stepsThatCannotBeTakenAreErrors() throws {
        let cases: [(String, [SchemaUpgrade], Int, ModelError.Code)] = [
            (
                "an identity that changes",
                [SchemaUpgrade(from: 1, renamed: ["text": "title"]) { $0["id"] = .integer(7) }],
                2, .conflict
            ),
            ("a step that is no more", [SchemaUpgrade(from: 2)], 3, .olderVersion),
            ("a step that throws", [SchemaUpgrade(from: 1) { _ in throw Refused() }], 2, .upgradeFailed),
        ]
        for (name, steps, version, code) in cases {
            let world = try savedWorld(notes: 3, teams: 0)
            let before = try world.rows("SELECT * FROM \"Note\"")
            let (store, _) = try world.reopened(Self.present(steps, version: version))
            let error = #expect(throws: ModelError.self) { try store.upgrade() }
            #expect(error?.code == code, "\(name): \(error?.description ?? "")")
            #expect(try world.rows("SELECT * FROM \"Note\"") == before)
        }
    }

    @Test func rowsOfALaterVersionAreErrors() throws {
        let world = try savedWorld(notes: 3, teams: 0)
        let (store, registry) = try world.reopened(Self.present())
        let note = try #require(try store.first(registry.schema(named: "Note"), identity: 1))
        note["title"] = "later"
        try store.save(note)
        let error = #expect(throws: ModelError.self) { try world.store.upgrade() }
        #expect(error?.code == .newerVersion)
        #expect(try rows(world, ofVersion: 1) == 2)
    }

    @Test func aStoreThatIsReadOnlyIsNotUpgraded() throws {
        let world = try savedWorld(notes: 3)
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let (store, registry) = try world.reopened(Self.present(), options: options)
        // The rows are read all the same.
        let schema = try registry.schema(named: "Note")
        #expect(try store.fetch(ModelQuery(schema: schema)).map { $0["title", as: String.self] } == ["t0", "t1", "t2"])
        let error = #expect(throws: ModelError.self) { try store.upgrade() }
        #expect(error?.code == .unwritableFile)
    }

    @Test func sessionsUpgradeWhatTheyEdit() throws {
        let world = try savedWorld(notes: 3)
        let (store, registry) = try world.reopened(Self.present())
        let session = ModelSession(store)
        let notes = try session.fetch(ModelQuery(schema: registry.schema(named: "Note")))
        #expect(!session.hasChanges)
        notes[0]["title"] = "edited"
        #expect(try session.save().rows == StoreChanges(updated: 1))
        #expect(try rows(world, ofVersion: 2) == 1)
        #expect(try rows(world, ofVersion: 1) == 2)
    }

    /// A step that renames an indexed property also changes the columns of the table.
    @Test func anIndexedPropertyMayGetAnotherKey() throws {
        let world = try StoreWorld(schemas: [
            ModelSchema("Note", ["id": .integer.required, "text": .string.indexed()], identity: ["id"])
        ])
        try world.store.save((0..<600).map { try world.make("Note", ["id": $0, "text": "t\($0)"]) })
        var note = ModelSchema("Note", ["id": .integer.required, "title": .string.indexed()], identity: ["id"])
        note.version = 2
        note.upgrades = [SchemaUpgrade(from: 1, renamed: ["text": "title"])]
        let (store, registry) = try world.reopened([note])
        var told: [Int] = []
        let upgraded = try store.upgrade { told.append($0.completed) }
        #expect(upgraded == StoreChanges(updated: 600))
        #expect(told == [256, 512, 600])
        #expect(try rows(world, ofVersion: 2) == 600)
        let query = ModelQuery(schema: try registry.schema(named: "Note"), where: Key("title") == "t300")
        #expect(try store.fetch(query).map { $0["id", as: Int.self] } == [300])
    }

    /// A row keeps its version until it is saved, also if its table gets other columns.
    @Test func aFetchUpgradesNoRow() throws {
        for isIndexed in [false, true] {
            let world = try savedWorld(notes: 3, teams: 0)
            var schemas = Self.present()
            schemas[0] = ModelSchema(
                "Note",
                [
                    "id": .integer.required, "title": isIndexed ? .string.indexed() : .string,
                    "tag": .string.indexed(),
                ], identity: ["id"])
            schemas[0].version = 2
            schemas[0].upgrades = [SchemaUpgrade(from: 1, renamed: ["text": "title"])]
            let (store, registry) = try world.reopened(schemas)
            let found = try store.fetch(ModelQuery(schema: registry.schema(named: "Note")))
            #expect(found.map { $0["title", as: String.self] } == ["t0", "t1", "t2"])
            #expect(try rows(world, ofVersion: 1) == 3)
        }
    }
}
