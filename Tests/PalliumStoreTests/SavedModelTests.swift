import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// What is saved comes back.
struct SavedModelTests {
    @Test(arguments: ["a.store", nil]) func aModelComesBack(file: String?) throws {
        let world = try StoreWorld(file: file)
        let issue = try world.make(
            "Issue",
            [
                "number": 7, "title": "Crash \"quoted\" é\u{0}", "state": "open", "score": 0.1,
                "createdAt": Date(timeIntervalSinceReferenceDate: 791_719_200.123_456_7), "labels": ["a", "b"],
                "votes": 3, "url": URL(string: "https://example.org/7")!, "notes": "local",
            ])
        #expect(try world.store.save(issue) == StoreChanges(inserted: 1))
        let found = try #require(try world.store.first(world.schema("Issue"), identity: 7))
        #expect(found == issue)
        #expect(found !== issue)
        #expect(try world.fetch("Issue") == [issue])
        #expect(try world.store.first(world.schema("Issue"), identity: 8) == nil)
    }

    @Test func unsetNullAndValueStayApart() throws {
        let world = try StoreWorld()
        let issue = try world.model("Issue", ["number": 1, "title": nil, "labels": []])
        try world.store.save(issue)
        let found = try #require(try world.fetch("Issue").first)
        for key in ["title", "labels", "state", "url", "votes"] {
            #expect(try found.state(of: key) == issue.state(of: key), "\(key)")
        }
        #expect(try found.state(of: "title") == .null)
        #expect(try found.state(of: "votes") == .defaulted)
    }

    @Test func membersThatNoPropertyMapsAreKept() throws {
        let world = try StoreWorld()
        let document: JSONValue = [
            "number": 1, "title": "a", "meta": ["score": 1.5, "other": [1]], "notes": "no property",
            "author": ["name": "ada", "x": nil],
        ]
        try world.store.save(world.model("Issue", document))
        let found = try #require(try world.fetch("Issue").first)
        #expect(try world.adapter("Issue").jsonValue(from: found) == document)
        #expect(found["notes"] == nil)
    }

    @Test func excludedPropertiesAreNotStored() throws {
        let world = try StoreWorld()
        try world.store.save(world.make("Issue", ["number": 1, "token": "secret"]))
        #expect(try world.fetch("Issue").first?["token"] == nil)
        let document = try world.rows("SELECT \"_document\" FROM \"Issue\"")[0][0]
        #expect(document == .text(#"{"number":1,"votes":0}"#))
    }

    @Test func modelsWithAnIdentityAreRowsOfTheirOwn() throws {
        let world = try StoreWorld()
        let ada = try world.makeAda()
        let issues = try (1...3).map { try world.make("Issue", ["number": $0, "assignee": ada]) }
        #expect(try world.store.save(issues) == StoreChanges(inserted: 4))
        let found = try world.fetch("Issue")
        #expect(found == issues)
        let users = found.compactMap { $0["assignee", as: DynamicModel.self] }
        #expect(users.count == 3 && users.allSatisfy { $0 === users[0] })
        let document = try world.rows("SELECT \"_document\" FROM \"Issue\" WHERE \"number\" = 1")[0][0]
        #expect(document == .text(#"{"number":1,"votes":0,"assignee":{"id":1}}"#))
    }

    @Test func modelsWithoutAnIdentityStandInTheirHolder() throws {
        let world = try StoreWorld()
        let team = try world.make("Milestone", ["title": "1.0", "due": Date(timeIntervalSinceReferenceDate: 1)])
        let author = try world.make(
            "Employee", ["name": "ada", "salary": Decimal(string: "12345678901234567890.12")!, "team": team])
        let issue = try world.make("Issue", ["number": 1, "author": author])
        #expect(try world.store.save(issue) == StoreChanges(inserted: 2))
        let found = try #require(try world.store.fetch(world.query("Issue", including: .all)).first)
        #expect(found == issue)
        #expect(found["author", as: DynamicModel.self]?.schema.name == "Employee")
    }

