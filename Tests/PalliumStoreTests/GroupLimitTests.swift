import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// The ends of what rows and conditions can say: the sections *What a condition means* and *What pages and rows are* of the
/// article *Stores*.
struct GroupLimitTests {
    private static func world() throws -> StoreWorld {
        try StoreWorld(schemas: [
            ModelSchema("Node", ["id": .integer, "nodes": .array(of: .model("Node"))]),
            ModelSchema(
                "Tree",
                [
                    "id": .integer.required, "nodes": .array(of: .model("Node")),
                    "small": PropertySchema(.integer(.bits8)), "word": PropertySchema(.unsigned(.bits32)),
                    "single": .float,
                ], identity: ["id"]),
        ])
    }

    /// As of a table whose rows have been deleted.
    @Test func aTableThatNothingHasMadeHasTheRowsOfAnEmptyOne() throws {
        let (fresh, emptied) = (try Self.world(), try Self.world())
        let query = ModelQuery(schema: try fresh.schema("Tree"))
        try emptied.store.import(#"{"id": 1}"#, using: emptied.adapter("Tree"))
        try emptied.store.delete(query)
        for columns in [[QueryColumn.count], [.count, .sum("small"), .min("single")], ["id", .count], ["id"]] {
            #expect(try fresh.store.rows(of: query, only: columns) == emptied.store.rows(of: query, only: columns))
        }
        for (limit, offset) in [(0, 0), (1, 0), (1, 1)] {
            let page = ModelQuery(schema: try fresh.schema("Tree"), limit: limit, offset: offset)
            #expect(try fresh.store.rows(of: page, only: [.count]) == emptied.store.rows(of: page, only: [.count]))
        }
        #expect(try fresh.store.rows(of: query, only: [.count, .sum("small")]) == [[0, .null]])
    }

    /// A sum of integers has 64 bits and a sum of floating-point numbers is a double, however narrow the kind is.
    @Test(
        arguments: [
            ("small", "127", "1", 128), ("small", "-128", "-1", -129), ("word", "4294967295", "1", 4_294_967_296),
            ("single", "3e38", "3e38", 6e38),
        ] as [(String, String, String, Double)])
    func aSumMayBeBeyondTheRangeOfItsKind(key: String, first: String, second: String, sum: Double) throws {
        let world = try Self.world()
        try world.store.import(
            "[{\"id\": 1, \"\(key)\": \(first)}, {\"id\": 2, \"\(key)\": \(second)}]", using: world.adapter("Tree"))
        let rows = try world.store.rows(of: ModelQuery(schema: world.schema("Tree")), only: [.sum(Key(key))])
        // A float is not exactly the number that it was read from.
        #expect(rows.count == 1 && abs((rows[0][0].doubleValue ?? 0) / sum - 1) < 1e-6, "\(rows)")
    }

    /// Each `any`, `all` or `none` counts as six of the 16 levels, so that three can be in each other.
    @Test func threeConditionsOnElementsMayBeInEachOther() throws {
        let world = try Self.world()
        let tree = try world.schema("Tree")
        try world.store.import(
            #"[{"id": 1, "nodes": [{"id": 2, "nodes": [{"nodes": [{"id": 1}]}]}]}, {"id": 2}]"#,
            using: world.adapter("Tree"))
        func count(_ levels: Int, _ quantifier: (Key, Condition) -> Condition) throws -> Int {
            var condition = Key("id") == 1
            for _ in 0..<levels { condition = quantifier(Key("nodes"), condition) }
            return try world.store.count(ModelQuery(schema: tree, where: condition))
        }
        let quantifiers: [(quantifier: (Key, Condition) -> Condition, count: Int)] = [
            ({ $0.any($1) }, 1), ({ $0.all($1) }, 2), ({ $0.none($1) }, 1),
        ]
        for (quantifier, expected) in quantifiers {
            #expect(try count(3, quantifier) == expected)
            let error = #expect(throws: ModelError.self) { try count(4, quantifier) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.description.contains("any, all and none") == true, "\(String(describing: error))")
        }
    }
}
