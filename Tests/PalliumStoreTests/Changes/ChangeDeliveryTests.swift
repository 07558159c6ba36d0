import Foundation
import Pallium
import Synchronization
import TestSupport
import Testing

@testable import PalliumStore

/// When the changes of a query arrive, from whom, and how a loop ends.
@Suite(.timeLimit(.patient))
struct ChangeDeliveryTests {
    private struct Enough: Error {}

    private static var fast: ModelStoreOptions {
        var options = ModelStoreOptions.patient
        options.pollingInterval = .milliseconds(5)
        return options
    }

    private let world: StoreWorld
    /// The same file, as another program has it open; it looks for commits of others every 5 milliseconds.
    private let other: (store: ModelStore, registry: SchemaRegistry)

    init() throws {
        world = try StoreWorld()
        other = try world.reopened(options: Self.fast)
    }

    private func save(_ number: Int, _ title: String = "a") throws {
        try world.store.save(world.make("Issue", ["number": number, "title": title]))
    }

    private func otherQuery(where condition: Condition? = nil) throws -> ModelQuery<DynamicModel> {
        ModelQuery(schema: try other.registry.schema(named: "Issue"), where: condition)
    }

    @Test func commitsOfAnotherProgramArrive() async throws {
        var iterator = try other.store.changes(of: otherQuery()).makeAsyncIterator()
        try save(1)
        #expect(try await iterator.next()?.description == "1 inserted, 0 updated, 0 deleted")
        try save(1, "b")
        #expect(try await iterator.next()?.description == "0 inserted, 1 updated, 0 deleted")
        try world.store.delete(world.query("Issue"))
        #expect(try await iterator.next()?.description == "0 inserted, 0 updated, 1 deleted")
    }

    /// The loop waits already when the commit comes.
    @Test(arguments: [true, false]) func aLoopThatWaitsHears(isOtherProgram: Bool) async throws {
        let (store, query) = isOtherProgram ? (other.store, try otherQuery()) : (world.store, try world.query("Issue"))
        let changes = try store.changes(of: query)
        let (heard, notices) = AsyncStream.makeStream(of: [String].self)
        let loop = Task {
            defer { notices.finish() }
            for try await change in changes { notices.yield(change.inserted.map(\.description)) }
        }
        // Whoever has heard of one commit waits for the next.
        var iterator = heard.makeAsyncIterator()
        for number in 1...5 {
            try save(number)
            #expect(await iterator.next() == ["Issue \(number)"])
        }
        loop.cancel()
        try await loop.value
    }

    /// The loop may begin long after the call.
    @Test(arguments: [true, false]) func nothingIsMissedBetweenTheCallAndTheLoop(isOtherProgram: Bool) async throws {
        try save(1)
        let (store, query) = isOtherProgram ? (other.store, try otherQuery()) : (world.store, try world.query("Issue"))
        let changes = try store.changes(of: query)
        try save(2)
        try world.store.delete(world.query("Issue", where: Key("number") == 1))
        for try await change in changes {
            #expect(change.inserted.map(\.description) == ["Issue 2"])
            #expect(change.deleted.map(\.description) == ["Issue 1"] && change.updated.isEmpty)
            break
        }
    }

    @Test func aLoopEndsWithItsTask() async throws {
        let changes = try world.store.changes(of: world.query("Issue"))
        let heard = Mutex(0)
        let loop = Task {
            for try await _ in changes { heard.withLock { $0 += 1 } }
            return Task.isCancelled
        }
        try save(1)
        while heard.withLock({ $0 }) == 0, !Task.isCancelled { await Task.yield() }
        loop.cancel()
        #expect(try await loop.value)
        try save(2)
        #expect(heard.withLock { $0 } == 1)
    }

