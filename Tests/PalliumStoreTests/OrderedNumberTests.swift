import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Decimals and integers of 64 bits without a sign have an order, with and without an index.
struct OrderedNumberTests {
    private func world(isIndexed: Bool) throws -> StoreWorld {
        func maybe(_ property: PropertySchema) -> PropertySchema { isIndexed ? property.indexed() : property }
        let world = try StoreWorld(schemas: [
            ModelSchema(
                "Item",
                [
                    "id": .integer.required, "price": maybe(.decimal), "size": maybe(.unsigned),
                    "offers": .array(of: .decimal), "box": .model("Box"), "best": .model("Item"),
                ], identity: ["id"]),
            ModelSchema("Box", ["price": .decimal]),
        ])
        try world.store.import(
            """
            [{"id": 1, "price": 1.0, "size": 18446744073709551615, "offers": [1, 2.50], "box": {"price": 3}},
             {"id": 2, "price": 1.00, "size": 9223372036854775808, "offers": []},
             {"id": 3, "price": 19.99, "size": 0, "best": {"id": 5}}, {"id": 4, "price": -0.01, "size": 10},
             {"id": 5, "price": 12345678901234567890123456789.012345678, "size": 9}, {"id": 6, "price": 0}, {"id": 7}]
            """, using: world.adapter("Item"))
        return world
    }

    @Test(
        arguments: [
            (Key("price") == 1, [1, 2]), (Key("price") == Decimal(1), [1, 2]), (Key("price") < 1, [4, 6]),
            (Key("price") > 1, [3, 5]), (Key("price") >= 0, [1, 2, 3, 5, 6]), (Key("price") == nil, [7]),
            (Key("price").isIn([Decimal(string: "19.990")!, 0]), [3, 6]), (Key("price") != 1, [3, 4, 5, 6, 7]),
            (Key("price") == Decimal(string: "12345678901234567890123456789.012345678")!, [5]),
            (Key("price") < Decimal(string: "12345678901234567890123456789.012345678")!, [1, 2, 3, 4, 6]),
            (Key("size") > UInt64(1) << 63, [1]), (Key("size") >= UInt64(1) << 63, [1, 2]), (Key("size") < 10, [3, 5]),
            (Key("size") == UInt64.max, [1]), (Key("offers").contains(Decimal(string: "2.5")!), [1]),
            (Key("box.price") == 3, [1]), (Key("best.price") > 1000, [3]), (!(Key("price") > 1), [1, 2, 4, 6, 7]),
        ] as [(Condition, [Int])])
    func numbersAreComparedByValue(condition: Condition, ids: [Int]) throws {
        for isIndexed in [false, true] {
            let world = try world(isIndexed: isIndexed)
            let found = try world.fetch("Item", where: condition).compactMap { $0["id", as: Int.self] }
            #expect(found.sorted() == ids, "\(isIndexed)")
        }
    }

    @Test(arguments: [false, true]) func modelsAreOrderedByValue(isIndexed: Bool) throws {
        let world = try world(isIndexed: isIndexed)
        func ids(_ order: Order) throws -> [Int] {
            try world.store.fetch(world.query("Item", order: [order])).compactMap { $0["id", as: Int.self] }
        }
        #expect(try ids(.ascending("price")) == [7, 4, 6, 1, 2, 3, 5])
        #expect(try ids(.descending("size")) == [1, 2, 4, 5, 3, 6, 7])
        let plan = try world.store.plan(of: world.query("Item", where: Key("price") > 1))
        #expect(plan.contains("Item.price") == isIndexed)
    }

    @Test func textsHaveTheOrderOfNumbers() throws {
        var values: [Decimal] = [0]
        for digits in ["1", "9", "10", "12", "99", "123456789012345678901234567890", "5", "50001"] {
            for exponent in [-128, -40, -3, -1, 0, 2, 60, 90] {
                let value = try #require(Decimal(string: digits + "e\(exponent)"))
                values += [value, -value]
            }
        }
        values += [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude]
        for left in values {
            for right in values {
                let (first, second) = (Array(OrderedNumber(left).text.utf8), Array(OrderedNumber(right).text.utf8))
                #expect(first.lexicographicallyPrecedes(second) == (left < right), "\(left) \(right)")
            }
        }
    }
}
