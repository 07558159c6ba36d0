import Pallium
import Testing

@testable import PalliumStore

/// Programs with different indexes use one file, and none takes away what another asks for.
struct SharedColumnTests {
    private static func schema(_ indexed: [String], unique: [String] = []) -> ModelSchema {
        func text(_ key: String) -> PropertySchema {
            if unique.contains(key) { return .string.indexed(.unique) }
            return indexed.contains(key) ? .string.indexed() : .string
        }
        return ModelSchema(
            "Row", ["id": .integer.required, "a": text("a"), "b": text("b"), "c": text("c")], identity: ["id"])
    }

    private func changes(_ world: StoreWorld) throws -> SQLiteValue? {
        try world.rows("PRAGMA schema_version").first?.first
    }

    @Test func columnsOfOtherProgramsStayAndAreFilled() throws {
        let world = try StoreWorld(schemas: [Self.schema(["a"])])
        let (other, registry) = try world.reopened([Self.schema(["b"])])
        let row = try registry.schema(named: "Row")
        try world.store.import(#"[{"id": 1, "a": "x", "b": "y"}]"#, using: world.adapter("Row"))
        #expect(try other.count(ModelQuery(schema: row, where: Key("b") == "y")) == 1)
        let version = try changes(world)
        for number in 2..<6 {
            try world.store.import(
                #"[{"id": \#(number), "a": "x", "b": "y"}, {"id": 1, "b": "z\#(number)"}]"#, using: world.adapter("Row")
            )
            #expect(try other.count(ModelQuery(schema: row, where: Key("b") == "y")) == number - 1)
            #expect(try other.count(ModelQuery(schema: row, where: Key("b") == "z\(number)")) == 1)
            #expect(try other.plan(of: ModelQuery(schema: row, where: Key("b") == "y")).contains("Row.b"))
            #expect(try world.store.plan(of: world.query("Row", where: Key("a") == "x")).contains("Row.a"))
            #expect(try world.store.integrityCheck().isEmpty)
            #expect(try other.integrityCheck().isEmpty)
        }
        // Nobody made the table anew.
        #expect(try changes(world) == version)
    }

    @Test func upgradingDropsWhatTheSchemasDoNotAskFor() throws {
        let world = try StoreWorld(schemas: [Self.schema(["a"])])
        try world.store.import(#"[{"id": 1, "a": "x", "b": "y"}]"#, using: world.adapter("Row"))
        let (other, registry) = try world.reopened([Self.schema(["b"], unique: ["c"])])
        let row = try registry.schema(named: "Row")
        #expect(try other.fetch(ModelQuery(schema: row)).count == 1)
        #expect(try world.rows("PRAGMA table_info('Row')").count == 8)
        try world.store.upgrade()
        #expect(try world.rows("PRAGMA table_info('Row')").count == 6)
        // The other one gets its columns again.
        #expect(try other.integrityCheck().isEmpty)
        #expect(try other.count(ModelQuery(schema: row, where: Key("b") == "y")) == 1)
        #expect(try world.rows("PRAGMA table_info('Row')").count == 8)
        #expect(try world.fetch("Row", where: Key("a") == "x").count == 1)
    }

    /// Keys are compared by their bytes.
    @Test func upgradingDropsTheColumnOfAKeyWithOtherScalars() throws {
        func schema(_ key: String) -> ModelSchema {
            ModelSchema("Row", ["id": .integer.required, key: .string.indexed()], identity: ["id"])
        }
        let world = try StoreWorld(schemas: [schema("\u{E9}")])
        try world.store.import(#"{"id": 1}"#, using: world.adapter("Row"))
        let other = try world.reopened([schema("e\u{301}")]).store
        try other.upgrade()
        for (name, count) in [("\u{E9}", 0), ("e\u{301}", 1)] {
            let sql = "SELECT count(*) FROM pragma_table_info('Row') WHERE name = '\(name)'"
            #expect(try world.rows(sql)[0][0] == .integer(Int64(count)))
        }
    }

    @Test func bothIndexesOfOnePropertyStay() throws {
        let world = try StoreWorld(schemas: [Self.schema(["a"])])
        let (other, registry) = try world.reopened([Self.schema([], unique: ["a"])])
        let row = try registry.schema(named: "Row")
        try world.store.import(#"[{"id": 1, "a": "x"}]"#, using: world.adapter("Row"))
        #expect(try other.count(ModelQuery(schema: row, where: Key("a") == "x")) == 1)
        let version = try changes(world)
        #expect(try world.fetch("Row", where: Key("a") == "x").count == 1)
        #expect(try changes(world) == version)
        // The other program's index holds for this one, too.
        let error = #expect(throws: ModelError.self) {
            try world.store.import(#"[{"id": 2, "a": "x"}]"#, using: world.adapter("Row"))
        }
        #expect(error?.code == .conflict)
        #expect(error?.description.contains(#"found "x" of Row 1"#) == true, "\(error.map { "\($0)" } ?? "")")
    }

    /// A program that does not know a property leaves no value of it in its column.
    @Test func aColumnOfAnUnknownPropertyIsEmptied() throws {
        let small = ModelSchema("Row", ["id": .integer.required, "a": .string], identity: ["id"])
        let world = try StoreWorld(schemas: [Self.schema(["a", "b"])])
        try world.store.import(#"[{"id": 1, "a": "x", "b": "y"}]"#, using: world.adapter("Row"))
        let (other, registry) = try world.reopened([small])
        let model = DynamicModel(schema: try registry.schema(named: "Row"), registry: registry)
        model["id"] = 1
        model["a"] = "z"
        try other.save(model)
        #expect(try world.fetch("Row", where: Key("b") == "y").isEmpty)
        #expect(try world.fetch("Row", where: Key("b") == nil).count == 1)
        #expect(try world.store.integrityCheck().isEmpty)
    }
}
