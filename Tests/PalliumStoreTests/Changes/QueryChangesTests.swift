import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Each element is the difference between two results of a query.
@Suite(.timeLimit(.patient))
struct QueryChangesTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        try world.store.save(
            (1...6).map {
                try world.make(
                    "Issue", ["number": $0, "title": "t\($0)", "state": $0 < 4 ? "open" : "closed", "score": $0 * 10])
            })
    }

    private func set(_ number: Int, _ values: [String: any PropertyValue]) throws {
        let issue = try #require(try world.store.first(world.schema("Issue"), identity: number))
        for (key, value) in values { try issue.setValue(value, forKey: key) }
        try world.store.save(issue)
    }

    private func remove(_ number: Int) throws {
        try world.store.delete(world.query("Issue", where: Key("number") == number))
    }

    private func insert(_ number: Int, score: Double? = nil) throws {
        let issue = try world.make("Issue", ["number": number, "state": "open"])
        if let score { issue["score"] = score }
        try world.store.save(issue)
    }

    private static let open = Key("state") == "open"

    /// A query, what is done, and the numbers that came, differ and left, in words.
    private func expect(
        _ query: ModelQuery<DynamicModel>, _ changes: [(String, () throws -> Void)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var iterator = try world.store.changes(of: query).makeAsyncIterator()
        for (expected, change) in changes {
            try change()
            let element = try #require(try await iterator.next())
            #expect(Self.words(element) == expected, sourceLocation: sourceLocation)
        }
    }

    private static func words(_ change: QueryChanges) -> String {
        [("+", change.inserted), ("~", change.updated), ("-", change.deleted)].flatMap { sign, identities in
            identities.map { sign + $0.description.replacingOccurrences(of: "Issue ", with: "") }
        }.joined(separator: " ")
    }

    /// The order may lead through a row that is no part of the result.
    @Test func aModelThatOnlyMovesDiffers() async throws {
        func rename(_ title: String, _ due: Int) throws {
            try world.store.import(
                #"{"title": "\#(title)", "due": "20\#(due)-01-01T00:00:00Z"}"#, using: world.adapter("Milestone"))
        }
        for (number, due) in [(1, 10), (2, 20), (3, 30), (4, 40)] {
            try rename("m\(number)", due)
            try set(
                number,
                ["milestone": try #require(try world.store.first(world.schema("Milestone"), identity: "m\(number)"))])
        }
        let query = ModelQuery(
            schema: try world.schema("Issue"), where: Key("number") < 5, order: [.ascending("milestone.due")])
        try await expect(
            query,
            [
                ("~4", { try rename("m4", 15) }), ("~1", { try rename("m1", 50) }),
                (
                    "~2 -3",
                    {
                        try self.world.store.transaction { store in
                            try store.import(
                                #"[{"title": "m2", "due": "2060-01-01T00:00:00Z"}]"#,
                                using: self.world.adapter("Milestone"))
                            try store.delete(self.world.query("Issue", where: Key("number") == 3))
                        }
                    }
                ),
            ])
    }

    @Test func whatComesDiffersAndLeaves() async throws {
        try await expect(
            world.query("Issue", where: Self.open),
            [
                ("+9", { try insert(9) }), ("~1", { try set(1, ["title": "new"]) }), ("-2", { try remove(2) }),
                ("+4", { try set(4, ["state": "open"]) }), ("-1", { try set(1, ["state": "closed"]) }),
                (
                    "+5 ~3 ~4 -9",
                    {
                        try world.store.transaction { store in
                            let all = try store.fetch(world.query("Issue", where: Key("number").isIn([3, 4, 5])))
                            for issue in all { (issue["state"], issue["title"]) = ("open", "x") }
                            try store.save(all)
                            try store.delete(world.query("Issue", where: Key("number") == 9))
                        }
                    }
                ),
            ])
    }

    @Test func theNumbersInWords() async throws {
        var iterator = try world.store.changes(of: world.query("Issue")).makeAsyncIterator()
        try world.store.transaction { store in
            try store.save([7, 8].map { try world.make("Issue", ["number": $0, "state": "open"]) })
            let issue = try #require(try store.first(world.schema("Issue"), identity: 1))
            issue["title"] = "new"
            try store.save(issue)
        }
        let change = try #require(try await iterator.next())
        #expect(change.description == "2 inserted, 1 updated, 0 deleted")
        #expect(try change.inserted == [7, 8].map { try ModelIdentity(of: world.make("Issue", ["number": $0])) })
    }

    /// Each list is in the order of the result, the list of those that left in that of the former one.
    @Test func theListsAreInTheOrderOfTheResult() async throws {
        let descending = try world.query("Issue", where: Self.open, order: [.descending("score")])
        try await expect(
            descending,
            [
                (
                    "+8 +7 +9",
                    {
                        try world.store.save(
                            [(7, 500), (8, 900), (9, 5)].map {
                                try world.make("Issue", ["number": $0.0, "state": "open", "score": $0.1])
                            })
                    }
                ),
                (
                    // The new result is 1 (999), 8, 7, 3, 2, 9.
                    "~1 ~8 ~3",
                    {
                        try world.store.transaction { store in
                            let all = try store.fetch(world.query("Issue", where: Key("number").isIn([1, 3, 8])))
                            for issue in all { issue["title"] = "x" }
                            all[0]["score"] = 999
                            try store.save(all)
                        }
                    }
                ),
                (
                    "-1 -8 -2",
                    { try world.store.delete(world.query("Issue", where: Key("number").isIn([2, 8, 1]))) }
                ),
            ])
    }

    @Test func aLimitLetsModelsComeAndGo() async throws {
        try await expect(
            world.query("Issue", where: Self.open, order: [.descending("score")], limit: 2),
            [
                // 3 and 2 are there; 1 comes when one of them goes.
                ("+1 -3", { try remove(3) }), ("+7 -1", { try insert(7, score: 90) }),
                ("+1 -2", { try set(1, ["score": 80]) }),
            ])
    }

    @Test func anOffsetLetsModelsComeAndGo() async throws {
        let query = try world.query("Issue", order: [.ascending("number")], limit: 2, offset: 2)
        try await expect(query, [("+2 -4", { try insert(0) }), ("+4 -2", { try remove(0) })])
    }

    /// A commit that changes nothing in the result gives no element, so the next one is that of the last step.
    @Test func commitsThatChangeNothingInTheResultGiveNoElement() async throws {
        let first = try world.query("Issue", where: Self.open, order: [.ascending("number")], limit: 2)
        try await expect(
            first,
            [
                (
                    "~2",
                    {
                        try set(5, ["title": "not in the result"])
                        try set(3, ["title": "behind the limit"])
                        try insert(9)
                        try world.store.save(world.makeAda())
                        try world.store.save(world.fetch("Issue"))
                        try set(2, ["title": "at last"])
                    }
                )
            ])
    }

    /// What was changed and changed back is no difference.
    @Test func aChangeThatWasTakenBackGivesNoElement() async throws {
        try await expect(
            world.query("Issue", where: Self.open),
            [
                (
                    "~3",
                    {
                        try insert(9)
                        try remove(9)
                        try set(1, ["title": "new"])
                        try set(1, ["title": "t1"])
                        try set(3, ["title": "new"])
                    }
                )
            ])
    }

    @Test func commitsThatAreFasterThanTheLoopAreOneElement() async throws {
        try await expect(
            world.query("Issue", where: Self.open),
            [
                (
                    "+4 +7 ~1 -2",
                    {
                        try insert(7)
                        try set(4, ["state": "open"])
                        for turn in 0..<5 { try set(1, ["title": "\(turn)"]) }
                        try remove(2)
                    }
                )
            ])
    }

    /// In an order that nothing determines otherwise, a model that only moves does not differ.
    @Test func anotherOrderOfTheSameModelsIsToldOfThoseThatDiffer() async throws {
        try await expect(
            world.query("Issue", where: Self.open, order: [.ascending("score")]),
            [("~1", { try set(1, ["score": 99]) })])
    }

    @Test func descendantsCountAsWhatTheyAre() async throws {
        var iterator = try world.store.changes(of: world.query("Bug")).makeAsyncIterator()
        try world.store.save(world.make("Bug", ["number": 1, "severity": 2]))
        let inserted = try #require(try await iterator.next())
        #expect(inserted.description == "1 inserted, 0 updated, 0 deleted")
        try world.store.save(world.make("Issue", ["number": 1, "title": "no bug"]))
        let deleted = try #require(try await iterator.next())
        #expect(deleted.description == "0 inserted, 0 updated, 1 deleted")
    }
}
