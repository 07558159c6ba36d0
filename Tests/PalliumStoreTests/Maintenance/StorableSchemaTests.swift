import Pallium
import Testing

@testable import PalliumStore

/// What stores cannot have is known before the first model is saved.
struct StorableSchemaTests {
    private func problems(_ schemas: [ModelSchema]) throws -> [ModelError] {
        let registry = SchemaRegistry()
        try registry.register(schemas)
        do throws(ModelError) {
            try registry.checkStore()
            return []
        } catch { return error.problems }
    }

    @Test func schemasThatStoresCanHaveAreAccepted() throws {
        #expect(try problems(StoreWorld.schemas).isEmpty)
        #expect(try problems([]).isEmpty)
        // Two models may need one another.
        #expect(
            try problems([
                ModelSchema("Hand", ["id": .integer.required, "glove": .model("Glove").required], identity: ["id"]),
                ModelSchema("Glove", ["id": .integer.required, "hand": .model("Hand").required], identity: ["id"]),
            ]).isEmpty)
    }

    @Test(
        arguments: [
            ("unsigned", .unsigned), ("decimal", .decimal), ("json", .jsonValue), ("duration", .duration),
        ] as [(String, PropertySchema)])
    func anIdentityMustHaveAColumn(kind: String, property: PropertySchema) throws {
        let found = try problems([ModelSchema("Row", ["id": property.required], identity: ["id"])])
        #expect(found.map(\.code) == [.notConvertible])
        #expect(found.first?.property == "id" && found.first?.description.contains(kind) == true)
    }

    @Test func namesMustDifferByMoreThanCase() throws {
        let found = try problems([
            ModelSchema("user", ["id": .integer.required], identity: ["id"]),
            ModelSchema(
                "User", ["id": .integer.required, "Name": .string.indexed(), "name": .string.indexed()],
                identity: ["id"]),
            ModelSchema("_Own", ["id": .integer.required], identity: ["id"]),
            ModelSchema("_\u{301}x", ["id": .integer.required], identity: ["id"]),
            ModelSchema("sqlite_x", ["id": .integer.required], identity: ["id"]),
        ])
        #expect(found.map(\.code) == [.conflict, .conflict, .conflict, .conflict, .conflict], "\(found)")
    }

    @Test func aSchemaThatRequiresItselfIsRefused() throws {
        let found = try problems([
            ModelSchema("Node", ["id": .integer.required, "next": .model("Node").required], identity: ["id"]),
            ModelSchema("Leaf", ["end": .model("Node").required], extends: "Node"),
        ])
        #expect(found.map { "\($0.code) \($0.property ?? "")" } == ["conflict next"], "\(found)")
    }
}
