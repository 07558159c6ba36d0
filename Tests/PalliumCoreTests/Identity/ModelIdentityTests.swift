import Foundation
import PalliumCore
import TestSupport
import Testing

/// The identities of models as values: what `Identifiable` classes have as their `id`.
struct ModelIdentityTests {
    private class Thing: DynamicModel, Identifiable {}
    private final class Special: Thing {}
    private final class Other: DynamicModel, Identifiable {}

    /// A registry with things that a schema tells apart by some of its properties.
    private func registry(identity: [String], secret: Bool = false) throws -> SchemaRegistry {
        let text = PropertySchema.string
        return try .of(
            Node.schema,
            ModelSchema(
                Thing.self,
                [
                    "number": .integer, "text": secret ? text.secret : text, "link": .url, "tags": .set(of: .string),
                    "node": .model(Node.self), "nodes": .array(of: .model(Node.self)), "size": .double,
                    "above": .model(Node.self).weak,
                ], identity: identity),
            ModelSchema(Special.self, ["more": .string], extends: Thing.self),
            ModelSchema(Other.self, ["number": .integer], identity: ["number"]))
    }

    private typealias Values = [String: (any PropertyValue)?]

    private func thing(_ values: Values, _ registry: SchemaRegistry) throws -> Thing {
        try Thing(values: values, registry: registry)
    }

    @Test(
        arguments: [
            (["number"], ["number": 7], ["number": 8], "Thing 7"),
            (["text"], ["text": "ada"], ["text": "grace"], #"Thing "ada""#),
            // Canonically equal, but other bytes.
            (["text"], ["text": "\u{E9}"], ["text": "e\u{301}"], "Thing \"\u{E9}\""),
            (["text", "number"], ["text": "ada", "number": 1], ["text": "ada", "number": 2], #"Thing "ada", 1"#),
            (["size"], ["size": 1.5], ["size": 2.5], "Thing 1.5"),
            (["tags"], ["tags": Set(["a"])], ["tags": Set(["b"])], #"Thing ["a"]"#),
        ] as [([String], [String: any PropertyValue & Sendable], [String: any PropertyValue & Sendable], String)])
    func modelsAreOneWhereTheSchemaSaysSo(
        identity: [String], values: [String: any PropertyValue & Sendable],
        others: [String: any PropertyValue & Sendable], description: String
    ) throws {
        let registry = try registry(identity: identity)
        let model = try thing(values, registry)
        #expect(model.id.description == description)
        let twin = try thing(values, registry)
        twin["link"] = URL(string: "http://other.example")
        let frozen = model.frozen()
        let same = [
            model.id, twin.id, model.copy().id, model.deepCopy().id, frozen.id, Frozen.thaw(frozen).id,
            try Special(values: values, registry: registry).id,
        ]
        #expect(Set(same) == [model.id])
        #expect(try thing(others, registry).id != model.id)
    }

    @Test func identitiesCountWithinTheSchemaThatDeclaresThem() throws {
        let registry = try registry(identity: ["number"])
        let thing = try thing(["number": 7], registry)
        #expect(try Other(values: ["number": 7], registry: registry).id != thing.id)
        #expect(try Special(values: ["number": 7], registry: registry).id.description == "Thing 7")
    }

    @Test(
        arguments: [
            (["number"], [:]), ([], ["number": 7]), (["number", "text"], ["number": 7]), (["node"], ["number": 7]),
        ] as [([String], [String: Int])])
    func withoutAnIdentityAModelIsItsObject(identity: [String], values: [String: Int]) throws {
        let registry = try registry(identity: identity)
        let model = try thing(values, registry)
        let twin = try thing(values, registry)
        let frozen = model.frozen()
        #expect(model == twin)
        #expect(model.id == model.id)
        #expect(frozen.id == frozen.id)
        #expect(Set([model.id, twin.id, frozen.id]).count == 3)
        #expect(model.id.description.hasPrefix("Thing 0x"))
    }

    @Test func aWeakReferenceTellsNoCopiesApart() throws {
        let registry = try registry(identity: ["above", "number"])
        let parents = [registry.node(1), registry.node(1)]
        let models = try parents.map { try thing(["number": 7, "above": $0], registry) }
        #expect(models[0].id == models[0].id)
        #expect(models[0].id != models[1].id)
        #expect(models[0].id != models[0].copy().id)
    }

    @Test func anIdentityDoesNotChangeWithItsModel() throws {
        let registry = try registry(identity: ["text"])
        let model = try thing(["text": "ada"], registry)
        let before = model.id
        model["text"] = "grace"
        #expect(before.description == #"Thing "ada""#)
        #expect(model.id.description == #"Thing "grace""#)
        model["text"] = nil as String?
        #expect(model.id.description.hasPrefix("Thing 0x"))
    }

    @Test(.threat(.cycles, .retainCycles)) func anIdentityOfModelsHasItsOwnCopyOfThem() throws {
        let registry = try registry(identity: ["node", "nodes"])
        let ring = registry.ring([1, 2])
        let model = try thing(["node": ring, "nodes": [registry.node(3)]], registry)
        let before = model.id
        #expect(before == model.frozen().id)
        #expect(before == model.copy().id)
        ring.next?.label = 20
        #expect(before != model.id)
        ring.next?.label = 2
        #expect(before == model.id)
        #expect(before.hashValue == model.id.hashValue)
        ring.breakRing()
    }

    @Test(.threat(.retainCycles)) func anIdentityOutlivesEverythingElse() throws {
        for (identity, values, text) in [
            (["number"], ["number": 7], "Thing 7"), (["text"], ["text": "a text that owns memory"], "Thing \"a text"),
            (["link"], ["link": URL(string: "http://a.example/a/long/path")], "Thing http"),
            (["nodes"], ["nodes": [Node]()], "Thing []"), ([], [:], "Thing 0x"),
        ] as [([String], Values, String)] {
            weak var model: Thing?
            weak var layout: ModelLayout?
            var ids: [ModelIdentity] = []
            do {
                let registry = try registry(identity: identity)
                let made = try thing(values, registry)
                (model, layout) = (made, made.layout)
                ids = [made.id, made.id]
            }
            #expect(model == nil)
            #expect(layout != nil)
            #expect(ids[0] == ids[1])
            #expect(ids[0].description.hasPrefix(text), "\(ids[0])")
            ids = []
            #expect(layout == nil)
        }
    }

    @Test func secretsAreMasked() throws {
        let registry = try registry(identity: ["text"], secret: true)
        #expect(try thing(["text": "hush"], registry).id.description == "Thing •••")
        #expect("\([try thing(["text": "hush"], registry).id])" == "[Thing •••]")
    }
}
