import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Transactions, of one thread, of several, and of several programs.
struct StoreTransactionTests {
    private struct Enough: Error {}

    @Test(arguments: ["a.store", nil]) func allOrNothing(file: String?) throws {
        let world = try StoreWorld(file: file)
        let query = try world.query("Issue")
        #expect(throws: Enough.self) {
            try world.store.transaction { store in
                try store.save(world.make("Issue", ["number": 1]))
                #expect(try store.count(query) == 1)
                try store.import(#"{"number": 2}"#, using: world.adapter("Issue"))
                #expect(try store.fetch(query).count == 2)
                throw Enough()
            }
        }
        #expect(try world.store.count(query) == 0)
        let result = try world.store.transaction { store in
            try store.save(world.make("Issue", ["number": 1]))
            #expect(try store.first(world.schema("Issue"), identity: 1) != nil)
            try store.save([world.make("Issue", ["number": 2])])
            return try store.delete(world.query("Issue", where: Key("number") == 1)).deleted
        }
        #expect(result == 1)
        #expect(try world.fetch("Issue").compactMap { $0["number", as: Int.self] } == [2])
    }

    @Test func aFunctionTakesAStoreOrATransaction() throws {
        let world = try StoreWorld()
        func close(_ number: Int, in store: some StoreAccess) throws {
            let issue = try #require(try store.first(world.schema("Issue"), identity: number))
            issue["state"] = "closed"
            try store.save(issue)
        }
        try world.store.save([world.make("Issue", ["number": 1]), world.make("Issue", ["number": 2])])
        try close(1, in: world.store)
        try world.store.transaction { try close(2, in: $0) }
        #expect(try world.store.count(world.query("Issue", where: Key("state") == "closed")) == 2)
        let ended = try world.store.transaction { $0 }
        #expect(throws: ModelError.self) { try close(1, in: ended) }
    }

    /// A part that fails is undone alone.
    @Test func aCallOfTheStoreInsideIsAPart() throws {
        let world = try StoreWorld()
        try world.store.transaction { _ in
            try world.store.save(world.make("Issue", ["number": 1]))
            let users = try [1, 2].map { try world.make("User", ["id": $0, "login": "same"]) }
            #expect(throws: ModelError.self) { try world.store.save(users) }
            #expect(throws: Enough.self) {
                try world.store.transaction { inner in
                    try inner.save(world.make("Issue", ["number": 2]))
                    throw Enough()
                }
            }
        }
        #expect(try world.fetch("Issue").count == 1)
        #expect(try world.fetch("User").isEmpty)
    }

    @Test func aTransactionThatHasEndedIsOfNoUse() throws {
        let world = try StoreWorld()
        var kept: StoreTransaction?
        try world.store.transaction { kept = $0 }
        let error = #expect(throws: ModelError.self) { try kept?.save(world.make("Issue", ["number": 1])) }
        #expect(error?.code == .conflict)
    }

    @Test func tablesOfATransactionThatFailedAreMadeAgain() throws {
        let world = try StoreWorld()
        try? world.store.transaction { store in
            try store.save(world.make("Issue", ["number": 1]))
            throw Enough()
        }
        try world.store.save(world.make("Issue", ["number": 2]))
        #expect(try world.fetch("Issue").count == 1)
    }

    @Test func aSecondWriterWaitsOrIsTold() throws {
        let world = try StoreWorld()
        try world.store.save(world.make("Issue", ["number": 1]))
        var options = ModelStoreOptions()
        options.busyTimeout = .milliseconds(20)
        let other = try world.reopened(options: options)
        try world.store.transaction { store in
            try store.save(world.make("Issue", ["number": 2]))
            let model = DynamicModel(schema: try other.registry.schema(named: "Issue"), registry: other.registry)
            model["number"] = 3
            let error = #expect(throws: ModelError.self) { try other.store.save(model) }
            #expect(error?.code == .busy)
            // Readers see the state before the transaction.
            #expect(try other.store.count(ModelQuery(schema: other.registry.schema(named: "Issue"))) == 1)
        }
        #expect(try other.store.count(ModelQuery(schema: other.registry.schema(named: "Issue"))) == 2)
    }

    /// Money moves between accounts; whoever looks, its sum is the same.
    @Test func threadsAndProgramsSeeWholeTransactions() async throws {
        let accounts = ModelSchema("Account", ["id": .integer.required, "money": .integer.required], identity: ["id"])
        let world = try StoreWorld(schemas: [accounts])
        try world.store.save((0..<8).map { try world.make("Account", ["id": $0, "money": 100]) })
        let other = try world.reopened([accounts])
        let (first, firstRegistry) = (world.store, world.registry)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                let (store, registry) = thread % 2 == 0 ? (first, firstRegistry) : (other.store, other.registry)
                group.addTask {
                    let schema = try registry.schema(named: "Account")
                    for turn in 0..<40 {
                        try store.transaction { store in
                            let (from, to) = ((thread + turn) % 8, (thread * 3 + turn * 5 + 1) % 8)
                            guard from != to, let giver = try store.first(schema, identity: from),
                                let taker = try store.first(schema, identity: to)
                            else { return }
                            giver["money"] = (giver["money", as: Int.self] ?? 0) - turn
                            taker["money"] = (taker["money", as: Int.self] ?? 0) + turn
                            try store.save([giver, taker])
                        }
                    }
                }
                group.addTask {
                    let schema = try registry.schema(named: "Account")
                    for _ in 0..<60 {
                        let all = try store.fetch(ModelQuery(schema: schema))
                        #expect(all.compactMap { $0["money", as: Int.self] }.reduce(0, +) == 800)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try world.rows("PRAGMA integrity_check")[0][0] == .text("ok"))
    }
}
