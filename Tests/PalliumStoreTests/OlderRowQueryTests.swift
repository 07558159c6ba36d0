import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A condition is tested on what a row reads as, whatever its version.
struct OlderRowQueryTests {
    private static let place = ModelSchema("Place", ["town": .string])
    private static let team = ModelSchema("Team", ["id": .integer.required, "name": .string], identity: ["id"])
    private static let former = [
        place, team,
        ModelSchema(
            "Row",
            [
                "id": .integer.required, "a": .string, "words": .array(of: .string), "at": .model("Place"),
                "team": .model("Team"),
            ], identity: ["id"]),
    ]

    private static func later(_ schema: ModelSchema, _ steps: [SchemaUpgrade]) -> ModelSchema {
        var schema = schema
        schema.version = 2
        schema.upgrades = steps
        return schema
    }

    /// - Parameter isIndexed: Whether the properties that steps changed have columns.
    private static func present(isIndexed: Bool) -> [ModelSchema] {
        func maybe(_ property: PropertySchema) -> PropertySchema { isIndexed ? property.indexed() : property }
        return [
            later(ModelSchema("Place", ["city": .string]), [SchemaUpgrade(from: 1, renamed: ["town": "city"])]),
            later(
                ModelSchema("Team", ["id": .integer.required, "title": maybe(.string)], identity: ["id"]),
                [SchemaUpgrade(from: 1, renamed: ["name": "title"])]),
            later(
                ModelSchema(
                    "Row",
                    [
                        "id": .integer.required, "b": maybe(.string), "c": maybe(.integer), "double": maybe(.integer),
                        "tags": .array(of: .string), "at": .model("Place"), "team": .model("Team"),
                    ], identity: ["id"]),
                [
                    SchemaUpgrade(from: 1, renamed: ["a": "b", "words": "tags"], defaults: ["c": 5]) { model in
                        guard case .string(let text)? = model["b"] else { return }
                        model["double"] = .integer(Int64(text.utf8.count * 2))
                    }
                ]),
        ]
    }

    /// Rows 1 to 4 of the first version, a row 5 of the second.
    private func world(isIndexed: Bool) throws -> (store: ModelStore, row: ModelSchema, world: StoreWorld) {
        let world = try StoreWorld(schemas: Self.former)
        try world.store.import(
            """
            [{"id": 1, "a": "p", "words": ["x"], "at": {"town": "Bern"}, "team": {"id": 1, "name": "core"}},
             {"id": 2, "a": "qq", "words": ["y"], "at": {"town": "Wien"}, "team": {"id": 2, "name": "apps"}},
             {"id": 3, "a": "o"}, {"id": 4}]
            """, using: world.adapter("Row"))
        let (store, registry) = try world.reopened(Self.present(isIndexed: isIndexed))
        let row = try registry.schema(named: "Row")
        let fifth = DynamicModel(schema: row, registry: registry)
        fifth["id"] = 5
        fifth["b"] = "p"
        try store.save(fifth)
        return (store, row, world)
    }

    private static let conditions: [(Condition?, [Order], [Int])] = [
        (Key("b") == "p", [], [1, 5]), (Key("b") == nil, [], [4]), (Key("c") == 5, [], [1, 2, 3, 4]),
        (Key("c") == nil, [], [5]), (Key("b") > "o", [], [1, 2, 5]), (Key("b").hasPrefix("q"), [], [2]),
        (Key("b").isIn(["o", "qq"]), [], [2, 3]), (Key("tags").contains("y"), [], [2]),
        (!Key("tags").contains("y"), [], [1, 3, 4, 5]), (Key("tags") != nil, [], [1, 2]),
        (Key("at.city") == "Bern", [], [1]), (Key("at") == nil, [], [3, 4, 5]),
        (Key("team.title") == "apps", [], [2]), (Key("team.id") == 1, [], [1]), (Key("double") == 4, [], [2]),
        (Key("double") == nil, [], [4, 5]), (Key("id") > 1 && Key("c") == 5, [], [2, 3, 4]),
        (Key("b") != nil, [.descending("b")], [2, 1, 5, 3]), (nil, [.ascending("double")], [4, 5, 1, 3, 2]),
        (nil, [.descending("team.title")], [1, 2, 3, 4, 5]),
    ]

    @Test(arguments: [false, true]) func conditionsSeeWhatStepsMake(isIndexed: Bool) throws {
        let (store, row, world) = try world(isIndexed: isIndexed)
        defer { withExtendedLifetime(world) {} }
        for isUpgraded in [false, true] {
            if isUpgraded { try store.upgrade() }
            for (condition, order, expected) in Self.conditions {
                let query = ModelQuery(schema: row, where: condition, order: order)
                let found = try store.fetch(query).compactMap { $0["id", as: Int.self] }
                #expect((order.isEmpty ? found.sorted() : found) == expected, "\(query)")
                #expect(try store.count(query) == expected.count)
            }
        }
    }

    /// A read takes no row away from earlier programs.
    @Test func aQueryDoesNotChangeTheVersionsOfRows() throws {
        let (store, row, world) = try world(isIndexed: true)
        #expect(try store.count(ModelQuery(schema: row, where: Key("b") == "p")) == 2)
        #expect(try store.fetch(ModelQuery(schema: row, order: [.ascending("b")])).count == 5)
        #expect(try world.store.count(world.query("Row", where: Key("id") < 5)) == 4)
        #expect(try world.fetch("Row", where: Key("id") < 5).count == 4)
    }