    @Test func descendantsComeBackAsTheyAre() throws {
        let world = try StoreWorld()
        let bug = try world.make("Bug", ["number": 1, "severity": 3])
        let issue = try world.make("Issue", ["number": 2])
        try world.store.save([bug, issue])
        #expect(try world.fetch("Issue").map(\.schema.name) == ["Bug", "Issue"])
        #expect(try world.fetch("Bug") == [bug])
        #expect(try world.store.count(world.query("Bug")) == 1)
        #expect(try world.store.first(world.schema("Bug"), identity: 2) == nil)
        #expect(try world.fetch("Issue", where: Key("severity") == 3) == [bug])
    }

    @Test func severalValuesCanBeAnIdentity() throws {
        let world = try StoreWorld()
        let votes = try [(1, "a"), (1, "b"), (2, "a")].map {
            try world.make("Vote", ["issue": $0.0, "user": $0.1, "value": 1])
        }
        try world.store.save(votes)
        #expect(try world.store.first(world.schema("Vote"), identity: 1, "b") == votes[1])
        let error = #expect(throws: ModelError.self) { try world.store.first(world.schema("Vote"), identity: 1) }
        #expect(error?.code == .elementCount)
    }

    @Test func aSaveThatChangesNothingWritesNothing() throws {
        let world = try StoreWorld()
        let issue = try world.make("Issue", ["number": 1, "title": "a"])
        try world.store.save(issue)
        let observer = try SQLiteConnection(world.url.path, .reading, busyTimeout: .zero)
        func version() throws -> Int64? { try observer.firstRow("PRAGMA data_version") { $0.integer(0) } }
        let before = try version()
        #expect(try world.store.save(issue).isEmpty)
        #expect(try world.store.save(world.fetch("Issue")).isEmpty)
        #expect(try version() == before)
        issue["title"] = "b"
        #expect(try world.store.save(issue) == StoreChanges(updated: 1))
        #expect(try version() != before)
        #expect(try world.fetch("Issue").first?["title", as: String.self] == "b")
    }

