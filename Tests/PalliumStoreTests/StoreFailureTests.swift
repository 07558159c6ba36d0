import Foundation
import Pallium
import PalliumJSON
import RunSupport
import TestSupport
import Testing

@testable import PalliumStore

/// Files that are no stores, damaged, full or read-only: a typed error or the right answer, never a wrong one.
struct StoreFailureTests {
    private func code(_ body: () throws -> Void) -> ModelError.Code? {
        #expect(throws: ModelError.self, performing: body)?.code
    }

    @Test func filesThatAreNoStoresAreRefusedAndLeftAlone() throws {
        let folder = try TemporaryFolder()
        let letter = folder.url.appendingPathComponent("letter")
        let text = Data("This is no database, but a letter to whom it may concern, and a long one at that.".utf8)
        try text.write(to: letter)
        #expect(code { _ = try ModelStore(at: letter) } == .malformedStore)
        #expect(try Data(contentsOf: letter) == text)
        let other = folder.url.appendingPathComponent("other")
        try SQLiteConnection(other.path, .writing, busyTimeout: .zero).execute("CREATE TABLE t(a)")
        let before = try Data(contentsOf: other)
        #expect(code { _ = try ModelStore(at: other) } == .malformedStore)
        #expect(try Data(contentsOf: other) == before)
        #expect(code { _ = try ModelStore(at: folder.url) } == .unreadableFile)
        #expect(code { _ = try ModelStore(at: folder.url.appendingPathComponent("no/a")) } == .unreadableFile)
        #expect(code { _ = try ModelStore(at: URL(string: "https://example.org/a")) } == .unreadableFile)
        var options = ModelStoreOptions()
        options.isReadOnly = true
        #expect(
            code { _ = try ModelStore(at: folder.url.appendingPathComponent("none"), options: options) }
                == .unreadableFile)
        // An empty file is a new store.
        let empty = folder.url.appendingPathComponent("empty")
        try Data().write(to: empty)
        _ = try ModelStore(at: empty)
    }

    @Test func aLaterFormatIsRefused() throws {
        let world = try StoreWorld()
        try world.change("PRAGMA user_version = 4")
        #expect(code { _ = try world.reopened() } == .newerVersion)
    }

    @Test func aStoreThatIsNoLongerUsedIsClosed() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.store")
        let registry = SchemaRegistry()
        try registry.register(StoreWorld.schemas)
        do {
            let store = try ModelStore(at: file, registry: registry)
            let issue = DynamicModel(schema: try registry.schema(named: "Issue"), registry: registry)
            issue["number"] = 1
            try store.save(issue)
            #expect(try store.count(ModelQuery(schema: issue.schema)) == 1)
        }
        // SQLite removes the files beside a database when its last connection is closed.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.store"])
    }

    @Test func aStoreThatIsReadOnlyIsNotWritten() throws {
        let world = try StoreWorld()
        let issue = try world.make("Issue", ["number": 1, "title": "a"])
        try world.store.save(issue)
        var options = ModelStoreOptions()
        options.isReadOnly = true
        let (store, registry) = try world.reopened(options: options)
        let schema = try registry.schema(named: "Issue")
        #expect(try store.fetch(ModelQuery(schema: schema, where: Key("title") == "a")).count == 1)
        // There is no table, and none is made.
        #expect(try store.fetch(ModelQuery(schema: registry.schema(named: "Vote"))).isEmpty)
        #expect(try store.count(ModelQuery(schema: registry.schema(named: "Vote"))) == 0)
        let model = DynamicModel(schema: schema, registry: registry)
        model["number"] = 2
        #expect(code { try store.save(model) } == .unwritableFile)
        #expect(code { try store.delete(ModelQuery(schema: schema)) } == .unwritableFile)
        #expect(try world.fetch("Issue") == [issue])
    }

    @Test func aFullDiskLeavesTheStoreAsItWas() throws {
        let world = try StoreWorld()
        try world.store.save(world.make("Issue", ["number": 0]))
        func limit(_ pages: Int) throws {
            try world.store.connections.transaction { writer throws(ModelError) in
                try writer.execute("PRAGMA max_page_count = \(pages)")
            }
        }
        let issues = try (1...200).map {
            try world.make("Issue", ["number": $0, "title": String(repeating: "a", count: 1000)])
        }
        let pages = try world.store.connections.transaction { writer throws(ModelError) in
            try writer.firstRow("PRAGMA page_count") { row throws(ModelError) in Int(row.integer(0)) }
        }
        for room in 0..<12 {
            try limit((pages ?? 0) + room)
            let error = #expect(throws: ModelError.self) { try world.store.save(issues) }
            #expect(error?.code == .unwritableFile && error?.category == .systemFailure)
            #expect(try world.store.count(world.query("Issue")) == 1)
        }
        try limit(1_000_000)
        #expect(try world.store.save(issues).inserted == 200)
    }

    /// Damage in a row is found, wherever it is.
    @Test func damagedRowsAreErrors() throws {
        let world = try StoreWorld()
        try world.store.save(
            world.make("Issue", ["number": 1, "title": "a", "createdAt": Date(timeIntervalSince1970: 0)]))
        for change in [
            "\"_document\" = replace(\"_document\", '\"a\"', '\"b\"')", "\"_document\" = ''",
            "\"_document\" = \"_document\" || ' '",
            "\"_schema\" = 'Bug'", "\"_schema\" = 'Other'", "\"_versions\" = '{\"Issue\":2}'", "\"_versions\" = 'x'",
            "\"_checksum\" = 0",
        ] {
            try world.change("UPDATE \"Issue\" SET \(change)")
            #expect(code { _ = try world.fetch("Issue") } == .malformedStore, "\(change)")
            try world.change("DELETE FROM \"Issue\"")
            try world.store.save(
                world.make("Issue", ["number": 1, "title": "a", "createdAt": Date(timeIntervalSince1970: 0)]))
        }
        try world.change("UPDATE \"Issue\" SET \"number\" = 2")
        #expect(code { _ = try world.store.first(world.schema("Issue"), identity: 2) } == .malformedStore)
    }

    /// A document that fits its checksum but not the schema, as another program may write it.
    @Test func forgedRowsAreErrors() throws {
        let world = try StoreWorld()
        try world.store.save(world.make("Issue", ["number": 1]))
        for (document, code) in [
            (#"{"number":"x"}"#, ModelError.Code.typeMismatch), (#"{"number":1,"title":5}"#, .typeMismatch),
            (#"{"title":"a"}"#, .missingProperty), ("[]", .typeMismatch), ("{", .malformedJSON), ("", .malformedJSON),
            (#"{"_schema":"User","number":1}"#, .unknownModel), (#"{"number":1,"assignee":{}}"#, .missingProperty),
            (#"{"number":1,"assignee":5}"#, .typeMismatch), (String(repeating: "[", count: 100_000), .depthLimit),
        ] {
            let checksum = document.withBorrowedBytes {
                StoreTable.checksum(StoreTable.checksum("Issue", "{}"), $0)
            }
            try world.change(
                "UPDATE \"Issue\" SET \"_document\" = '\(document)', \"_checksum\" = \(checksum)")
            let error = #expect(throws: ModelError.self) { try world.fetch("Issue") }
            #expect(
                error?.code == code || code == .depthLimit && error != nil,
                "\(document.prefix(40)): \(error?.description ?? "")")
        }
    }

    /// Bits flip all over the file: each answer is the right one, or a typed error.
    @Test(.trials) func flippedBitsNeverGiveAWrongModel() throws {
        let schemas = [
            ModelSchema(
                "Note", ["id": .integer.required, "text": .string.indexed(), "count": .integer], identity: ["id"])
        ]
        let world = try StoreWorld(schemas: schemas)
        let notes = try (1...40).map {
            try world.make("Note", ["id": $0, "text": "text \($0)", "count": $0 * 1_000_003])
        }
        try world.store.save(notes)
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let original = try Data(contentsOf: world.url)
        let trials = Trials(8)
        var (wrong, refused) = (0, 0)
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            let file = world.folder.url.appendingPathComponent("flipped-\(seed)")
            defer {
                for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
            }
            var bytes = original
            if seed % 10 == 0 {
                bytes = bytes.prefix(random.below(bytes.count))
            } else {
                let bit = random.below(bytes.count * 8)
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
            try bytes.write(to: file)
            do {
                let store = try ModelStore(at: file, registry: world.registry)
                let query = try world.query("Note")
                for note in try store.fetch(query) where !notes.contains(note) { wrong += 1 }
                for id in [1, 20, 40] {
                    let found = try store.first(world.schema("Note"), identity: id)
                    if let found, found != notes[id - 1] { wrong += 1 }
                }
                try store.save(world.make("Note", ["id": 50, "text": "new"]))
            } catch is ModelError { refused += 1 }
        }
        #expect(wrong == 0)
        #expect(refused > trials.count / 20)
    }

    @Test func theFilesBesideTheStoreMayBeLost() throws {
        let world = try StoreWorld()
        try world.store.save(world.make("Issue", ["number": 1]))
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let copy = world.folder.url.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: world.url, to: copy)
        let store = try ModelStore(at: copy, registry: world.registry)
        #expect(try store.fetch(world.query("Issue")).count == 1)
    }
}
