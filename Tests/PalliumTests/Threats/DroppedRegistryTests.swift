import Foundation
import Pallium
import PalliumCore
import TestSupport
import Testing

/// What is compiled from the schemas of a registry lives as long as anything that needs it, and no longer.
@Suite("Registries that are dropped", .threat(.retainCycles, .freeingDeepGraphs))
struct DroppedRegistryTests {
    private enum Part: Int, CaseIterable { case registry, adapter, model, frozen, changes, map, layout }

    private final class Leaf: DynamicModel {
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
        var size: Int { value() }
    }

    /// One of each kind of thing that keeps schemas in use.
    private final class Parts {
        var registry: SchemaRegistry?
        var adapter: JSONAdapter<DynamicModel>?
        var model: DynamicModel?
        var frozen: Frozen<DynamicModel>?
        var changes: ModelChanges?
        var map: IdentityMap?
        var heldLayout: ModelLayout?
        private var uses = 0
        private(set) weak var layout: ModelLayout?
        private(set) weak var leafLayout: ModelLayout?

        private static let document = #"""
            {"id":1,"url":"https://example.org/a","state":"odd","tags":["x","a text that owns memory"],"free":{"a":[1]},
            "counts":{"a":[1],"b":[2,3]},"leaf":{"kind":"leaf","name":"n"},"leaves":[{"kind":"leaf","name":"l"}],
            "when":"2001-01-01T00:00:00Z","next":{"id":2,"exact":1.5}}
            """#

        init() throws {
            let registry = SchemaRegistry()
            try registry.register(
                ModelSchema(
                    "Base", ["kind": .string.required],
                    cluster: .discriminator("kind", ["leaf": .modelClass(Leaf.self)])),
                ModelSchema(Leaf.self, ["name": .string, "size": .integer.default(4)], extends: "Base"))
            try registry.register(
                ModelSchema(
                    "Tree",
                    [
                        "id": .integer.required, "url": .url, "state": .enumeration("even", unknown: .keep),
                        "tags": .set(of: .string).merge(.union), "free": .jsonValue,
                        "counts": .dictionary(of: .array(of: .integer)).merge(.union),
                        "leaf": .model("Base").merge(.recurse),
                        "leaves": .array(of: .model("Base")), "when": .date, "exact": .decimal,
                        "next": .model("Tree").inverse("previous"), "previous": .model("Tree").weak.local,
                        "preset": .array(of: .string).default(json: ["one", "a second one that owns memory"]),
                    ], identity: ["id"]))
            self.registry = registry
            let adapter = try JSONAdapter(schema: registry.schema(named: "Tree"), registry: registry)
            self.adapter = adapter
            let model = try adapter.model(from: Self.document)
            self.model = model
            frozen = model.frozen()
            model.trackChanges()
            changes = try adapter.merge(
                #"{"id":1,"tags":["y"],"leaf":{"kind":"leaf","name":"m"},"next":{"id":3},"leaves":[],"counts":{"c":[4]}}"#,
                into: model)
            let map = IdentityMap()
            try map.import(Self.document, using: adapter)
            self.map = map
            layout = model.layout
            leafLayout = model.model("leaf")?.layout
            heldLayout = leafLayout
        }

        func drop(_ part: Part) {
            switch part {
            case .registry: registry = nil
            case .adapter: adapter = nil
            case .model: model = nil
            case .frozen: frozen = nil
            case .changes: changes = nil
            case .map: map = nil
            case .layout: heldLayout = nil
            }
        }

        /// Uses whatever is left in many ways.
        func use() throws {
            if let registry {
                let leaf = Leaf(registry: registry)
                leaf.name = "made"
                #expect(leaf.size == 4)
                #expect(leaf.copy() == leaf)
            }
            if let adapter {
                let model = try adapter.model(from: Self.document)
                #expect(try String(decoding: adapter.data(from: model), as: UTF8.self).contains(#""state":"odd""#))
                #expect(adapter.report(from: Array(#"{"id":"x"}"#.utf8)).problems.count == 1)
                #expect(model.model("next")?.model("previous") === model)
                if let map {
                    #expect(try map.import(#"{"id":1,"exact":2}"#, using: adapter).count == 1)
                }
            }
            if let model {
                #expect(model["preset", as: [String].self]?.count == 2)
                #expect((model.model("leaf") as? Leaf)?.name == "m")
                #expect(model.pendingChanges.isEmpty == false)
                #expect(model.deepCopy() == model)
                #expect(model.description.hasPrefix("Tree(id: 1"))
                model["exact"] = Decimal(3)
                try model.validate()
                let bytes = try ModelArchiver().archive(model)
                if let registry {
                    #expect(try ModelUnarchiver(registry: registry).unarchive(model.schema, from: bytes) == model)
                }
                #expect(try JSONEncoder().encode(model).count > 10)
                let other = model.deepCopy()
                uses += 1
                other["exact"] = Decimal(100 + uses)
                #expect(try model.merge(from: other).isEmpty == false)
            }
            if let frozen {
                #expect((Frozen.thaw(frozen)["leaf", as: DynamicModel.self] as? Leaf)?.name == "n")
                #expect(Frozen.thaw(frozen)["counts", as: [String: [Int]].self]?["b"] == [2, 3])
            }
            if let changes {
                #expect(changes.description.contains("/leaf/name"))
                #expect(changes.contains { ($0.old as? [String])?.count == 2 })
                #expect(changes.keys.contains("tags"))
            }
            if let map { #expect(map.entryCount > 0) }
            if let heldLayout { #expect(heldLayout.schema.name == "Leaf") }
        }

        /// Whether anything is left that needs what was compiled.
        var isInUse: Bool {
            registry != nil || adapter != nil || model != nil || frozen != nil || changes != nil || map != nil
        }
    }

    private static func permutations(_ parts: [Part]) -> [[Part]] {
        guard parts.count > 1 else { return [parts] }
        return parts.indices.flatMap { index in
            var rest = parts
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// Every order of the parts without the held layout, which is dropped at another place each time.
    @Test(.trials) func schemasAreFreedWithTheLastThatNeedsThemInEveryOrder() throws {
        let orders = Self.permutations(Part.allCases.filter { $0 != .layout }).enumerated()
            .map { number, order in
                var order = order
                order.insert(.layout, at: number % 7)
                return order
            }
        // A prime number goes around all orders.
        for seed in Trials(16, atMost: orders.count) {
            let order = orders[seed * 7919 % orders.count]
            let parts = try Parts()
            try parts.use()
            for part in order {
                parts.drop(part)
                #expect((parts.layout != nil) == parts.isInUse, "\(order) after \(part)")
                #expect(
                    (parts.leafLayout != nil) == (parts.isInUse || parts.heldLayout != nil), "\(order) after \(part)")
                if seed % 2 == 0 { try parts.use() }
            }
        }
    }

    @Test func aDeepGraphThatOutlivesItsRegistryEndsWithItsSchemas() throws {
        weak var layout: ModelLayout?
        var root: DynamicModel?
        do {
            let registry = try SchemaRegistry.of(
                ModelSchema("Link", ["next": .model("Link"), "links": .array(of: .array(of: .model("Link")))]))
            let schema = try registry.schema(named: "Link")
            for number in 0..<20_000 {
                let link = DynamicModel(schema: schema, registry: registry)
                if number % 2 == 0 { link["next"] = root } else { link["links"] = root.map { [[$0]] } }
                root = link
            }
            layout = root?.layout
        }
        #expect(layout != nil)
        root = nil
        #expect(layout == nil)
    }

    @Test func viewsOfManyThreadsKeepTheirSchemas() throws {
        for _ in 0..<20 {
            let parts = try Parts()
            let views = (0..<8).map { _ in parts.frozen }
            for part in Part.allCases { parts.drop(part) }
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                for _ in 0..<20 {
                    let thawed = views[number].map { Frozen.thaw($0) }
                    thawed?["exact"] = Decimal(number)
                    if thawed?.copy() != thawed { Issue.record("a copy differs") }
                }
            }
            #expect(parts.layout != nil)
            withExtendedLifetime(views) {}
        }
    }

    @Test func encodingAModelKeepsNothingOfIt() throws {
        weak var layout: ModelLayout?
        do {
            let schema = ModelSchema("Gone", ["a": .string])
            let model = try DynamicModel(schema: schema, registry: .of(schema))
            model["a"] = "x"
            layout = model.layout
            #expect(try String(decoding: JSONEncoder().encode(model), as: UTF8.self) == #"{"a":"x"}"#)
        }
        #expect(layout == nil)
    }

    @Test func refusedSchemasLeaveNothingBehind() throws {
        weak var layout: ModelLayout?
        do {
            let registry = try SchemaRegistry.of(ModelSchema("Kept", ["a": .array(of: .string).default(json: ["x"])]))
            for _ in 0..<10 {
                #expect(throws: SchemaError.self) {
                    try registry.register(
                        ModelSchema("Sound", ["kept": .model("Kept"), "b": .array(of: .string).default(json: ["y"])]),
                        ModelSchema("Refused", ["sound": .model("Sound"), "n": .integer.default("no")]))
                }
            }
            layout = try registry.layout(named: "Kept")
        }
        #expect(layout == nil)
    }

    private final class Shared: DynamicModel, @unchecked Sendable {}

    @Test func aDefaultCannotHoldAModel() throws {
        let registry = try SchemaRegistry.of(ModelSchema(Shared.self, ["n": .integer]))
        let model = Shared(registry: registry)
        for property in [
            PropertySchema.model(Shared.self).default(model), .array(of: .model(Shared.self)).default([model]),
        ] {
            let error = #expect(throws: SchemaError.self) {
                try registry.register(ModelSchema("Holder", ["model": property]))
            }
            #expect(error?.problems.first?.message.contains("expected a default without models") == true)
        }
        try registry.register(ModelSchema("Holder", ["models": .array(of: .model(Shared.self)).default(json: [])]))
    }
}
