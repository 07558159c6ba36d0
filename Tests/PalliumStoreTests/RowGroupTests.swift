import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Values and groups without models: the section *Rows and counts* of the article *Stores*, and what *Rules* says of rows.
struct RowGroupTests {
    private static let schemas = [
        ModelSchema(
            "Entry",
            [
                "id": .integer.required, "group": .string, "key": .string.indexed(), "count": .integer,
                "small": PropertySchema(.integer(.bits8)), "natural": .unsigned,
                "word": PropertySchema(.unsigned(.bits32)), "real": .double, "single": .float, "price": .decimal,
                "at": .date.indexed(), "isOpen": .bool, "rest": .integer.default(5), "link": .url, "token": .uuid,
                "state": .enumeration("b", "a"), "tags": .array(of: .string), "span": .duration, "bytes": .data,
                "any": .jsonValue, "owner": .model("Owner").indexed(), "place": .model("Place"),
            ], identity: ["id"]),
        ModelSchema("Owner", ["login": .string.required, "rank": .integer], identity: ["login"]),
        ModelSchema("Place", ["x": .integer]),
    ]

    private let world: StoreWorld
    private let schema: ModelSchema

    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        schema = try world.schema("Entry")
    }

    private func store(_ documents: String...) throws {
        let objects = documents.enumerated().map { "{\"id\": \($0), \($1)}" }.joined(separator: ", ")
        try world.store.import("[\(objects)]", using: world.adapter("Entry"))
    }

    private func rows(
        _ columns: [QueryColumn], where condition: Condition? = nil, order: [Order] = [], limit: Int? = nil,
        offset: Int = 0
    ) throws -> [[JSONValue]] {
        try world.store.rows(
            of: ModelQuery(schema: schema, where: condition, order: order, limit: limit, offset: offset), only: columns)
    }

    private func code(_ columns: [QueryColumn], order: [Order] = []) -> ModelError.Code? {
        do {
            _ = try rows(columns, order: order)
            return nil
        } catch { return (error as? ModelError)?.code }
    }

    // MARK: Nothing to count

    @Test func withoutModelsThereIsNoGroup() throws {
        #expect(try rows(["group", .count]) == [])
        #expect(try rows(["group"]) == [])
        try store(#""group": "a""#)
        #expect(try rows(["group", .count, .sum("count")], where: Key("group") == "b") == [])
    }

    /// One group, as SQL has it: all models have the other values in common, for there are none.
    @Test func withoutOtherColumnsAllModelsAreOneGroup() throws {
        try store(#""count": 3"#, #""count": 4"#, #""group": "a""#)
        #expect(try rows([.count, .sum("count"), .min("count"), .max("count")]) == [[3, 7, 3, 4]])
        #expect(try rows([.count], where: Key("id") > 10) == [[0]])
    }

    // MARK: No value

    @Test func unsetNullAndUnsetDefaultsAreOneGroup() throws {
        try store(#""group": null, "rest": 5"#, #""count": 1"#, #""group": "", "rest": null"#, #""group": "null""#)
        #expect(try rows(["group", .count]) == [[.null, 2], ["", 1], ["null", 1]])
        #expect(try rows(["rest", .count, .sum("count")]) == [[.null, 3, 1], [5, 1, .null]])
        #expect(try rows([.count, .sum("rest"), .min("rest")]) == [[4, 5, 5]])
        #expect(
            try rows(["id", "rest"], order: [.ascending("id")]) == [[0, 5], [1, .null], [2, .null], [3, .null]])
    }

    @Test func aGroupWithoutValuesHasNulls() throws {
        try store(#""group": "a""#, #""group": "a", "count": null"#, #""group": "b", "count": 0"#)
        #expect(
            try rows(["group", .count, .sum("count"), .min("count"), .max("count")])
                == [["a", 2, .null, .null, .null], ["b", 1, 0, 0, 0]])
    }

    // MARK: Sums

    @Test func sumsOfIntegersAreExact() throws {
        let large = "9007199254740993"
        try store("\"count\": \(large)", "\"count\": \(large)", #""count": 1"#)
        #expect(try rows([.sum("count")]) == [[18_014_398_509_481_987]])
        // On the way, a sum may be larger than its kind if it is none at the end.
        try store(
            "\"count\": \(Int64.max)", "\"count\": \(Int64.max)", "\"count\": \(Int64.min)", "\"count\": \(Int64.min)")
        #expect(try rows([.sum("count")]) == [[-2]])
    }

    @Test(arguments: [
        ("count", "\(Int64.max)", "1"), ("count", "\(Int64.min)", "-1"),
    ])
    func aSumBeyond64BitsIsRefused(key: String, first: String, second: String) throws {
        try store("\"\(key)\": \(first)", "\"\(key)\": 0")
        #expect(try rows([.sum(Key(key))]) == [[try JSONValue(parsing: first)]])
        try store("\"\(key)\": \(first)", "\"\(key)\": \(second)")
        #expect(code([.sum(Key(key))]) == .numberOutOfRange)
        #expect(code([.min(Key(key)), .max(Key(key)), .count]) == nil)
    }

    @Test func sumsOfFloatingPointNumbers() throws {
        try store(#""real": 0.5, "single": 0.25"#, #""real": 1e300, "single": 1"#, #""real": -1e300"#)
        #expect(try rows([.sum("single")]) == [[1.25]])
        #expect(try rows([.min("real"), .max("real")]) == [[-1e300, 1e300]])
        #expect(try rows([.sum("real")], where: Key("real") < 1) == [[-1e300]])
        try store(#""real": 1.7e308, "single": 3e38"#, #""real": 1.7e308, "single": 3e38"#)
        #expect(code([.sum("real")]) == .numberOutOfRange)
    }

    @Test(arguments: [
        "price", "natural", "group", "at", "isOpen", "link", "token", "state", "tags", "span", "bytes", "any", "owner",
        "place",
    ])
    func otherKindsHaveNoSum(_ key: String) {
        #expect(code([.sum(Key(key))]) == .notConvertible)
    }

    @Test(arguments: ["tags", "span", "bytes", "any", "owner", "place"])
    func whatCannotBeComparedIsInNoRow(_ key: String) {
        for column in [QueryColumn.value(Key(key)), .min(Key(key)), .max(Key(key))] {
            #expect(code([column]) == .notConvertible)
            #expect(code([column, .count]) == .notConvertible)
        }
    }

    // MARK: Equal values

    /// Decimals, dates and numbers are compared by value, however they are spelled.
    @Test func equalValuesAreOneGroup() throws {
        try store(
            #""price": 1.0, "at": "2026-01-31T12:00:00Z", "real": 1, "natural": 18446744073709551615"#,
            #""price": 1.00, "at": "2026-01-31T13:00:00+01:00", "real": 1.0, "natural": 18446744073709551615"#,
            #""price": 1e0, "at": "2026-01-31T12:00:00.000Z", "real": 1e0, "natural": 2"#,
            #""price": 0.1, "at": "2026-01-31T12:00:00.001Z", "real": -0.0, "natural": 10"#,
            #""price": -20, "real": 0.0"#)
        #expect(try rows(["price", .count]) == [[-20, 1], [try JSONValue(parsing: "0.1"), 1], [1, 3]])
        #expect(
            try rows(["at", .count])
                == [[.null, 1], ["2026-01-31T12:00:00Z", 3], ["2026-01-31T12:00:00.001Z", 1]])
        #expect(try rows(["real", .count]) == [[0, 2], [1, 3]])
        #expect(
            try rows(["natural", .count])
                == [[.null, 1], [2, 1], [10, 1], [try JSONValue(parsing: "18446744073709551615"), 2]])
        #expect(
            try rows([.min("price"), .max("price"), .min("natural"), .max("natural"), .min("at"), .max("at")])
                == [
                    [
                        -20, 1, 2, try JSONValue(parsing: "18446744073709551615"), "2026-01-31T12:00:00Z",
                        "2026-01-31T12:00:00.001Z",
                    ]
                ])
    }

    @Test func textsAreGroupedByTheirScalars() throws {
        try store(#""group": "a""#, #""group": "A""#, #""group": "é""#, #""group": "e\u0301""#, #""group": "a""#)
        #expect(try rows(["group", .count]).map { $0[1] } == [1, 2, 1, 1])
        #expect(try rows([.min("group"), .max("group")]) == [["A", "é"]])
    }

    // MARK: Order and pages of rows

    @Test func groupsComeInTheOrderOfTheirValues() throws {
        try store(
            #""state": "b", "isOpen": true"#, #""state": "a", "isOpen": true"#, #""state": "b", "isOpen": false"#,
            #""isOpen": true"#, #""state": "b", "isOpen": true"#)
        #expect(try rows(["state", .count]) == [[.null, 1], ["a", 1], ["b", 3]])
        #expect(
            try rows(["isOpen", .count, "state"])
                == [[false, 1, "b"], [true, 1, .null], [true, 1, "a"], [true, 2, "b"]])
        #expect(
            try rows(["state", "isOpen", .count], order: [.descending("isOpen"), .ascending("state")])
                == [[.null, true, 1], ["a", true, 1], ["b", true, 2], ["b", false, 1]])
        #expect(try rows(["state", .count], order: [.descending("state")], limit: 1, offset: 1) == [["a", 1]])
        #expect(try rows(["state", .count], limit: 0) == [])
        #expect(code(["state", .count], order: [.ascending("id")]) != nil)
        #expect(code(["state", .count], order: [.ascending("isOpen")]) != nil)
        #expect(code(["state"], order: [.ascending("isOpen")]) == nil)
    }

    @Test func aPathLeadsThroughOneModel() throws {
        try store(
            #""owner": {"login": "ada", "rank": 2}, "place": {"x": 1}"#, #""owner": {"login": "bob"}, "place": {}"#,
            #""owner": {"login": "ada"}, "place": null"#, #""group": "a""#)
        #expect(
            try rows(["id", "owner.login", "owner.rank", "place.x"], order: [.ascending("id")])
                == [[0, "ada", 2, 1], [1, "bob", .null, .null], [2, "ada", 2, .null], [3, .null, .null, .null]])
        #expect(
            try rows(["owner.login", .count, .max("owner.rank")]) == [
                [.null, 1, .null], ["ada", 2, 2], ["bob", 1, .null],
            ])
        #expect(try rows([.sum("place.x"), .sum("owner.rank")]) == [[1, 4]])
    }

    @Test func anUnknownKeyIsRefusedInEachColumn() {
        for column in [QueryColumn.value("cuont"), .sum("cuont"), .min("cuont"), .max("owner.lgoin")] {
            #expect(code([column]) == .unknownKey)
            #expect(code([column, .count]) == .unknownKey)
        }
    }
}