    @Test func cyclesAreSavedAndFetched() throws {
        let world = try StoreWorld()
        let (one, two) = (try world.make("Issue", ["number": 1]), try world.make("Issue", ["number": 2]))
        one["related"] = [two, one]
        two["related"] = [one]
        defer { one["related"] = [DynamicModel]() }
        #expect(try world.store.save(one) == StoreChanges(inserted: 2))
        let found = try #require(
            try world.store.first(world.schema("Issue"), identity: 1, including: .all))
        let related = try #require(found["related", as: [DynamicModel].self])
        defer { found["related"] = [DynamicModel]() }
        #expect(related.count == 2 && related[1] === found)
        #expect(related[0]["related", as: [DynamicModel].self]?[0] === found)
    }

    @Test func aReferenceThatIsClearedIsClearedInTheStore() throws {
        let world = try StoreWorld()
        let issue = try world.make("Issue", ["number": 1, "assignee": world.make("User", ["id": 1, "login": "a"])])
        try world.store.save(issue)
        try issue.setValue(nil, forKey: "assignee")
        #expect(try world.store.save(issue) == StoreChanges(updated: 1))
        #expect(try world.fetch("Issue").first?.state(of: "assignee") == .null)
        #expect(try world.store.count(world.query("User")) == 1)
    }

    /// A stub that was fetched must not wipe out the row that it stands for.
    @Test func stubsNeverReplaceRows() throws {
        let world = try StoreWorld()
        let milestone = try world.make("Milestone", ["title": "1.0", "due": Date(timeIntervalSinceReferenceDate: 5)])
        try world.store.save(world.make("Issue", ["number": 1, "milestone": milestone]))
        let found = try #require(try world.fetch("Issue").first)
        let stub = try #require(found["milestone", as: DynamicModel.self])
        #expect(stub["due"] == nil)
        found["title"] = "changed"
        #expect(try world.store.save(found) == StoreChanges(updated: 1))
        #expect(try world.store.save(stub).isEmpty)
        #expect(try world.fetch("Milestone") == [milestone])
        #expect(try world.store.save(world.make("Milestone", ["title": "2.0"])) == StoreChanges(inserted: 1))
        let other = try world.make("Issue", ["number": 2, "milestone": world.make("Milestone", ["title": "3.0"])])
        #expect(try world.store.save(other) == StoreChanges(inserted: 1))
    }

    @Test func aStubThatIsPassedToSaveBecomesARowWhereverElseItIsReferredTo() throws {
        for isFirst in [true, false] {
            let world = try StoreWorld()
            let stub = try world.make("Milestone", ["title": "1.0"])
            let issue = try world.make("Issue", ["number": 1, "milestone": world.make("Milestone", ["title": "1.0"])])
            #expect(try world.store.save(isFirst ? [stub, issue] : [issue, stub]) == StoreChanges(inserted: 2))
            #expect(try world.fetch("Milestone") == [stub])
        }
    }

    @Test func equalChildrenDoNotBecomeOne() throws {
        let world = try StoreWorld()
        let people = try (1...2).map { try world.make("Issue", ["number": $0, "title": "same"]) }
        try world.store.save(world.make("Issue", ["number": 9, "related": people]))
        #expect(try world.store.count(world.query("Issue")) == 3)
    }

    @Test func whatCannotBeSavedChangesNothing() throws {
        let world = try StoreWorld()
        func failure(_ models: [DynamicModel]) -> String? {
            #expect(throws: ModelError.self) { try world.store.save(models) }
                .map { "\($0.code) \($0.pointer?.description ?? "")" }
        }
        let good = try world.make("Issue", ["number": 1])
        let nameless = try world.make("Issue", ["title": "a"])
        #expect(failure([good, nameless]) == "missingProperty /1")
        let holder = try world.make("Issue", ["number": 2, "related": [good, nameless]])
        #expect(failure([holder]) == "missingProperty /0/related/1")
        #expect(failure([try world.make("Loose", [:])]) == "typeMismatch /0")
        let twins = try ["a", "b"].map { try world.make("Issue", ["number": 3, "title": $0]) }
        #expect(failure(twins) == "conflict /1")
        #expect(
            failure([good, try world.make("Issue", ["number": 4, "score": Double.nan])]) == "notConvertible /1/score")
        #expect(failure([good, try world.make("User", ["id": 1])]) == "missingProperty /1/login")
        let users = try [1, 2].map { try world.make("User", ["id": $0, "login": "same"]) }
        #expect(failure(users) == "conflict /1/login")
        let foreign = SchemaRegistry()
        try foreign.register(StoreWorld.schemas)
        let stranger = DynamicModel(schema: try foreign.schema(named: "Issue"), registry: foreign)
        stranger["number"] = 5
        #expect(failure([stranger]) == "unknownSchema /0")
        for name in ["Issue", "User"] { #expect(try world.store.count(world.query(name)) == 0) }
        #expect(try world.store.save([good, good]) == StoreChanges(inserted: 1))
    }
}

extension SavedModelTests {
    /// Another program has opened the file, and made none of the tables that its references lead to.
    @Test func tablesOfReferencesAreMadeBeforeTheyAreNeeded() throws {
        let world = try StoreWorld()
        try world.change("PRAGMA user_version = 1")
        let issue = try world.make("Issue", ["number": 1])
        try world.store.save(issue)
        try world.change("DROP TABLE \"Milestone\"")
        try world.change("DROP TABLE \"User\"")
        try world.change(
            "UPDATE \"Issue\" SET \"_document\" = '{\"number\":1,\"milestone\":{\"title\":\"a\"}}', \"_checksum\" = "
                + "\(StoredRow.checksum(#"{"number":1,"milestone":{"title":"a"}}"#))")
        let found = try world.store.fetch(world.query("Issue", including: .all))
        #expect(found.first?["milestone", as: DynamicModel.self]?["title", as: String.self] == "a")
    }
}
