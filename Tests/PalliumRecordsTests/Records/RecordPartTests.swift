import Foundation
import Pallium
import Testing

@testable import PalliumRecords

/// Models without an identity, whose records belong to those of the models that hold them.
struct RecordPartTests {
    private let world: RecordWorld

    init() throws { world = try RecordWorld() }

    private func comments(_ texts: String...) throws -> [DynamicModel] {
        try texts.map { try world.make("Comment", ["text": $0]) }
    }

    @Test func partsTakeThePlacesOfFormerOnes() throws {
        let record = try world.write(world.make("Issue", ["number": 1, "comments": comments("a", "b", "c")]))
        let before = record.all("comments")
        try world.write(world.make("Issue", ["number": 1, "comments": comments("x", "b")]))
        #expect(record.all("comments").map { $0["text"] } == [.string("x"), .string("b")])
        #expect(zip(record.all("comments"), before).allSatisfy { $0 === $1 })
        #expect(world.context.all("Comment").count == 2)
        // A part has no value of its own that could stay.
        let ada = try world.user(1, "ada")
        try world.write(
            world.make("Issue", ["number": 1, "comments": [world.make("Comment", ["text": "x", "author": ada])]]))
        #expect(before[0].all("author").count == 1)
        try world.write(world.make("Issue", ["number": 1, "comments": comments("y")]))
        #expect(before[0].all("author").isEmpty && before[0]["text"] == .string("y"))
        #expect(world.context.all("CDUser").count == 1)
    }

    @Test func partsOfAPartThatIsDroppedAreDropped() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Tree", ["id": .integer.required, "root": .model("Node")], identity: ["id"]),
            ModelSchema("Node", ["name": .string, "children": .array(of: .model("Node"))]),
            ModelSchema("Leaf", ["size": .integer], extends: "Node"))
        let context = MemoryContext([
            "Tree": RecordEntity(attributes: ["id": .integer(0)], relationships: ["root": .toOne]),
            "Node": RecordEntity(attributes: ["name": .string("")], relationships: ["children": .ordered]),
            "Leaf": RecordEntity(parent: "Node", attributes: ["size": .integer(0)]),
        ])
        let adapter = try RecordAdapter(registry: registry)
        let trees = try JSONAdapter(schema: registry.schema(named: "Tree"), registry: registry)
        func write(_ document: JSONValue) throws { try adapter.write([trees.model(from: document)], to: context) }
        try write(["id": 1, "root": ["name": "a", "children": [["name": "b", "children": [["name": "c"]]]]]])
        #expect(context.all("Node").count == 3)
        let root = context.all("Node").first { $0["name"] == .string("a") }
        // A node that becomes a leaf is another record.
        let leaf = DynamicModel(schema: try registry.schema(named: "Leaf"), registry: registry)
        leaf["size"] = 5
        leaf["children"] = [DynamicModel]()
        let tree = try trees.model(from: ["id": 1, "root": ["name": "a"]] as JSONValue)
        let node = try #require(tree["root", as: DynamicModel.self])
        node["children"] = [leaf]
        try adapter.write([tree], to: context)
        #expect(context.all("Node").count == 1 && context.all("Node")[0] === root)
        #expect(context.all("Leaf").count == 1)
        #expect(try adapter.models(DynamicModel.self, from: context.all("Tree"), in: context) == [tree])
        try write(["id": 1, "root": nil])
        #expect(context.records.map(\.recordEntity) == ["Tree"])
    }

    @Test func aPartInTwoPlacesIsOneRecord() throws {
        let comment = try world.make("Comment", ["text": "a"])
        let issues = try (1...2).map { try world.make("Issue", ["number": $0, "pinned": comment]) }
        let records = try world.adapter.write(issues, to: world.context).compactMap { $0 as? MemoryRecord }
        #expect(records[0].all("pinned")[0] === records[1].all("pinned")[0])
        let found = try world.read(records)
        #expect(found[0]["pinned", as: DynamicModel.self] === found[1]["pinned", as: DynamicModel.self])
        let alone = try world.adapter.write(comments("b"), to: world.context)
        #expect(alone.count == 1 && world.context.all("Comment").count == 2)
        // Two parts never share one, whose place they both take.
        let shared = try comments("c")
        try world.adapter.write(
            (1...2).map { try world.make("Issue", ["number": $0, "comments": shared]) }, to: world.context)
        try world.adapter.write(
            ["d", "e"].enumerated().map {
                try world.make("Issue", ["number": $0.offset + 1, "comments": comments($0.element)])
            },
            to: world.context)
        #expect(records.map { $0.all("comments").map { $0["text"] } } == [[.string("d")], [.string("e")]])
    }

    @Test func partsThatFormACycleAreReadAndReleased() throws {
        weak var registry: SchemaRegistry?
        do {
            let made = SchemaRegistry()
            registry = made
            try made.register(
                ModelSchema(
                    "Tree", ["id": .integer.required, "name": .string, "root": .model("Node").merge(.recurse)],
                    identity: ["id"]),
                ModelSchema("Node", ["children": .array(of: .model("Node"))]))
            let context = MemoryContext([
                "Tree": RecordEntity(
                    attributes: ["id": .integer(0), "name": .string("")], relationships: ["root": .toOne]),
                "Node": RecordEntity(relationships: ["children": .ordered]),
            ])
            let node = try context.add("Node", [:])
            context.performWithRecords { try? node.setRelatedRecords([node], for: "children") }
            let record = try context.add("Tree", ["id": .integer(1)], ["root": [node]])
            let tree = try DynamicModel(
                schema: made.schema(named: "Tree"), values: ["id": 1, "name": "a"], registry: made)
            #expect(try RecordAdapter(registry: made).write([tree], to: context).first === record)
            #expect(record["name"] == .string("a") && node.all("children")[0] === node)
        }
        #expect(registry == nil)
    }
}
