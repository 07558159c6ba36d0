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

    /// As of a table whose rows have been deleted, and as `count` counts.
    @Test func aTableThatNothingHasMadeHasTheRowsOfAnEmptyOne() throws {
        let (fresh, emptied) = (try Self.world(), try Self.world())
        let query = ModelQuery(schema: try fresh.schema("Tree"))
        try emptied.store.import(#"{"id": 1}"#, using: emptied.adapter("Tree"))
        try emptied.store.delete(query)
        for columns in [[QueryColumn.count], [.count, .sum("small"), .min("single")], ["id", .count], ["id"]] {
            #expect(try fresh.store.rows(of: query, only: columns) == emptied.store.rows(of: query, only: columns))
        }
    }

    /// A sum that the kind cannot hold has the code `numberOutOfRange`.
    @Test(arguments: [
        ("small", "127", "1"), ("small", "-128", "-1"), ("word", "4294967295", "1"), ("single", "3e38", "3e38"),
    ])
    func aSumThatTheKindCannotHoldIsRefused(key: String, first: String, second: String) throws {
        let world = try Self.world()
        try world.store.import(
            "[{\"id\": 1, \"\(key)\": \(first)}, {\"id\": 2, \"\(key)\": \(second)}]", using: world.adapter("Tree"))
        let error = #expect(throws: ModelError.self) {
            try world.store.rows(of: ModelQuery(schema: world.schema("Tree")), only: [.sum(Key(key))])
        }
        #expect(error?.code == .numberOutOfRange)
    }

    /// `any`, `all` and `none` in each other are six levels; more is an error with the code `limitExceeded`.
    @Test func conditionsOnElementsAreSixLevelsDeep() throws {
        func condition(_ levels: Int) -> Condition {
            levels == 0 ? Key("id") == 1 : Key("nodes").any(condition(levels - 1))
        }
        let world = try Self.world()
        let tree = try world.schema("Tree")
        #expect(try world.store.count(ModelQuery(schema: tree, where: condition(6))) == 0)
        let error = #expect(throws: ModelError.self) {
            try world.store.count(ModelQuery(schema: tree, where: condition(7)))
        }
        #expect(error?.code == .limitExceeded)
    }
}
