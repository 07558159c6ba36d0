import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// A reference to a model of a cluster says which one it means, and its class where it is known.
struct ClusterStubTests {
    private static let schemas = [
        ModelSchema(
            "Shape", ["id": .integer.required, "name": .string], identity: ["id"],
            cluster: .discriminator("kind", ["circle": "Circle", "square": "Square"])),
        ModelSchema("Circle", ["radius": .double], extends: "Shape"),
        ModelSchema("Square", ["side": .double], extends: "Shape"),
        ModelSchema(
            "Drawing", ["number": .integer.required, "main": .model("Shape"), "all": .array(of: .model("Shape"))],
            identity: ["number"]),
    ]

    private func world() throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.schemas)
        try world.store.import(
            """
            {"number": 1, "main": {"id": 1, "kind": "circle", "radius": 2}, "all": [{"id": 2, "kind": "square"}]}
            """, using: world.adapter("Drawing"))
        return world
    }

    private func text(_ world: StoreWorld, _ drawing: DynamicModel) throws -> String {
        String(decoding: try world.adapter("Drawing").data(from: drawing), as: UTF8.self)
    }

    @Test func aReferenceIsWrittenAsItsIdentity() throws {
        let world = try world()
        let drawing = try #require(try world.fetch("Drawing").first)
        let text = try self.text(world, drawing)
        #expect(text == #"{"number":1,"main":{"id":1},"all":[{"id":2}]}"#)
        // The rows say of which classes the references are.
        #expect(try world.store.import(text, using: world.adapter("Drawing")).isEmpty)
        let circle = try #require(try world.store.first(world.schema("Shape"), identity: 1))
        #expect(circle["radius", as: Double.self] == 2)
    }

    @Test func theTagOfAKnownClassIsWritten() throws {
        let world = try world()
        let drawing = try world.make("Drawing", ["number": 2, "main": world.make("Circle", ["id": 1])])
        #expect(
            try text(world, drawing) == #"{"number":2,"main":{"kind":"circle","id":1}}"#)
    }

    /// A model with other values is no reference, and nobody could read it back.
    @Test func aModelOfNoListedClassIsStillRefused() throws {
        let world = try world()
        let shape = try world.make("Shape", ["id": 3, "name": "a"])
        let drawing = try world.make("Drawing", ["number": 2, "main": shape])
        #expect(throws: ModelError.self) { try text(world, drawing) }
    }
}
