import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A session has one object for each identity, whichever way leads to it.
struct SessionIdentityTests {
    private let scene: SessionWorld

    init() throws {
        scene = try SessionWorld()
        try scene.put(
            "Issue",
            [
                "number": 1, "title": "one", "state": "open", "assignee": ["id": 1, "login": "ada"],
                "milestone": ["title": "1.0", "due": "2001-01-01T00:00:10Z"],
                "related": [["number": 2], ["number": 9]],
            ])
        try scene.put(
            "Issue",
            [
                "number": 2, "title": "two", "state": "open", "assignee": ["id": 1, "login": "ada"],
                "milestone": ["title": "1.0"], "related": [["number": 1]],
            ])
    }

    @Test func twoFetchesGiveTheSameObject() throws {
        let fetched = try scene.objects("Issue")
        try #require(fetched.count == 2)
        let again = try scene.session.fetch(scene.world.query("Issue", order: [.descending("number")]))
        #expect(again.count == 2 && again[0] === fetched[1] && again[1] === fetched[0])
        #expect(try scene.object("Issue", 1) === fetched[0])
        #expect(try scene.session.fetch(scene.world.query("Issue", limit: 1, including: .all)).first === fetched[0])
    }

    @Test func twoReferencesToOneRowGiveTheSameObject() throws {
        let fetched = try scene.objects("Issue")
        let users = fetched.compactMap { $0["assignee", as: DynamicModel.self] }
        #expect(users.count == 2 && users[0] === users[1])
        #expect(try scene.object("User", 1) === users[0])
        let milestones = fetched.compactMap { $0["milestone", as: DynamicModel.self] }
        #expect(milestones.count == 2 && milestones[0] === milestones[1])
        let related = try #require(fetched[0]["related", as: [DynamicModel].self])
        #expect(related.count == 2 && related[0] === fetched[1])
        #expect(fetched[1]["related", as: [DynamicModel].self]?.first === fetched[0])
    }

    @Test(arguments: ["first", "fetch", "include", "include in another object"])
    func aStubBecomesTheModelWhenItsRowIsFetched(way: String) throws {
        let issue = try scene.object("Issue", 1)
        let stub = try #require(issue["milestone", as: DynamicModel.self])
        #expect(stub["title", as: String.self] == "1.0")
        #expect(try stub.state(of: "due") == .unset)
        #expect(!scene.session.hasChanges)
        switch way {
        case "first": #expect(try scene.object("Milestone", "1.0") === stub)
        case "fetch": #expect(try scene.objects("Milestone").first === stub)
        case "include": _ = try scene.session.first(scene.world.schema("Issue"), identity: 1, including: .all)
        default:
            _ = try scene.session.first(
                scene.world.schema("Issue"), identity: 2, including: .keys(["milestone"]))
        }
        #expect(issue["milestone", as: DynamicModel.self] === stub)
        #expect(stub["due", as: Date.self] == Date(timeIntervalSinceReferenceDate: 10))
        #expect(!scene.session.hasChanges)
    }

    @Test func aReferenceToNoRowIsAStub() throws {
        let related = try #require(scene.object("Issue", 1)["related", as: [DynamicModel].self])
        #expect(related[1]["number", as: Int.self] == 9)
        #expect(try related[1].state(of: "title") == .unset)
        #expect(try scene.session.first(scene.world.schema("Issue"), identity: 9) == nil)
        #expect(try scene.session.save().rows.isEmpty)
        // When somebody has stored the row, the stub becomes its model.
        try scene.put("Issue", ["number": 9, "title": "nine"])
        #expect(try scene.object("Issue", 9) === related[1])
        #expect(related[1]["title", as: String.self] == "nine")
    }

    @Test func aFetchBringsTheObjectsThatItMeetsUpToDate() throws {
        let fetched = try scene.objects("Issue")
        fetched[0]["title"] = "mine"
        try scene.put("Issue", 1) {
            $0["state"] = "closed"; $0["score"] = 1.5
        }
        try scene.put("Issue", 2) { $0["state"] = "closed" }
        #expect(try scene.object("Issue", 1) === fetched[0])
        #expect(fetched[0]["state", as: String.self] == "closed" && fetched[0]["score", as: Double.self] == 1.5)
        #expect(fetched[0]["title", as: String.self] == "mine")
        // It has not met the other one.
        #expect(fetched[1]["state", as: String.self] == "open")
    }

    @Test func aReferenceThatAFetchIncludesIsBroughtUpToDateToo() throws {
        let user = try #require(scene.object("Issue", 1)["assignee", as: DynamicModel.self])
        try scene.put("User", 1) { $0["login"] = "grace" }
        _ = try scene.session.fetch(scene.world.query("Issue", including: .keys(["assignee"])))
        #expect(user["login", as: String.self] == "grace")
    }

    @Test func conditionsAreTestedOnRowsNotOnEdits() throws {
        let issue = try scene.object("Issue", 1)
        issue["title"] = "edited"
        let byRow = try scene.session.fetch(scene.world.query("Issue", where: Key("title") == "one"))
        #expect(byRow.count == 1 && byRow[0] === issue)
        #expect(issue["title", as: String.self] == "edited")
        #expect(try scene.session.fetch(scene.world.query("Issue", where: Key("title") == "edited")).isEmpty)
        try scene.session.insert(scene.world.make("Issue", ["number": 3, "title": "new"]))
        #expect(try scene.session.fetch(scene.world.query("Issue", where: Key("title") == "new")).isEmpty)
    }

    @Test func objectsThatWereDeletedAreLeftOut() throws {
        let fetched = try scene.objects("Issue")
        try scene.session.delete(fetched[0])
        #expect(try scene.objects("Issue").map { $0["number", as: Int.self] } == [2])
        #expect(try scene.session.first(scene.world.schema("Issue"), identity: 1) == nil)
        #expect(try scene.world.fetch("Issue").count == 2)
        scene.session.revert()
        #expect(try scene.objects("Issue").map { $0["number", as: Int.self] } == [1, 2])
        #expect(try scene.object("Issue", 1) === fetched[0])
    }

    @Test func objectsLiveAsLongAsTheirSession() throws {
        weak var issue: DynamicModel?
        var session: ModelSession? = ModelSession(scene.world.store)
        issue = try session?.first(scene.world.schema("Issue"), identity: 2)
        #expect(issue != nil)
        issue?["related"] = [DynamicModel]()
        session = nil
        #expect(issue == nil)
    }

    @Test func twoSessionsHaveObjectsOfTheirOwn() throws {
        let other = ModelSession(scene.world.store)
        let (mine, theirs) = (try scene.object("Issue", 1), try other.first(scene.world.schema("Issue"), identity: 1))
        mine["title"] = "mine"
        #expect(theirs !== mine && theirs?["title", as: String.self] == "one")
        #expect(scene.session.hasChanges && !other.hasChanges)
    }

    @Test func fetchesThrowAsThoseOfTheStore() throws {
        let error = #expect(throws: ModelError.self) {
            try scene.session.fetch(scene.world.query("Issue", where: Key("titel") == "a"))
        }
        #expect(error?.code == .unknownKey && error?.description.contains("title") == true)
        let count = #expect(throws: ModelError.self) {
            try scene.session.first(scene.world.schema("Vote"), identity: 1)
        }
        #expect(count?.code == .elementCount)
    }
}