    @Test(arguments: [false, true]) func aDeletionSeesWhatStepsMake(isIndexed: Bool) throws {
        let (store, row, world) = try world(isIndexed: isIndexed)
        defer { withExtendedLifetime(world) {} }
        #expect(try store.delete(ModelQuery(schema: row, where: Key("c") == nil)).deleted == 1)
        #expect(try store.delete(ModelQuery(schema: row, where: Key("b") == "p")).deleted == 1)
        #expect(try store.fetch(ModelQuery(schema: row)).compactMap { $0["id", as: Int.self] }.sorted() == [2, 3, 4])
    }

    @Test func aStoreThatIsOnlyReadSeesTheSame() throws {
        let (_, _, world) = try world(isIndexed: false)
        var options = ModelStoreOptions.patient
        options.isReadOnly = true
        let (store, registry) = try world.reopened(Self.present(isIndexed: true), options: options)
        let row = try registry.schema(named: "Row")
        for (condition, order, expected) in Self.conditions {
            let found = try store.fetch(ModelQuery(schema: row, where: condition, order: order))
            let numbers = found.compactMap { $0["id", as: Int.self] }
            #expect((order.isEmpty ? numbers.sorted() : numbers) == expected)
        }
    }

    /// The row names the step that failed; nothing is found without it.
    @Test func aStepThatFailsIsTheErrorOfTheQuery() throws {
        let world = try StoreWorld(schemas: Self.former)
        try world.store.import(#"[{"id": 1, "a": "p"}, {"id": 2}]"#, using: world.adapter("Row"))
        var schemas = Self.present(isIndexed: false)
        schemas[2].upgrades = [
            SchemaUpgrade(from: 1) { model in
                guard model["a"] == nil else {
                    throw ModelError(.upgradeFailed, expected: "no a", found: "one")
                }
            }
        ]
        let (store, registry) = try world.reopened(schemas)
        let row = try registry.schema(named: "Row")
        let error = #expect(throws: ModelError.self) {
            try store.count(ModelQuery(schema: row, where: Key("b") == nil))
        }
        #expect(error?.code == .upgradeFailed)
        let found = try store.fetch(ModelQuery(schema: row, where: Key("b") == nil, rows: .skip))
        #expect(found.compactMap { $0["id", as: Int.self] } == [2])
    }

    /// The functions that read rows for conditions belong to a connection, which belongs to the store.
    @Test func aStoreThatReadRowsInAQueryIsClosed() throws {
        let (_, _, world) = try world(isIndexed: false)
        weak var connections: StoreConnections?
        do {
            let (store, registry) = try world.reopened(Self.present(isIndexed: false))
            let row = try registry.schema(named: "Row")
            #expect(try store.count(ModelQuery(schema: row, where: Key("b") == "p")) == 2)
            connections = store.connections
        }
        #expect(connections == nil)
    }

    /// A program whose schemas are all of version 1 has no rows of earlier versions, but there may be later ones.
    @Test(arguments: [false, true]) func aConditionOnARowOfALaterVersionIsNewer(isReadOnly: Bool) throws {
        let former = ModelSchema("Note", ["id": .integer.required, "text": .string.indexed()], identity: ["id"])
        var present = ModelSchema("Note", ["id": .integer.required, "title": .string], identity: ["id"])
        present.version = 2
        present.upgrades = [SchemaUpgrade(from: 1, renamed: ["text": "title"])]
        let world = try StoreWorld(schemas: [former])
        try world.store.save((1...2).map { try world.make("Note", ["id": $0, "text": "t"]) })
        let query = try world.query("Note", where: Key("text") == "t")
        #expect(try world.store.count(query) == 2)
        let (later, _) = try world.reopened([present])
        let two = try #require(try later.first(present, identity: 2))
        // The later program has the table, but no row of its version is there yet.
        #expect(try world.store.count(query) == 2)
        two["title"] = "t2"
        try later.save(two)
        var options = ModelStoreOptions.patient
        options.isReadOnly = isReadOnly
        let (earlier, _) = try world.reopened([former], options: options)
        for store in [world.store, earlier] {
            for condition in [Key("text") == "t", Key("text") == nil, Key("text").hasPrefix("t")] {
                let error = #expect(throws: ModelError.self) {
                    try store.count(ModelQuery(schema: former, where: condition))
                }
                #expect(error?.code == .newerVersion)
            }
            let error = #expect(throws: ModelError.self) {
                try store.fetch(ModelQuery(schema: former, order: [.ascending("text")]))
            }
            #expect(error?.code == .newerVersion)
            #expect(try store.fetch(ModelQuery(schema: former, where: Key("text") == "t", rows: .skip)).count == 1)
            #expect(try store.count(ModelQuery(schema: former, where: Key("id") < 9)) == 2)
        }
        // What is left can be tested.
        try later.delete(ModelQuery(schema: present, where: Key("id") == 2))
        #expect(try world.store.count(query) == 1)
        try world.store.upgrade()
        #expect(try world.store.count(query) == 1)
    }
}
