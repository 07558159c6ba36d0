import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// An index changes no answer: a default that was never set is no value, with and without a column.
struct DefaultColumnTests {
    private static func schema(_ index: PropertySchema.Index?) -> ModelSchema {
        func indexed(_ property: PropertySchema) -> PropertySchema { index.map { property.indexed($0) } ?? property }
        return ModelSchema(
            "Task",
            [
                "id": .integer.required, "done": indexed(.bool.default(false)), "level": indexed(.integer.default(5)),
                "name": indexed(.string.default("new")), "note": indexed(.string.nullable.default("n")),
            ], identity: ["id"])
    }

    private static let conditions: [Condition] = [
        Key("done") == false, Key("done") == true, Key("done") == nil, Key("done") != nil, Key("done") != false,
        Key("level") < 9, Key("level") >= 5, Key("level") == 5, Key("level") == nil, !(Key("level") == 5),
        Key("name") == "new", Key("name").hasPrefix("n"), Key("name") == nil, Key("name").isIn(["new", "x"]),
        Key("note") == nil, Key("note") != nil, Key("note") == "n",
    ]

    private static let documents = #"""
        [{"id": 1}, {"id": 2, "done": false, "level": 5, "name": "new", "note": "n"}, {"id": 3, "done": true, "note": null},
         {"id": 4, "done": null, "level": null, "name": "x"}]
        """#

    private func answers(_ store: ModelStore, _ schema: ModelSchema) throws -> [[Int?]] {
        try (Self.conditions.map { Optional($0) } + [nil]).map { condition in
            try store.fetch(ModelQuery(schema: schema, where: condition, order: [.ascending("id")])).map {
                $0["id", as: Int.self]
            }
        }
    }

    private func filled(_ index: PropertySchema.Index?) throws -> StoreWorld {
        let world = try StoreWorld(schemas: [Self.schema(index)])
        try world.store.import(Self.documents, using: world.adapter("Task"))
        return world
    }

    @Test func anIndexChangesNoAnswer() throws {
        let plain = try filled(nil)
        let indexed = try filled(.ordinary)
        let expected = try answers(plain.store, Self.schema(nil))
        #expect(expected[0] == [2] && expected[2] == [1, 4] && expected[5] == [2] && expected[10] == [2])
        #expect(try answers(indexed.store, Self.schema(.ordinary)) == expected)
        // Added to rows that are there, and taken away.
        let added = try plain.reopened([Self.schema(.ordinary)])
        #expect(try answers(added.store, Self.schema(.ordinary)) == expected)
        let removed = try indexed.reopened([Self.schema(nil)])
        #expect(try answers(removed.store, Self.schema(nil)) == expected)
        for store in [added.store, removed.store] {
            #expect(try store.integrityCheck().isEmpty)
            #expect(try store.upgrade().isEmpty)
            #expect(try store.integrityCheck().isEmpty)
        }
    }

    @Test func rowsWithoutTheValueDoNotCollide() throws {
        let world = try StoreWorld(schemas: [Self.schema(.unique)])
        #expect(try world.store.import(#"[{"id": 1}, {"id": 2}]"#, using: world.adapter("Task")).inserted == 2)
        #expect(try world.store.integrityCheck().isEmpty)
        #expect(throws: ModelError.self) {
            try world.store.import(#"[{"id": 5, "level": 5}, {"id": 6, "level": 5}]"#, using: world.adapter("Task"))
        }
    }

    @Test func anIdentityMayHaveADefault() throws {
        let schema = ModelSchema("Setting", ["key": .string.default("main"), "value": .integer], identity: ["key"])
        let world = try StoreWorld(schemas: [schema])
        #expect(try world.store.import(#"{"value": 1}"#, using: world.adapter("Setting")).inserted == 1)
        #expect(try world.store.import(#"{"key": "main", "value": 2}"#, using: world.adapter("Setting")).updated == 1)
        #expect(try world.store.count(ModelQuery(schema: schema)) == 1)
    }

    @Test(arguments: [false, true])
    func pagesGoOnBehindAnIdentityThatIsADefault(isDescending: Bool) throws {
        let schema = ModelSchema("Setting", ["key": .string.default("main"), "value": .integer], identity: ["key"])
        let world = try StoreWorld(schemas: [schema])
        try world.store.import(#"[{"key": "a"}, {"value": 1}, {"key": "z"}]"#, using: world.adapter("Setting"))
        let orders: [[Order]] =
            isDescending
            ? [[.descending("key")], [.descending(Key("key").caseInsensitive)]]
            : [[.ascending("key")], [.ascending(Key("key").caseInsensitive)]]
        for order in orders {
            var (found, last): ([String], DynamicModel?) = ([], nil)
            repeat {
                let page = try world.store.fetch(ModelQuery(schema: schema, order: order, limit: 1, after: last))
                found += page.compactMap { $0["key", as: String.self] }
                last = page.last
            } while last != nil && found.count < 9
            #expect(found == (isDescending ? ["z", "main", "a"] : ["a", "main", "z"]))
        }
    }
}
