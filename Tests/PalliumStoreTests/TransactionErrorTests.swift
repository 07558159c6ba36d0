import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// What is left of a transaction in which something fails.
struct TransactionErrorTests {
    private let world: StoreWorld

    init() throws { world = try StoreWorld() }

    private func issue(_ number: Int, _ title: String? = nil) throws -> DynamicModel {
        let issue = try world.make("Issue", ["number": number])
        issue["title"] = title
        return issue
    }

    @Test(arguments: ["save", "import", "delete"]) func aCallThatThrowsChangesNothing(call: String) throws {
        let users = try [1, 2].map { try world.make("User", ["id": $0, "login": "same"]) }
        try world.store.transaction { store in
            try store.save(issue(1))
            switch call {
            case "save": #expect(throws: ModelError.self) { try store.save(users) }
            case "import":
                let document = #"[{"id": 1, "login": "same"}, {"id": 2, "login": "same"}]"#
                #expect(throws: ModelError.self) { try store.import(document, using: world.adapter("User")) }
            default:
                #expect(throws: ModelError.self) { try store.delete(world.query("Issue", where: Key("none") == 1)) }
            }
            try store.save(issue(2))
        }
        #expect(try world.store.count(world.query("User")) == 0)
        #expect(try world.store.count(world.query("Issue")) == 2)
    }

    /// SQLite ends the whole transaction by itself.
    @Test func nothingIsWrittenAfterAFullDisk() throws {
        try world.store.save(issue(1))
        try world.store.connections.transaction { connection throws(ModelError) in
            let pages = try connection.firstRow("PRAGMA page_count") { row throws(ModelError) in row.integer(0) }
            try connection.execute("PRAGMA max_page_count = \((pages ?? 0) + 4)")
        }
        let error = #expect(throws: ModelError.self) {
            try world.store.transaction { store in
                try store.save(issue(2))
                _ = try? store.save(issue(3, String(repeating: "x", count: 200_000)))
                try store.save(issue(4))
            }
        }
        #expect(error?.code == .unwritableFile, "\(error?.description ?? "")")
        #expect(try world.fetch("Issue").map { $0["number", as: Int.self] } == [1])
        #expect(try world.store.save(issue(5)).inserted == 1)
        #expect(try world.store.integrityCheck().isEmpty)
    }

    @Test func aThreadWaitsForAnotherOneNoLongerThanTheTimeout() throws {
        var options = ModelStoreOptions()
        options.busyTimeout = .milliseconds(20)
        let store = try ModelStore(at: world.url, registry: world.registry, options: options)
        let schema = try world.schema("Issue")
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasEnded = DispatchSemaphore(value: 0)
        // A thread of its own, because those of tasks are few.
        Thread.detachNewThread {
            do {
                try store.transaction { _ in
                    isHeld.signal()
                    _ = mayEnd.waitPatiently()
                }
            } catch { Issue.record(error) }
            hasEnded.signal()
        }
        try #require(isHeld.waitPatiently())
        let error = #expect(throws: ModelError.self) { try store.delete(ModelQuery(schema: schema)) }
        #expect(error?.code == .busy)
        mayEnd.signal()
        #expect(hasEnded.waitPatiently())
    }

    // MARK: Sessions

    /// What is taken back without the session would leave it with wrong knowledge.
    @Test func sessionsAreNotUsedInsideTransactions() throws {
        try world.store.save(issue(1))
        let session = ModelSession(world.store)
        let held = try session.fetch(world.query("Issue"))[0]
        held["title"] = "edited"
        let calls: [() throws -> Void] = [
            { try session.save() }, { try session.refresh() }, { _ = try session.fetch(world.query("Issue")) },
            { _ = try session.first(world.schema("Issue"), identity: 1) }, { try session.insert(issue(2)) },
        ]
        for call in calls {
            for surround in [
                { body in try world.store.transaction { _ in try body() } }, { body in try held.transaction(body) },
            ] as [(() throws -> Void) throws -> Void] {
                let error = #expect(throws: ModelError.self) { try surround(call) }
                #expect(error?.code == .conflict)
            }
        }
        #expect(held["title", as: String.self] == "edited" && session.hasChanges)
        #expect(try session.save().rows == StoreChanges(updated: 1))
    }

    @Test(arguments: ["trackChanges", "stopTrackingChanges", "rebase"])
    func aSessionNoticesThatOthersTrackItsObjects(call: String) throws {
        try world.store.save([issue(1, "a"), issue(2, "b")])
        let session = ModelSession(world.store)
        let objects = try session.fetch(world.query("Issue", order: [.ascending("number")]))
        objects[0]["title"] = "edited"
        switch call {
        case "trackChanges": objects[0].trackChanges()
        case "stopTrackingChanges": objects[0].stopTrackingChanges()
        default:
            objects[0].stopTrackingChanges()
            try objects[0].rebase(onto: issue(1, "c"))
        }
        for operation in [{ try session.save() }, { try session.refresh() }] as [() throws -> SessionChanges] {
            let error = #expect(throws: ModelError.self) { try operation() }
            #expect(error?.code == .conflict, "\(error?.description ?? "")")
        }
        #expect(try world.fetch("Issue").map { $0["title", as: String.self] } == ["a", "b"])
    }

    @Test func oneObjectIsReverted() throws {
        try world.store.save([issue(1, "a"), issue(2, "b")])
        let session = ModelSession(world.store)
        let objects = try session.fetch(world.query("Issue", order: [.ascending("number")]))
        let new = try issue(3, "c")
        try session.insert(new)
        for object in objects { object["title"] = "edited" }
        try session.delete(objects[1])
        try session.revert(objects[1])
        try session.revert(new)
        #expect(objects.map { $0["title", as: String.self] } == ["edited", "b"])
        #expect(throws: ModelError.self) { try session.revert(new) }
        #expect(try session.save().rows == StoreChanges(updated: 1))
    }

    /// Each operation takes the time of what it changes, not of all objects.
    @Test func manyObjectsAreInsertedAndDeletedOneByOne() throws {
        let session = ModelSession(world.store)
        let issues = try (0..<3000).map { try issue($0) }
        for issue in issues { try session.insert(issue) }
        for issue in issues.dropFirst(10) { try session.delete(issue) }
        #expect(try session.save().rows == StoreChanges(inserted: 10))
        for number in 0..<10 { #expect(try session.first(world.schema("Issue"), identity: number) === issues[number]) }
        #expect(!session.hasChanges)
    }
}
