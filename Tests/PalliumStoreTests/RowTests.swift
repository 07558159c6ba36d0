import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Rows have the values that are asked for, of each model or of each group.
struct RowTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        let ada = try world.makeAda()
        try world.store.save([
            world.make(
                "Issue",
                [
                    "number": 1, "title": "a", "state": "open", "votes": 3, "score": 1.5, "assignee": ada,
                    "createdAt": Date(timeIntervalSinceReferenceDate: 791_553_600),
                ]),
            world.make("Issue", ["number": 2, "title": "b", "state": "open", "votes": 4]),
            world.make("Bug", ["number": 3, "state": "closed", "score": 2.25, "severity": 9]),
            world.make("Issue", ["number": 4, "title": "b"]),
        ])
    }

    private func rows(
        _ columns: [QueryColumn], where condition: Condition? = nil, order: [Order] = [], limit: Int? = nil,
        of name: String = "Issue"
    ) throws -> [String] {
        try world.store.rows(
            of: world.query(name, where: condition, order: order, limit: limit), only: columns
        ).map { JSONValue.array($0).description }
    }

    @Test(
        arguments: [
            (["number", "title"], [#"[1,"a"]"#, #"[2,"b"]"#, "[3,null]", #"[4,"b"]"#]),
            (
                ["assignee.login", "state"],
                [#"["ada","open"]"#, #"[null,"open"]"#, #"[null,"closed"]"#, "[null,null]"]
            ),
            (["createdAt"], [#"["2026-01-31T12:00:00Z"]"#, "[null]", "[null]", "[null]"]),
            ([.value(Key("labels").count), "votes"], ["[0,3]", "[0,4]", "[0,0]", "[0,0]"]),
            ([.value("score"), "severity"], ["[1.5,null]", "[null,null]", "[2.25,9]", "[null,null]"]),
        ] as [([QueryColumn], [String])])
    func eachModelHasARow(columns: [QueryColumn], expected: [String]) throws {
        #expect(try rows(columns, order: [.ascending("number")]) == expected)
    }

    @Test(
        arguments: [
            (["state", .count], ["[null,1]", #"["closed",1]"#, #"["open",2]"#]),
            ([.count, "title"], ["[1,null]", #"[1,"a"]"#, #"[2,"b"]"#]),
            (
                ["state", .sum("votes"), .min("number"), .max("title")],
                ["[null,0,4,\"b\"]", #"["closed",0,3,null]"#, #"["open",7,1,"b"]"#]
            ),
            ([.sum("score"), .max("createdAt"), .count], [#"[3.75,"2026-01-31T12:00:00Z",4]"#]),
            (["assignee.login", .max("score")], ["[null,2.25]", #"["ada",1.5]"#]),
            (
                ["state", "title", .count],
                ["[null,\"b\",1]", #"["closed",null,1]"#, #"["open","a",1]"#, #"["open","b",1]"#]
            ),
        ] as [([QueryColumn], [String])])
    func groupsHaveARowInTheOrderOfTheirValues(columns: [QueryColumn], expected: [String]) throws {
        #expect(try rows(columns) == expected)
    }

    @Test func theQuerySaysWhatIsCountedAndInWhatOrder() throws {
        #expect(
            try rows(["state", .count], where: Key("number") < 3 || Key("number") == 4, order: [.descending("state")])
                == [#"["open",2]"#, "[null,1]"])
        #expect(try rows(["title", .count], order: [.descending("title")], limit: 1) == [#"["b",2]"#])
        #expect(try rows([.count], of: "Bug") == ["[1]"])
        #expect(try rows([.count, .sum("votes")], where: Key("number") > 9) == ["[0,null]"])
        #expect(try rows(["state", .count], where: Key("number") > 9) == [])
    }

    /// A reference to a row that does not exist is an error of a fetch, but not of what does not ask for it.
    @Test func nothingIsRequiredOfWhatIsNotAskedFor() throws {
        try world.store.delete(world.query("User"))
        #expect(throws: ModelError.self) { try world.fetch("Issue", where: Key("number") == 1) }
        #expect(try rows(["number", "assignee.id", "assignee.login"], where: Key("number") == 1) == ["[1,1,null]"])
    }

    @Test func sumsOfIntegersAreExact() throws {
        let sums = try StoreWorld(schemas: [
            ModelSchema(
                "Sum",
                [
                    "id": .integer.required, "long": .integer, "small": .integer(as: UInt32.self), "real": .double,
                ], identity: ["id"])
        ])
        let values: [(Int, UInt32, Double)] = [
            (.max, .max, 1e308), (1, .max, 1e308), (-1, 0, -1e308), (.min, 1, -1e308),
        ]
        try sums.store.save(
            values.enumerated().map {
                try sums.make(
                    "Sum", ["id": $0, "long": $1.0, "small": Int($1.1), "real": $1.2])
            })
        func sum(_ key: Key, _ ids: ClosedRange<Int>) throws -> JSONValue {
            let query = try sums.query("Sum", where: Key("id") >= ids.lowerBound && Key("id") <= ids.upperBound)
            return try sums.store.rows(of: query, only: [QueryColumn.sum(key)])[0][0]
        }
        // No part of a sum is too great.
        #expect(try sum("long", 0...3) == -1)
        #expect(try sum("long", 0...2) == .number(JSONNumber(Int.max)))
        #expect(try sum("small", 0...3) == 8_589_934_591)
        for (key, ids) in [("long", 0...1), ("long", 2...3), ("real", 0...1)] {
            let error = #expect(throws: ModelError.self) { try sum(Key(key), ids) }
            #expect(error?.code == .numberOutOfRange && error?.property == key)
        }
    }

    @Test func decimalsHaveNoSumButAnOrder() throws {
        let numbers = try StoreWorld(schemas: [
            ModelSchema(
                "Price",
                [
                    "id": .integer.required, "price": .decimal, "large": .unsigned.indexed(), "on": .bool, "at": .uuid,
                    "length": .duration,
                ], identity: ["id"])
        ])
        try numbers.store.save(
            [
                numbers.make("Price", ["id": 1, "price": Decimal(string: "-1.50"), "large": UInt.max, "on": true]),
                numbers.make(
                    "Price", ["id": 2, "price": Decimal(string: "12345678901234567890.12"), "large": 7 as UInt]),
                numbers.make("Price", ["id": 3, "price": Decimal(string: "0.007"), "on": false]),
            ].map { $0 })
        let query = try numbers.query("Price")
        #expect(
            try numbers.store.rows(
                of: query, only: [.min("price"), .max("price"), .max("large"), .min("on"), .max("at")]
            )
            .map { JSONValue.array($0).description }
                == ["[-1.5,12345678901234567890.12,18446744073709551615,false,null]"])
        for column in [.sum("price"), .sum("large"), .sum("on"), .min("length"), "length"] as [QueryColumn] {
            let error = #expect(throws: ModelError.self) { try numbers.store.rows(of: query, only: [column]) }
            #expect(error?.code == .notConvertible)
        }
    }

    @Test(
        arguments: [
            (["titel"], [], .unknownKey), (["state", .count], [.ascending("number")], .unknownKey),
            ([], [], .elementCount), (["labels"], [], .notConvertible), ([.max("labels.x")], [], .unknownKey),
        ] as [([QueryColumn], [Order], ModelError.Code)])
    func mistakesAreErrors(columns: [QueryColumn], order: [Order], code: ModelError.Code) throws {
        let error = #expect(throws: ModelError.self) { try rows(columns, order: order) }
        #expect(error?.code == code)
        // Even if there is no table yet.
        let empty = try ModelStore(at: nil, registry: world.registry)
        #expect(throws: ModelError.self) { try empty.rows(of: world.query("Issue", order: order), only: columns) }
    }

    @Test func groupsDoNotComeBehindAModel() throws {
        let issue = try #require(try world.store.first(world.schema("Issue"), identity: 1))
        let query = ModelQuery(schema: try world.schema("Issue"), after: issue)
        #expect(try world.store.rows(of: query, only: ["number"]) == [[2], [3], [4]])
        #expect(throws: ModelError.self) { try world.store.rows(of: query, only: [.count]) }
    }

    @Test func aTransactionSeesItsOwnChanges() throws {
        try world.store.transaction { store in
            try store.delete(world.query("Issue", where: Key("state") == "open"))
            #expect(try store.rows(of: world.query("Issue"), only: [.count]) == [[2]])
        }
    }

    @Test func anIndexAnswersACount() throws {
        #expect(try world.store.rows(of: world.query("Issue"), only: ["state", .count]).count == 3)
        let plan = try world.rows("EXPLAIN QUERY PLAN SELECT state, count(*) FROM Issue GROUP BY 1")
        #expect("\(plan)".contains("USING COVERING INDEX Issue.state"))
    }

    /// It equals nil in conditions, too.
    @Test func aDefaultThatWasNeverSetIsNoValue() throws {
        try world.store.import(#"{"number": 9}"#, using: world.adapter("Issue"))
        #expect(try rows(["votes"], where: Key("number") == 9) == ["[null]"])
        #expect(try rows([.sum("votes"), .count], where: Key("number") == 9) == ["[null,1]"])
    }

    @Test func whatCannotBeReadIsAnErrorOrNull() throws {
        var schemas = StoreWorld.schemas
        schemas[2].version = 2
        schemas[2].upgrades = [SchemaUpgrade(from: 1)]
        let (store, registry) = try world.reopened(schemas)
        try store.save(DynamicModel(schema: schemas[2], values: ["number": 1, "title": "new"], registry: registry))
        let schema = try world.schema("Issue")
        let error = #expect(throws: ModelError.self) { try rows(["number", "title"]) }
        #expect(error?.code == .newerVersion)
        let readable = ModelQuery(schema: schema, order: [.ascending("number")], limit: 2, rows: .skip)
        #expect(try world.store.rows(of: readable, only: ["number", "title"]) == [[1, nil], [2, "b"]])
        #expect(try rows(["number"], order: [.ascending("number")], limit: 1) == ["[1]"])
    }

    /// Rows of earlier versions are read as what they become.
    @Test func rowsOfEarlierVersionsAreUpgraded() throws {
        var schemas = StoreWorld.schemas
        schemas[2] = ModelSchema(
            "Issue",
            [
                "number": .integer.required, "name": .string, "votes": .integer, "state": .string,
                "assignee": .model("User"),
            ], identity: ["number"], version: 2)
        schemas[2].upgrades = [SchemaUpgrade(from: 1, renamed: ["title": "name"])]
        let (store, _) = try world.reopened(schemas)
        let query = ModelQuery(schema: schemas[2])
        #expect(
            try store.rows(of: query, only: ["name", .count, .sum("votes")]) == [
                [nil, 1, 0], ["a", 1, 3], ["b", 2, 4],
            ])
    }
}
