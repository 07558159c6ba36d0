import Foundation
import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
import Testing

@Suite("Equality and hash")
struct EqualityTests {
    @Test(.row("C046", "C346", "C347"))
    func aModelEqualsItself() throws {
        let model = TestModel(registry: try .ofFixtures())
        #expect(model == model)
        #expect([model, nil] == [model, nil])
    }

    @Test(.row("C047"))
    func modelsOfEqualValuesAreEqualAndHashAlike() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let values: [String: (any PropertyValue)?] = ["name": "foobar", "count": 5, "nestedName": "fuzzbuzz"]
        let left = try TestModel(values: values, registry: registry)
        let right = try TestModel(values: values, registry: registry)
        #expect(left == right)
        #expect(hash(left) == hash(right))
        #expect(Set([left, right]).count == 1)
    }

    @Test(.row("C048", "C348"))
    func modelsOfDifferentValuesDifferBothWays() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let left = try TestModel(values: ["name": "foobar"], registry: registry)
        let right = TestModel(registry: registry)
        #expect(left != right)
        #expect(right != left)
        #expect(hash(left) != hash(right))
    }

    @Test func elementsThatDifferDeepInsideAreToldApartByTheirHashes() throws {
        let registry = try MergingFixtures.registry()
        func chain(_ number: Int, depth: Int) throws -> DynamicModel {
            var model = try registry.make("Person", ["id": number])
            for _ in 0..<depth { model = try registry.make("Person", ["friend": model]) }
            return model
        }
        let depth = 2000
        let people = try (0..<40).map { try chain($0 % 20, depth: depth) }
        let own = try registry.make("Task", ["watchers": people])
        let list = own.slot(at: try #require(own.layout.index(of: "watchers"))).list
        let hashes = ModelHashing.hashValues(of: (0..<list.count).map { list.slot(at: $0) })
        #expect(Set(hashes).count == 20)
        #expect(hashes.prefix(20) == hashes.suffix(20))
        // Whoever reaches a cycle has no end, and the hash of a longer beginning, or of the class in the whole graph.
        let loop = try registry.make("Person", ["name": "loop"])
        loop["friend"] = loop
        for depth in [5, 30] {
            let loops = try (0..<20).map { number in
                var model = try registry.make("Person", ["id": number, "friend": loop])
                for _ in 0..<depth { model = try registry.make("Person", ["friend": model]) }
                return model
            }
            let other = try registry.make("Task", ["watchers": people + loops])
            let both = other.slot(at: try #require(own.layout.index(of: "watchers"))).list
            let all = ModelHashing.hashValues(of: (0..<both.count).map { both.slot(at: $0) })
            #expect(Set(all.prefix(40)).count == 20)
            #expect(Set(all.suffix(20)).count == 20)
        }
        // The loop is the same as its unfolding.
        let unfolding = try registry.make(
            "Person", ["name": "loop", "friend": registry.make("Person", ["name": "loop"])])
        unfolding.model("friend")?["friend"] = loop
        let pair = try registry.make("Task", ["watchers": [loop, unfolding]])
        let slots = pair.slot(at: try #require(own.layout.index(of: "watchers"))).list
        #expect(Set(ModelHashing.completeHashValues(of: [slots.slot(at: 0), slots.slot(at: 1)])).count == 1)
        loop["friend"] = nil
    }

    @Test(.threat(.hashFlooding)) func setsKeepElementsThatDifferDeepInside() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Node", ["value": .integer, "next": .model("Node")]),
            ModelSchema(
                "Holder", ["nodes": .set(of: .model("Node")), "more": .array(of: .model("Node")).merge(.union)]))
        func node(_ number: Int) throws -> DynamicModel {
            try (0..<5).reduce(registry.make("Node", ["value": number])) { node, _ in
                try registry.make("Node", ["next": node])
            }
        }
        let nodes = try (0..<60).map { try node($0 % 30) }
        func holder(_ nodes: [DynamicModel]) throws -> DynamicModel {
            let holder = try registry.make("Holder", ["more": nodes])
            let slot = holder.slot(at: try #require(holder.layout.index(of: "nodes")))
            try slot.storeList(nodes)
            return holder
        }
        let (left, right) = (try holder(nodes), try holder(nodes.reversed()))
        #expect(left["nodes", as: Set<DynamicModel>.self]?.count == 30)
        #expect(left.slot(at: 0).list.count == 30)
        try right.setValue(nodes, forKey: "more")
        #expect(left == right)
        try left.merge("more", from: holder(try (25..<40).map(node)))
        #expect(left["more", as: [DynamicModel].self]?.count == 70)
        #expect(try left != holder(Array(nodes.dropFirst())))
    }

    @Test func modelsInListsCountInTheHash() throws {
        let registry = try MergingFixtures.registry()
        func task(_ name: String) throws -> DynamicModel {
            try registry.make("Task", ["labels": [registry.make("Label", ["id": 1, "name": name])]])
        }
        #expect(try hash(task("a")) == hash(task("a")))
        #expect(try hash(task("a")) != hash(task("b")))
    }

    @Test(.row("C049", "C057"))
    func aTransitoryPropertyMakesNoDifference() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let empty = EmptyModel(registry: registry)
        let model = try TestModel(values: ["name": "a", "weakModel": empty], registry: registry)
        let copy = model.copy()
        copy.weakModel = nil
        #expect(model.weakModel === empty)
        #expect(model == copy)
        #expect(hash(model) == hash(copy))
    }

    @Test(.row("C051"))
    func theClassMustBeTheSame() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let parent = try TestModel(values: ["name": "a"], registry: registry)
        let child = try SubTestModel(values: ["name": "a"], registry: registry)
        #expect(parent != child)
        #expect(child != parent)
        // A model of the schema is of its class, however it is made.
        let bySchema = try DynamicModel(schema: TestModel.schema, values: ["name": "a"], registry: registry)
        #expect(bySchema == parent)
        #expect(bySchema != child)
    }

    @Test func theSchemaMustBeTheSame() throws {
        let left = try SchemaRegistry.plainModel(["a": .integer], name: "Left")
        let right = try SchemaRegistry.plainModel(["a": .integer], name: "Right")
        #expect(left != right)
        let other = try SchemaRegistry.plainModel(["a": .integer, "b": .integer], name: "Left")
        #expect(left != other)
    }

    @Test func equalSchemasOfTwoRegistriesMakeEqualModels() throws {
        let left = try SubTestModel(values: ["name": "a", "role": "b"], registry: .ofFixtures())
        let right = try SubTestModel(values: ["name": "a", "role": "b"], registry: .ofFixtures())
        #expect(left.layout !== right.layout)
        #expect(left == right)
        #expect(hash(left) == hash(right))
        right.role = "c"
        #expect(left != right)
    }

    @Test(.row("C052"))
    func nothingAndAForeignModelAreNotEqual() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model: DynamicModel = TestModel(registry: registry)
        let foreign: DynamicModel = Node(registry: registry)
        #expect(model != foreign)
        #expect(foreign != model)
        #expect(Optional(model) != nil)
        #expect(AnyHashable(model) != AnyHashable("TestModel"))
    }

    @Test(.row("C053", "C349"))
    func nilEqualsNilOnly() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let (unset, null, value) = (registry.node(), registry.node(), registry.node(1))
        try unset.unset("label")
        null.label = nil
        #expect(unset == null)
        #expect(hash(unset) == hash(null))
        #expect(unset != value)
        #expect(value != null)
    }

    @Test(.row("C054"))
    func modelsWithoutPropertiesAreEqual() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(EmptyModel(registry: registry) == EmptyModel(registry: registry))
        #expect(hash(EmptyModel(registry: registry)) == hash(EmptyModel(registry: registry)))
    }

    @Test(.row("C055"))
    func nestedModelsAreComparedByContent() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ deepest: Int) -> Node {
            let root = registry.node(1, next: registry.node(2, next: registry.node(3)))
            root.children = [registry.node(4), registry.node(5, next: registry.node(deepest))]
            root.gaps = [nil, registry.node(6)]
            root.named = ["a": registry.node(7), "b": registry.node(8)]
            return root
        }
        #expect(make(9) == make(9))
        #expect(hash(make(9)) == hash(make(9)))
        #expect(make(9) != make(10))
    }

    @Test(.row("C055"))
    func arraysDifferByOrderLengthAndGaps() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func make(_ labels: [Int?]) -> Node {
            let root = registry.node(0)
            root.gaps = labels.map { $0.map { registry.node($0) } }
            return root
        }
        let lists: [[Int?]] = [[], [nil], [1], [1, nil], [nil, 1], [1, 2], [2, 1], [1, 1]]
        for (index, left) in lists.enumerated() {
            for (other, right) in lists.enumerated() {
                #expect((make(left) == make(right)) == (index == other), "\(left), \(right)")
            }
        }
        #expect(make([]) != registry.node(0))
    }

    @Test(.row("C056"))
    func equalValuesOfTwoPropertiesDoNotCancelOut() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let neither = TestModel(registry: registry)
        let both = try TestModel(values: ["name": "a", "nestedName": "a"], registry: registry)
        let first = try TestModel(values: ["name": "a"], registry: registry)
        let second = try TestModel(values: ["nestedName": "a"], registry: registry)
        #expect(Set([neither, both, first, second].map { hash($0) }).count == 4)
    }

    @Test(.row("C058"))
    func elementsOfCollectionsCountInTheHash() throws {
        let hashes = try [["a", "b"], ["b", "a"], ["a", "c"], ["ab", ""], ["", "ab"]].map { names in
            let model = try SchemaRegistry.plainModel(["names": .array(of: .string)])
            model.write(names, "names")
            return hash(model)
        }
        #expect(Set(hashes).count == hashes.count)
    }

    @Test(.row("C059"))
    func aChangedModelIsNoLongerFoundInASetAndIsFoundAgainOnceChangedBack() throws {
        let model = try SchemaRegistry.ofFixtures().node(1)
        let set = Set([model])
        let before = hash(model)
        model.label = 2
        #expect(hash(model) != before)
        model.label = 1
        #expect(hash(model) == before)
        #expect(set.contains(model))
    }

    @Test func everyKindTellsItsValuesApart() throws {
        for kind in KindCase.all {
            let registry = try SchemaRegistry(transformers: .ofFixtures())
            let schema = ModelSchema("Holder", ["plain": kind.schema, "needed": kind.schema.required])
            try registry.register(schema)
            let filled = DynamicModel(schema: schema, registry: registry)
            try kind.check(filled)
            // `check` leaves a value in `needed`.
            let copy = filled.copy()
            #expect(copy == filled, "\(kind.testDescription)")
            #expect(hash(copy) == hash(filled), "\(kind.testDescription)")
            #expect(filled.deepCopy() == filled, "\(kind.testDescription)")
            try copy.unset("needed")
            #expect(copy != filled, "\(kind.testDescription)")
        }
    }

    /// Pairs of JSON defaults for one kind, equal or not.
    private struct Pair: Sendable, CustomTestStringConvertible {
        let schema: PropertySchema
        let left: JSONValue
        let right: JSONValue
        let areEqual: Bool
        var testDescription: String { "\(schema.kind.name): \(left) and \(right)" }
    }

    private static let pairs: [Pair] = [
        Pair(schema: .string, left: "caf\u{E9}", right: "caf\u{E9}", areEqual: true),
        Pair(schema: .string, left: "caf\u{E9}", right: "cafe\u{301}", areEqual: false),
        Pair(schema: .jsonValue, left: "caf\u{E9}", right: "cafe\u{301}", areEqual: false),
        Pair(schema: .jsonValue, left: ["a": 1, "b": 2], right: ["b": 2, "a": 1], areEqual: true),
        Pair(
            schema: .set(of: .string), left: ["caf\u{E9}", "cafe\u{301}"], right: ["cafe\u{301}", "caf\u{E9}"],
            areEqual: true),
        Pair(schema: .set(of: .string), left: ["caf\u{E9}"], right: ["cafe\u{301}"], areEqual: false),
        Pair(
            schema: .dictionary(of: .integer), left: ["caf\u{E9}": 1, "cafe\u{301}": 2],
            right: ["cafe\u{301}": 2, "caf\u{E9}": 1], areEqual: true),
        Pair(
            schema: .dictionary(of: .integer), left: ["caf\u{E9}": 1, "cafe\u{301}": 2],
            right: ["cafe\u{301}": 1, "caf\u{E9}": 2], areEqual: false),
        Pair(schema: .dictionary(of: .integer), left: ["a": 1], right: ["a": 1, "b": 1], areEqual: false),
        Pair(schema: .dictionary(of: .integer.nullable), left: ["a": nil], right: ["b": nil], areEqual: false),
        Pair(schema: .set(of: .integer), left: [1, 2, 3], right: [3, 1, 2, 1], areEqual: true),
        Pair(schema: .set(of: .integer), left: [1, 2], right: [1, 3], areEqual: false),
        Pair(schema: .set(of: .integer.nullable), left: [1, nil], right: [nil, 1], areEqual: true),
        Pair(schema: .set(of: .set(of: .integer)), left: [[1, 2], [3]], right: [[3], [2, 1]], areEqual: true),
        Pair(schema: .array(of: .integer), left: [1, 2], right: [2, 1], areEqual: false),
        Pair(schema: .double, left: 0.0, right: -0.0, areEqual: true),
        Pair(schema: .decimal, left: 1.50, right: 1.5, areEqual: true),
        Pair(schema: .date, left: "2020-01-01T00:00:00Z", right: "2020-01-01T01:00:00+01:00", areEqual: true),
        Pair(
            schema: .uuid, left: "AAAAAAAA-0000-0000-0000-000000000000", right: "aaaaaaaa-0000-0000-0000-000000000000",
            areEqual: true),
        Pair(
            schema: .uuid, left: "AAAAAAAA-0000-0000-0000-000000000000", right: "AAAAAAAA-0000-0000-0000-000000000001",
            areEqual: false),
        Pair(schema: .url, left: "http://a/b", right: "http://a/b", areEqual: true),
        Pair(schema: .url, left: "http://a/b", right: "http://A/b", areEqual: false),
    ]

    @Test(.row("C350", "C053"), arguments: pairs)
    private func valuesAreComparedAsTheirKindSays(_ pair: Pair) throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Pair", ["left": pair.schema.default(json: pair.left), "right": pair.schema.default(json: pair.right)])
        try registry.register(schema)
        let holder = ModelSchema("Holder", ["value": pair.schema])
        try registry.register(holder)
        let defaults = DynamicModel(schema: schema, registry: registry)
        let models = (0..<2).map { index in
            let model = DynamicModel(schema: holder, registry: registry)
            model.slot(at: 0).copyContent(of: defaults.slot(at: index))
            return model
        }
        #expect((models[0] == models[1]) == pair.areEqual)
        #expect((models[1] == models[0]) == pair.areEqual)
        if pair.areEqual { #expect(hash(models[0]) == hash(models[1])) }
        if !pair.areEqual { #expect(hash(models[0]) != hash(models[1])) }
    }

    @Test func anUnknownCaseEqualsOnlyItself() throws {
        func model(_ text: String) throws -> DynamicModel {
            let model = try SchemaRegistry.plainModel(["color": .enumeration(Color.self, unknown: .keep)])
            try model.setValue(text, forKey: "color")
            return model
        }
        let texts = ["red", "green", "mauve", "violet"]
        for left in texts {
            for right in texts { #expect((try model(left) == model(right)) == (left == right), "\(left), \(right)") }
        }
    }

    /// The hash looks a few levels deep only.
    @Test func setsOfModelsThatDifferDeepInsideAreToldApart() throws {
        let registry = try SchemaRegistry.ofFixtures()
        func chain(_ label: Int) -> Node {
            registry.node(1, next: registry.node(2, next: registry.node(3, next: registry.node(label))))
        }
        func holder(_ labels: [Int]) -> Node {
            let node = registry.node(0)
            node.friends = Set(labels.map { chain($0) })
            return node
        }
        #expect(hash(chain(4)) == hash(chain(5)))
        #expect(holder([4, 5]) == holder([5, 4]))
        #expect(holder([4, 5]) != holder([4, 6]))
        #expect(holder([4, 5, 6]) != holder([7, 5, 4]))
    }

    @Test func aURLIsEqualToItsTextThatWasNotMadeYet() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["link": .url])
        try registry.register(schema)
        let (made, text) = (
            DynamicModel(schema: schema, registry: registry), DynamicModel(schema: schema, registry: registry)
        )
        made.write(URL(string: "http://a.example/b"), "link")
        text.slot(at: 0).replace(with: "http://a.example/b")
        #expect(made == text)
        #expect(hash(made) == hash(text))
        #expect(text.copy().read("link", as: URL?.self)?.host() == "a.example")
        #expect(text == made)
    }
}
