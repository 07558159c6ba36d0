import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// A reference that a query includes counts as part of the model that holds it.
@Suite(.timeLimit(.patient))
struct IncludedChangesTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        let ada = try world.makeAda()
        let milestones = try ["1.0", "2.0"].map {
            try world.make("Milestone", ["title": $0, "due": Date(timeIntervalSinceReferenceDate: 0), "creator": ada])
        }
        try world.store.save(
            [(1, 0), (2, 0), (3, 1)].map {
                try world.make("Issue", ["number": $0.0, "milestone": milestones[$0.1]])
            })
        try world.store.save(
            world.make(
                "Issue",
                [
                    "number": 4,
                    "related": [
                        world.make("Issue", ["number": 1]),
                        world.make(
                            "Issue",
                            [
                                "number": 40
                            ]),
                    ],
                ]))
    }

    private enum Step: String, CaseIterable {
        case due, login, issue
    }

    private func take(_ step: Step) throws {
        switch step {
        case .due:
            try world.store.save(
                world.make("Milestone", ["title": "1.0", "creator": world.makeAda()]))
        case .login: try world.store.save(world.make("User", ["id": 1, "login": "grace"]))
        case .issue: try world.store.import(#"{"number": 3, "title": "last"}"#, using: world.adapter("Issue"))
        }
    }

    /// Takes a step, and another one that every query hears of; returns the numbers of the first element.
    private func numbers(
        _ links: ModelQuery<DynamicModel>.Links, _ step: Step
    ) async throws -> [String] {
        let query = try world.query("Issue", where: Key("number") < 4, including: links)
        var iterator = try world.store.changes(of: query).makeAsyncIterator()
        try take(step)
        if step != .issue { try take(.issue) }
        let change = try #require(try await iterator.next())
        #expect(change.inserted.isEmpty && change.deleted.isEmpty)
        return change.updated.map(\.description)
    }

    @Test(
        arguments: [
            ("due", [], ["Issue 3"]), ("due", ["milestone"], ["Issue 1", "Issue 2", "Issue 3"]),
            ("due", ["assignee"], ["Issue 3"]), ("login", [], ["Issue 3"]),
            ("login", ["milestone.creator"], ["Issue 1", "Issue 2", "Issue 3"]), ("issue", [], ["Issue 3"]),
        ] as [(String, [String], [String])])
    func theHoldersOfIncludedModelsDiffer(step: String, keys: [String], expected: [String]) async throws {
        let step = try #require(Step(rawValue: step))
        #expect(try await numbers(.keys(keys), step) == expected)
    }

    @Test(
        arguments: [(0, "due", 1), (1, "due", 3), (2, "due", 3), (2, "login", 3), (Int.max, "login", 3)]
    ) func depthsCountAsFarAsTheyReach(depth: Int, step: String, count: Int) async throws {
        let step = try #require(Step(rawValue: step))
        #expect(try await numbers(depth == .max ? .all : .depth(depth), step).count == count)
    }

    /// A user has required properties besides its identity, so its model always comes with what refers to it.
    @Test func aModelThatIsAlwaysFetchedCountsAsIncluded() async throws {
        try world.store.import(
            #"{"number": 1, "assignee": {"id": 1, "login": "ada"}}"#, using: world.adapter("Issue"))
        let updated = try await numbers(.stubs, .login)
        #expect(updated == ["Issue 1", "Issue 3"])
    }

    @Test func aRowThatComesAndGoesBehindAReferenceChangesItsHolder() async throws {
        let query = try world.query("Issue", where: Key("number") == 4, including: .keys(["related"]))
        var iterator = try world.store.changes(of: query).makeAsyncIterator()
        for change in [
            { try world.store.save(world.make("Issue", ["number": 40, "title": "a row now"])) },
            { try world.store.delete(world.query("Issue", where: Key("number") == 40)) },
            { try world.store.save(world.make("Bug", ["number": 40, "severity": 1])) },
        ] as [() throws -> StoreChanges] {
            _ = try change()
            let element = try #require(try await iterator.next())
            #expect(element.updated.map(\.description) == ["Issue 4"])
            #expect(element.description == "0 inserted, 1 updated, 0 deleted")
        }
    }

    @Test func aModelBothInTheResultAndReferredToIsToldWithItsHolder() async throws {
        var iterator = try world.store.changes(
            of: world.query("Issue", where: Key("number").isIn([1, 4]), including: .keys(["related"]))
        ).makeAsyncIterator()
        try world.store.import(#"{"number": 1, "title": "new"}"#, using: world.adapter("Issue"))
        #expect(try await iterator.next()?.updated.map(\.description) == ["Issue 1", "Issue 4"])
    }

    @Test func anotherReferenceIsAChangeOfTheHolderAlways() async throws {
        var iterator = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        try world.store.import(#"{"number": 3, "milestone": {"title": "1.0"}}"#, using: world.adapter("Issue"))
        #expect(try await iterator.next()?.updated.map(\.description) == ["Issue 3"])
    }
}
