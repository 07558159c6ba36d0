import PalliumCore
import PalliumMerging
import TestSupport
import Testing

/// Sets within sets: equality finds the differences however far inside they are.
@Suite("Sets within sets")
struct NestedSetTests {
    /// Nests of sets of two elements that are told apart, if at all, far inside.
    struct NestOfSets {
        let registry = SchemaRegistry()
        let loop: DynamicModel
        /// How many models lead from an element to the set inside.
        var distance = 0

        init() throws {
            try registry.register(
                ModelSchema(
                    "Node", ["value": .integer, "items": .set(of: .model("Node")), "next": .model("Node")]))
            loop = try registry.make("Node", [:])
            loop["next"] = loop
        }

        func node(_ items: [DynamicModel], endless: Bool) throws -> DynamicModel {
            let node = try registry.make("Node", [:])
            try node.slot(at: try #require(node.layout.index(of: "items"))).storeList(items)
            if endless { node["next"] = loop }
            return try (0..<distance).reduce(node) { node, _ in try registry.make("Node", ["next": node]) }
        }

        /// Nested sets of which each element differs from the other in one leaf.
        func path(_ depth: Int, _ value: Int, endless: Bool = false) throws -> DynamicModel {
            if depth == 0 { return try registry.make("Node", ["value": value]) }
            let items = try [value, -depth].map { try path(depth - 1, $0, endless: endless) }
            return try node(items, endless: endless)
        }

        func leaves(_ model: DynamicModel) -> [Int] {
            var (pending, values) = ([model], [Int]())
            while let model = pending.popLast() {
                if let value = model["value", as: Int.self] { values.append(value) }
                if let next = model.model("next"), next !== loop { pending.append(next) }
                pending += model["items", as: Set<DynamicModel>.self] ?? []
            }
            return values.sorted()
        }

        /// Whether a model is equal to a deep copy, whose cycle is then opened so that it is released.
        func equalsCopy(_ model: DynamicModel) -> Bool {
            let copy = model.deepCopy()
            var (pending, seen) = ([copy], Set<ObjectIdentifier>())
            var ends: [DynamicModel] = []
            while let model = pending.popLast() {
                guard seen.insert(ObjectIdentifier(model)).inserted else { continue }
                if let next = model.model("next") {
                    pending.append(next)
                    if seen.contains(ObjectIdentifier(next)) { ends.append(model) }
                }
                pending += model["items", as: Set<DynamicModel>.self] ?? []
            }
            defer { for model in ends { model["next"] = nil } }
            return model == copy
        }
    }

    @Test(.threat(.hashFlooding), arguments: [1, 4, 6, 7, 9])
    func nestedSetsThatDifferInOneLeafAreToldApart(depth: Int) throws {
        for endless in [false, true] {
            let nest = try NestOfSets()
            defer { nest.loop["next"] = nil }
            let (one, two) = (
                try nest.path(depth, 1, endless: endless), try nest.path(depth, 2, endless: endless)
            )
            #expect(nest.leaves(one).count == 1 << depth)
            #expect(nest.equalsCopy(one))
            #expect(try one == nest.path(depth, 1, endless: endless))
            #expect(one != two)
            #expect(try nest.leaves(nest.node([one, two], endless: endless)).count == 2 << depth)
            #expect(try !one.merge(from: two).isEmpty)
            #expect(one == two)
        }
    }

    /// Elements of equal hashes share a long chain, which differs at its end from the one that the others share. Each
    /// trial finds that anew.
    @Test(arguments: [0, 1], [Array((0..<8).reversed()), Array(1..<8) + [0], [7] + Array(0..<7)])
    func aDifferenceThatOneTrialFoundIsFoundByTheNext(change: Int, order: [Int]) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Node",
                ["value": .integer, "items": .set(of: .model("Node")), "a": .model("Node"), "b": .model("Node")]))
        func chain(_ value: Int, _ length: Int) throws -> DynamicModel {
            try (0..<length).reduce(registry.make("Node", ["value": value])) { node, _ in
                try registry.make("Node", ["a": node])
            }
        }
        func holder(_ value: Int, _ order: [Int]) throws -> DynamicModel {
            let shared = try chain(value, 200)
            let items = try order.map { try registry.make("Node", ["a": chain($0, 5), "b": shared]) }
            let node = try registry.make("Node", [:])
            try node.slot(at: try #require(node.layout.index(of: "items"))).storeList(items)
            return node
        }
        let (one, two) = (try holder(100, Array(0..<8)), try holder(100 + change, order))
        #expect(one["items", as: Set<DynamicModel>.self]?.count == 8)
        #expect((one == two) == (change == 0))
    }

    @Test func nestedSetsThatDifferBeyondWhatIsHashedAreNotEqual() throws {
        var nest = try NestOfSets()
        defer { nest.loop["next"] = nil }
        nest.distance = 20
        let (one, two) = (try nest.path(6, 1, endless: true), try nest.path(6, 2, endless: true))
        #expect(one != two)
        #expect(nest.equalsCopy(one))
    }
}
