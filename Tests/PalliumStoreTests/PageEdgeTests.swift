import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Pages behind a model: the section *Pages* of the article *Stores*, and what *Rules* says of them.
struct PageEdgeTests {
    private static let schemas = [
        ModelSchema(
            "Task",
            [
                "id": .integer.required, "title": .string.indexed(), "plain": .string, "rank": .integer.indexed(),
                "weight": .double, "price": .decimal, "due": .date.indexed(), "isDone": .bool,
                "state": .enumeration("open", "closed").indexed(), "priority": .integer.default(3),
                "owner": .model("Owner").indexed(), "place": .model("Place"),
            ], identity: ["id"]),
        ModelSchema("Owner", ["login": .string.required, "name": .string], identity: ["login"]),
        ModelSchema("Place", ["x": .integer]),
        ModelSchema("Pair", ["a": .integer.required, "b": .string.required, "v": .integer], identity: ["a", "b"]),
    ]

    private let world: StoreWorld
    private let schema: ModelSchema

    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        schema = try world.schema("Task")
        try world.store.import(
            #"""
            [{"id": 1, "title": "b", "plain": "b", "rank": 2, "weight": 0.5, "price": 1.0, "due": "2026-01-31T12:00:00Z",
              "isDone": true, "state": "open", "owner": {"login": "ada", "name": "Ada"}, "place": {"x": 2}},
             {"id": 2, "title": null, "plain": null, "rank": null, "weight": null, "price": null, "due": null},
             {"id": 3, "title": "b", "plain": "b", "rank": 2, "weight": 0.5, "price": 1.00,
              "due": "2026-01-31T13:00:00+01:00", "isDone": true, "state": "open", "owner": {"login": "ada"}},
             {"id": 4},
             {"id": 5, "title": "", "plain": "", "rank": -1, "weight": -1e300, "price": -0.1, "isDone": false,
              "state": "closed", "priority": 3, "place": {}},
             {"id": 6, "title": "B", "plain": "B", "rank": 9223372036854775807, "weight": 1e300, "price": 100,
              "due": "2026-01-31T12:00:00.001Z", "priority": 1, "owner": {"login": "bob"}, "place": {"x": 2}},
             {"id": 7, "title": "é", "plain": "é", "rank": 9223372036854775806, "weight": 3, "price": 20,
              "due": "1999-01-01T00:00:00Z", "isDone": false, "owner": {"login": "cy", "name": "Ada"}},
             {"id": 8, "title": "b", "plain": "b", "rank": 2, "isDone": true, "state": "closed", "place": {"x": -2}}]
            """#, using: world.adapter("Task"))
    }

    private func query(
        _ order: [Order], limit: Int? = nil, offset: Int = 0, after last: DynamicModel? = nil,
        where condition: Condition? = nil
    ) -> ModelQuery<DynamicModel> {
        ModelQuery(
            schema: schema, where: condition, order: order, limit: limit, offset: offset, after: last,
            including: .keys(["owner"]))
    }

    private func ids(_ models: [DynamicModel]) -> [Int] { models.compactMap { $0["id", as: Int.self] } }

    /// All models page by page.
    private func paged(_ order: [Order], size: Int, where condition: Condition? = nil) throws -> [Int] {
        var result: [Int] = []
        var last: DynamicModel?
        for _ in 0..<20 {
            let page = try world.store.fetch(query(order, limit: size, after: last, where: condition))
            result += ids(page)
            last = page.last
            if page.isEmpty { break }
        }
        return result
    }

    private func model(_ id: Int) throws -> DynamicModel {
        try #require(try world.store.first(schema, identity: id, including: .keys(["owner"])))
    }

    // MARK: Orders

    static let keys = [
        "id", "title", "plain", "rank", "weight", "price", "due", "isDone", "state", "priority", "owner.login",
        "owner.name", "place.x",
    ]

    @Test(arguments: keys, [1, 2, 3, 7, 8, 9])
    func pagesTogetherAreTheResult(key: String, size: Int) throws {
        let key = Key(key)
        for order in [[Order.ascending(key)], [.descending(key)], [.ascending(key), .descending("id")]] {
            let whole = ids(try world.store.fetch(query(order)))
            #expect(Set(whole).count == 8)
            #expect(try paged(order, size: size) == whole)
        }
    }

    @Test(arguments: keys, keys)
    func ordersOfTwoKeysHavePages(first: String, second: String) throws {
        for order in [
            [Order.ascending(Key(first)), .descending(Key(second))],
            [.descending(Key(first)), .ascending(Key(second))],
        ] {
            let whole = ids(try world.store.fetch(query(order)))
            #expect(try paged(order, size: 3) == whole)
            let condition = Key("rank") == 2 || Key("title") == nil
            #expect(try paged(order, size: 2, where: condition) == whole.filter { [1, 2, 3, 4, 8].contains($0) })
        }
    }

    /// Models with equal values are in the order of their identities, and those without a value come first or last.
    @Test func tiesAreInTheOrderOfIdentities() throws {
        #expect(try paged([.ascending("title")], size: 2) == [2, 4, 5, 6, 1, 3, 8, 7])
        #expect(try paged([.descending("title")], size: 2) == [7, 1, 3, 8, 6, 5, 2, 4])
        #expect(try paged([.descending("due")], size: 1) == [6, 1, 3, 7, 2, 4, 5, 8])
        #expect(try paged([.ascending("priority")], size: 3) == [1, 2, 3, 4, 7, 8, 6, 5])
        #expect(try paged([], size: 3) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try paged([.descending("id")], size: 3) == [8, 7, 6, 5, 4, 3, 2, 1])
    }

    @Test func identitiesOfTwoKeysHavePages() throws {
        let pair = try world.schema("Pair")
        try world.store.import(
            #"""
            [{"a": 2, "b": "x"}, {"a": 1, "b": "y", "v": 1}, {"a": 1, "b": "x", "v": 1}, {"a": 2, "b": "", "v": 1},
             {"a": -1, "b": "z"}]
            """#, using: world.adapter("Pair"))
        for order in [
            [], [Order.descending("v")], [.ascending("b")], [.descending("b")], [.descending("a"), .descending("b")],
        ] {
            let whole = try world.store.fetch(ModelQuery(schema: pair, order: order, limit: 9))
            var paged: [DynamicModel] = []
            while paged.count < 6 {
                let page = try world.store.fetch(ModelQuery(schema: pair, order: order, limit: 1, after: paged.last))
                if page.isEmpty { break }
                paged += page
            }
            #expect(paged == whole && whole.count == 5)
        }
    }

    // MARK: What others do meanwhile

    @Test func nothingIsRepeatedOrLeftOutWhateverOthersDo() throws {
        let first = try world.store.fetch(query([.ascending("title")], limit: 4))
        #expect(ids(first) == [2, 4, 5, 6])
        // The last of the page is deleted, others come before and behind it.
        try world.store.delete(ModelQuery(schema: schema, where: Key("id") == 6))
        try world.store.import(
            #"[{"id": 0}, {"id": 10, "title": "A"}, {"id": 11, "title": "b"}, {"id": 12, "title": "B"}]"#,
            using: world.adapter("Task"))
        #expect(try ids(world.store.fetch(query([.ascending("title")], after: first.last))) == [12, 1, 3, 8, 11, 7])
    }

    @Test func aPageBeginsBehindTheValuesThatTheModelHasNow() throws {
        let last = try model(1)
        last["title"] = "\u{10FFFF}"
        #expect(try world.store.fetch(query([.ascending("title")], after: last)).isEmpty)
        last["title"] = nil
        #expect(try ids(world.store.fetch(query([.ascending("title")], after: last))) == [2, 4, 5, 6, 1, 3, 8, 7])
    }

    @Test func aModelThatHasNoRowMayBeginAPage() throws {
        let last = try world.make("Task", ["id": 3, "title": "a"])
        #expect(try ids(world.store.fetch(query([.ascending("title")], after: last))) == [1, 3, 8, 7])
        #expect(try ids(world.store.fetch(query([], after: world.make("Task", ["id": 6])))) == [7, 8])
    }

    @Test func limitAndOffsetCountFromThePage() throws {
        let last = try model(2)
        #expect(try ids(world.store.fetch(query([.ascending("title")], limit: 2, offset: 1, after: last))) == [5, 6])
        #expect(try world.store.count(query([.ascending("title")], after: last)) == 7)
        #expect(try world.store.count(query([.ascending("title")], limit: 3, after: last)) == 3)
        #expect(try world.store.count(query([], limit: 0, after: last)) == 0)
        #expect(
            try world.store.rows(of: query([.descending("id")], after: model(3)), only: ["id"]) == [[2], [1]])
    }

    // MARK: Errors

    private func code(_ query: ModelQuery<DynamicModel>) -> ModelError.Code? {
        do {
            _ = try world.store.fetch(query)
            return nil
        } catch { return error.code }
    }

    @Test func aStubHasNotTheValueOfAnOrder() throws {
        let last = try #require(try world.store.first(schema, identity: 1))
        let order: [Order] = [.ascending("owner.name")]
        #expect(code(ModelQuery(schema: schema, order: order, after: last)) == .missingProperty)
        #expect(code(query(order, after: try model(1))) == nil)
        #expect(code(ModelQuery(schema: schema, order: [.ascending("owner.login")], after: last)) == nil)
        // It leads to no row.
        try world.store.delete(ModelQuery(schema: world.schema("Owner"), where: Key("login") == "ada"))
        #expect(code(query(order, after: try model(1))) == nil)
    }

    @Test func aModelOfAnotherTableIsRefused() throws {
        let owner = try world.make("Owner", ["login": "ada"])
        #expect(code(ModelQuery(schema: schema, after: owner)) == .typeMismatch)
    }

    @Test(arguments: ["owner", "titel", "place", "owner.lgoin"])
    func anOrderNeedsValues(_ key: String) throws {
        #expect(code(query([.ascending(Key(key))], after: try model(1))) != nil)
        #expect(code(query([.descending(Key(key))])) != nil)
    }

    @Test(arguments: [(-1, 0), (0, -1), (Int.min, 0)])
    func aNegativeNumberIsRefused(limit: Int, offset: Int) throws {
        #expect(code(query([], limit: limit, offset: offset, after: try model(1))) == .numberOutOfRange)
    }

    // MARK: Indexes

    @Test(arguments: [
        ("title", false, true), ("rank", false, true), ("id", false, true), ("id", true, true), ("plain", false, false),
    ])
    func anIndexFindsTheBeginning(key: String, isDescending: Bool, isFound: Bool) throws {
        let order: [Order] = [isDescending ? .descending(Key(key)) : .ascending(Key(key))]
        let plan = try world.store.plan(of: ModelQuery(schema: schema, order: order, limit: 2, after: model(1)))
        #expect(plan.contains("SEARCH") == isFound, "\(plan)")
    }
}
