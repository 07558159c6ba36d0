import Foundation
import Pallium
import PalliumStore
import TestSupport
import Testing

/// Rows that a later program cannot read, in a table whose identities a step transforms.
struct TransformedIdentityTests {
    private static let former = ModelSchema(
        "Note", ["id": .string.required, "size": .string], identity: ["id"])

    private static func present(transforms: Bool) -> ModelSchema {
        let id: PropertySchema = transforms ? .integer : .string
        return ModelSchema("Note", ["id": id.required, "size": .integer], identity: ["id"]).later(
            SchemaUpgrade(
                from: 1,
                transformed: ["size": [IntegerTextTransformerName]].merging(
                    transforms ? ["id": [IntegerTextTransformerName]] : [:]
                ) { first, _ in first }))
    }

    private func store(transforms: Bool) throws -> (store: ModelStore, schema: ModelSchema, world: StoreWorld) {
        let world = try StoreWorld(schemas: [Self.former])
        for (id, size) in [("1", "10"), ("2", "many"), ("3", "30")] {
            try world.store.save(world.make("Note", ["id": id, "size": size]))
        }
        let schema = Self.present(transforms: transforms)
        return (try world.reopened([schema]).store, schema, world)
    }

    @Test(arguments: [false, true]) func theErrorNamesTheRow(transforms: Bool) throws {
        let (store, schema, world) = try store(transforms: transforms)
        defer { withExtendedLifetime(world) {} }
        let error = #expect(throws: ModelError.self) { try store.fetch(ModelQuery(schema: schema)) }
        #expect(error?.pointer?.description == "/Note/2/size")
    }

    @Test func aQueryCanLeaveTheRowOut() throws {
        let (store, schema, world) = try store(transforms: false)
        defer { withExtendedLifetime(world) {} }
        let query = ModelQuery(schema: schema, order: [.ascending("id")], rows: .skip)
        #expect(try store.fetch(query).map { $0["size", as: Int.self] } == [10, 30])
    }

    /// A table gets its new key as a whole.
    @Test func aTableWithSuchARowStaysAsItWas() throws {
        let (store, schema, world) = try store(transforms: true)
        #expect(throws: ModelError.self) { try store.fetch(ModelQuery(schema: schema, rows: .skip)) }
        let (former, registry) = try world.reopened([Self.former])
        let notes = try former.fetch(ModelQuery(schema: registry.schema(named: "Note"), order: [.ascending("id")]))
        #expect(notes.map { $0["size", as: String.self] } == ["10", "many", "30"])
    }
}
