import Foundation
import Pallium
import Synchronization
import TestSupport
import Testing

@testable import PalliumStore

/// Another program holds the lock for writing.
struct BusyStoreTests {
    private let world: StoreWorld
    private let lock: SQLiteConnection

    init() throws {
        let world = try StoreWorld()
        self.world = world
        try world.store.save((1...3).map { try world.make("Issue", ["number": $0, "title": "old"]) })
        lock = try SQLiteConnection(world.url.path, .writing, busyTimeout: .zero)
    }

    private func impatient(_ timeout: Duration = .milliseconds(5)) throws -> (store: ModelStore, schema: ModelSchema) {
        var options = ModelStoreOptions()
        options.busyTimeout = timeout
        let other = try world.reopened(options: options)
        let schema = try other.registry.schema(named: "Issue")
        _ = try other.store.count(ModelQuery(schema: schema))
        return (other.store, schema)
    }

    @Test func everyCallThatWritesThrowsAndWorksLater() throws {
        let (store, schema) = try impatient()
        let issues = try store.fetch(ModelQuery(schema: schema))
        issues[0]["title"] = "new"
        let session = ModelSession(store)
        try session.first(schema, identity: 2)?["title"] = "new"
        let deleted = ModelQuery(schema: schema, where: Key("number") == 3)
        let adapter = try JSONAdapter(schema: schema, registry: store.registry)
        let calls: [(String, () throws -> StoreChanges)] = [
            ("save", { try store.save(issues) }), ("delete", { try store.delete(deleted) }),
            ("import", { try store.import(#"{"number": 9, "title": "new"}"#, using: adapter) }),
            (
                "transaction",
                { try store.transaction { try $0.import(#"{"number": 8, "title": "new"}"#, using: adapter) } }
            ),
            ("session", { try session.save().rows }),
        ]
        try lock.execute("BEGIN IMMEDIATE")
        for (name, call) in calls {
            let error = #expect(throws: ModelError.self, "\(name)") { try call() }
            #expect(error?.code == .busy && error?.category == .systemFailure, "\(name)")
            #expect((error?.underlying as? SQLiteError)?.description.contains("SQLite 5") == true, "\(name)")
        }
        // Readers see the state before.
        #expect(try store.count(ModelQuery(schema: schema, where: Key("title") == "old")) == 3)
        #expect(session.hasChanges)
        try lock.execute("ROLLBACK")
        for (name, call) in calls { #expect(try !call().isEmpty, "\(name)") }
        #expect(try world.fetch("Issue").count == 4)
        #expect(try world.fetch("Issue", where: Key("title") == "new").count == 4)
    }

    @Test func aWriterWaitsForTheLock() throws {
        let (store, schema) = try impatient(Patience.duration)
        let path = world.url.path
        let (isLocked, isSaving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isCommitted = Mutex(false)
        // A thread of its own, because a test that waits in a task keeps others from running.
        Thread.detachNewThread {
            do {
                let connection = try SQLiteConnection(path, .writing, busyTimeout: Patience.duration)
                try connection.execute("BEGIN IMMEDIATE")
                try connection.execute("UPDATE \"Issue\" SET \"title\" = \"title\"")
                isLocked.signal()
                _ = isSaving.waitPatiently()
                // Time in which a save that does not wait would fail. It may be too short to notice, never too short to pass.
                usleep(30_000)
                isCommitted.withLock { $0 = true }
                try connection.execute("COMMIT")
            } catch {
                Issue.record(error)
                isLocked.signal()
            }
        }
        try #require(isLocked.waitPatiently())
        let issue = DynamicModel(schema: schema, registry: store.registry)
        issue["number"] = 4
        isSaving.signal()
        #expect(try store.save([issue]) == StoreChanges(inserted: 1))
        #expect(isCommitted.withLock { $0 })
    }

    @Test func aCheckpointThatIsHeldUpLosesNothing() throws {
        // A reader with an old state holds back the file; writers go on beside it.
        try lock.execute("BEGIN")
        #expect(try lock.firstRow("SELECT count(*) FROM \"Issue\"") { $0.integer(0) } == 3)
        for number in 10..<200 {
            try world.store.save(world.make("Issue", ["number": number, "title": String(repeating: "x", count: 500)]))
        }
        #expect(try lock.firstRow("SELECT count(*) FROM \"Issue\"") { $0.integer(0) } == 3)
        #expect(try world.store.count(world.query("Issue")) == 193)
        try lock.execute("COMMIT")
        #expect(try lock.firstRow("SELECT count(*) FROM \"Issue\"") { $0.integer(0) } == 193)
    }
}
