import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A page begins behind the last model of the page before, whatever happened meanwhile.
struct PageTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        let users = try [
            world.makeAda(), world.make("User", ["id": 2, "login": "bob"]),
        ]
        for number in 1...12 {
            let issue = try world.make("Issue", ["number": number])
            if !number.isMultiple(of: 4) { try issue.setValue("t\(number % 3)", forKey: "title") }
            if number.isMultiple(of: 2) { try issue.setValue(Double(number % 5) / 2, forKey: "score") }
            if !number.isMultiple(of: 5) { try issue.setValue(users[number % 2], forKey: "assignee") }
            if number.isMultiple(of: 3) { try issue.setValue(["a", "b"], forKey: "labels") }
            try world.store.save(issue)
        }
    }

    private func pages(_ order: [Order], of limit: Int, offset: Int = 0) throws -> [Int] {
        let schema = try world.schema("Issue")
        var (numbers, last): ([Int], DynamicModel?) = ([], nil)
        repeat {
            let page = try world.store.fetch(
                ModelQuery(schema: schema, order: order, limit: limit, offset: last == nil ? offset : 0, after: last))
            numbers += page.compactMap { $0["number", as: Int.self] }
            last = page.last
        } while last != nil && numbers.count < 30
        return numbers
    }

    @Test(
        arguments: [
            [], [.ascending("title")], [.descending("title")], [.ascending("title"), .descending("score")],
            [.descending("score"), .ascending("title")], [.descending("assignee.login")], [.ascending("assignee.id")],
            [.ascending(Key("labels").count), .descending("title")], [.descending("number")],
            [.ascending(Key("title").caseInsensitive)],
        ] as [[Order]])
    func pagesAreTheWholeResult(order: [Order]) throws {
        let whole = try world.store.fetch(world.query("Issue", order: order, limit: 100))
            .compactMap { $0["number", as: Int.self] }
        #expect(whole.count == 12)
        for limit in [1, 2, 5, 12, 13] { #expect(try pages(order, of: limit) == whole) }
        #expect(try pages(order, of: 3, offset: 4) == Array(whole.dropFirst(4)))
    }

    /// Which are read as what they become, and have no column for it.
    @Test func rowsOfEarlierVersionsArePaged() throws {
        var schemas = StoreWorld.schemas
        schemas[2] = ModelSchema(
            "Issue", ["number": .integer.required, "name": .string.indexed(.caseInsensitive), "score": .double],
            identity: ["number"], version: 2)
        schemas[2].upgrades = [SchemaUpgrade(from: 1, renamed: ["title": "name"])]
        let (store, _) = try world.reopened(schemas)
        for order in [[.descending("name")], [.ascending(Key("name").caseInsensitive), .descending("score")]]
            as [[Order]]
        {
            let whole = try store.fetch(ModelQuery(schema: schemas[2], order: order))
            var (found, last): ([DynamicModel], DynamicModel?) = ([], nil)
            repeat {
                let page = try store.fetch(ModelQuery(schema: schemas[2], order: order, limit: 5, after: last))
                found += page
                last = page.last
            } while last != nil && found.count <= 12
            #expect(found.map { $0["number", as: Int.self] } == whole.map { $0["number", as: Int.self] })
            #expect(found.count == 12)
        }
    }

    @Test func aModelThatIsGoneOrHasChangedStillEndsItsPage() throws {
        let schema = try world.schema("Issue")
        let order = [Order.ascending("number")]
        let last = try world.store.fetch(ModelQuery(schema: schema, order: order, limit: 3))[2]
        try world.store.delete(world.query("Issue", where: Key("number").isIn([1, 3, 5])))
        let next = try world.store.fetch(ModelQuery(schema: schema, order: order, limit: 2, after: last))
        #expect(next.map { $0["number", as: Int.self] } == [4, 6])
        #expect(try world.store.count(ModelQuery(schema: schema, order: order, after: last)) == 8)
    }

    @Test func anIndexFindsThePage() throws {
        let last = try #require(try world.store.first(world.schema("Issue"), identity: 5))
        func plan(_ order: [Order]) throws -> String {
            try world.store.plan(of: ModelQuery(schema: world.schema("Issue"), order: order, limit: 2, after: last))
        }
        #expect(try plan([]).contains("USING INTEGER PRIMARY KEY (rowid>?)"))
        #expect(try plan([.descending("number")]).contains("USING INTEGER PRIMARY KEY (rowid<?)"))
        #expect(try plan([.ascending("title")]).contains("USING INDEX Issue.title (title>?)"))
    }

    @Test func identitiesOfSeveralPropertiesArePaged() throws {
        let votes = try [(1, "a"), (1, "b"), (2, "a"), (2, "c"), (3, "b")].map {
            try world.make("Vote", ["issue": $0.0, "user": $0.1])
        }
        try world.store.save(votes)
        let query = ModelQuery(schema: try world.schema("Vote"), after: votes[1])
        #expect(try world.store.fetch(query).map { $0["user", as: String.self] } == ["a", "c", "b"])
    }

    /// A stub does not say what the order needs.
    @Test func anOrderThroughAReferenceNeedsItsModel() throws {
        let milestone = try world.make(
            "Milestone", ["title": "1.0", "due": Date(timeIntervalSinceReferenceDate: 10)])
        try world.store.save(
            (20...22).map { try world.make("Issue", ["number": $0, "milestone": milestone]) })
        let schema = try world.schema("Issue")
        func page(_ links: ModelQuery<DynamicModel>.Links, after last: DynamicModel?) throws -> [DynamicModel] {
            try world.store.fetch(
                ModelQuery(
                    schema: schema, where: Key("number") >= 20, order: [.ascending("milestone.due")], limit: 1,
                    after: last, including: links))
        }
        let stub = try page(.stubs, after: nil)[0]
        let error = #expect(throws: ModelError.self) { try page(.stubs, after: stub) }
        #expect(error?.code == .missingProperty && error?.schema == "Milestone")
        let first = try page(.keys(["milestone"]), after: nil)[0]
        #expect(try page(.keys(["milestone"]), after: first)[0]["number", as: Int.self] == 21)
        // Where there is no row, there is no value.
        try world.store.delete(world.query("Milestone"))
        let dangling = try page(.depth(1), after: nil)[0]
        #expect(try page(.depth(1), after: dangling)[0]["number", as: Int.self] == 21)
    }

    @Test func aModelOfAnotherTableIsAnError() throws {
        let user = try #require(try world.store.first(world.schema("User"), identity: 1))
        let error = #expect(throws: ModelError.self) {
            try world.store.fetch(ModelQuery(schema: world.schema("Issue"), after: user))
        }
        #expect(error?.code == .typeMismatch)
        let key = #expect(throws: ModelError.self) {
            try world.store.fetch(ModelQuery(schema: world.schema("User"), order: [.ascending("lgin")], after: user))
        }
        #expect(key?.code == .unknownKey)
    }
}