    @Test func aLoopThatBeginsInACancelledTaskEndsAtOnce() async throws {
        let changes = try world.store.changes(of: world.query("Issue"))
        let loop = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in changes { return 1 }
            return 0
        }
        loop.cancel()
        #expect(try await loop.value == 0)
    }

    @Test func aWrongKeyIsAnErrorAtOnce() throws {
        let error = #expect(throws: ModelError.self) {
            try world.store.changes(of: world.query("Issue", where: Key("titel") == "a"))
        }
        #expect(error?.code == .unknownKey && error?.description.contains("title") == true)
        let include = #expect(throws: ModelError.self) {
            try world.store.changes(of: world.query("Issue", including: .keys(["milestone.creater"])))
        }
        #expect(include?.code == .unknownKey)
    }

    @Test func aLoopEndsWithAnError() async throws {
        try save(1)
        var iterator = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        try save(2)
        try world.change("UPDATE \"Issue\" SET \"_document\" = '{' WHERE number = 1")
        let error = await #expect(throws: ModelError.self) { try await iterator.next() }
        #expect(error?.code == .malformedStore)
    }

    @Test func twoLoopsHearTheSame() async throws {
        var all = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        var some = try world.store.changes(of: world.query("Issue", where: Key("title") == "b")).makeAsyncIterator()
        try save(1)
        try save(2, "b")
        #expect(try await all.next()?.inserted.count == 2)
        #expect(try await some.next()?.inserted.map(\.description) == ["Issue 2"])
        try save(2)
        #expect(try await some.next()?.deleted.map(\.description) == ["Issue 2"])
        #expect(try await all.next()?.updated.map(\.description) == ["Issue 2"])
    }

    @Test func aStoreInMemoryTellsToo() async throws {
        let world = try StoreWorld(file: nil)
        var iterator = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        try world.store.save(world.make("Issue", ["number": 1, "title": "a"]))
        #expect(try await iterator.next()?.inserted.map(\.description) == ["Issue 1"])
        try world.store.delete(world.query("Issue"))
        #expect(try await iterator.next()?.deleted.map(\.description) == ["Issue 1"])
    }

    @Test func aTransactionOfSeveralSavesIsOneElement() async throws {
        var iterator = try other.store.changes(of: otherQuery()).makeAsyncIterator()
        // The other program looks many times while the transaction is open.
        try world.store.transaction { store in
            for number in 1...20 {
                try store.save(world.make("Issue", ["number": number, "title": "a"]))
                usleep(1000)
            }
        }
        #expect(try await iterator.next()?.inserted.count == 20)
    }

    @Test func aTransactionThatFailsGivesNothing() async throws {
        var iterator = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        #expect(throws: Enough.self) {
            try world.store.transaction { store in
                try store.save(world.make("Issue", ["number": 1, "title": "a"]))
                throw Enough()
            }
        }
        try save(2)
        #expect(try await iterator.next()?.inserted.map(\.description) == ["Issue 2"])
    }

    @Test func aSessionsSaveIsOneElement() async throws {
        try save(1)
        var iterator = try other.store.changes(of: otherQuery()).makeAsyncIterator()
        let session = ModelSession(world.store)
        try session.first(world.schema("Issue"), identity: 1)?["title"] = "b"
        try session.insert(world.make("Issue", ["number": 2]))
        try session.save()
        #expect(try await iterator.next()?.description == "1 inserted, 1 updated, 0 deleted")
    }

    /// The sum of all elements is the last result, whatever is committed meanwhile.
    @Test func elementsAddUpToTheResult() async throws {
        let changes = try other.store.changes(of: otherQuery(where: Key("score") > 3))
        let schema = try world.schema("Issue")
        let (store, registry) = (world.store, world.registry)
        let writer = Task {
            for turn in 0..<150 {
                let issue = DynamicModel(schema: schema, registry: registry)
                (issue["number"], issue["score"]) = (turn % 7, turn * 5 % 8)
                try store.save(issue)
            }
            let last = DynamicModel(schema: schema, registry: registry)
            (last["number"], last["score"]) = (99, 9)
            try store.save(last)
        }
        var members: Set<ModelIdentity> = []
        for try await change in changes {
            #expect(
                members.isDisjoint(with: change.inserted) && members.isSuperset(of: change.deleted + change.updated))
            members.formUnion(change.inserted)
            members.subtract(change.deleted)
            if change.inserted.contains(where: { $0.description == "Issue 99" }) { break }
        }
        try await writer.value
        #expect(try members == Set(other.store.fetch(otherQuery(where: Key("score") > 3)).map(ModelIdentity.init(of:))))
    }
}
