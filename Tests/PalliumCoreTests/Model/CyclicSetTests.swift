import PalliumCore
import TestSupport
import Testing

/// Equality of graphs with sets in cycles, compared with a slow bisimulation: two models are equal if nothing that can be
/// reached from them tells them apart.
struct CyclicSetTests {
    private static let schema = ModelSchema(
        "Node",
        [
            "v": .integer, "set": .set(of: .model("Node")), "next": .model("Node"), "list": .array(of: .model("Node")),
            "named": .dictionary(of: .model("Node")),
        ])

    private static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register([schema])
        return registry
    }

    /// Nodes whose values differ until all references are set, because a set drops equal elements.
    private struct Graph {
        let nodes: [DynamicModel]
        private(set) var values: [Int]

        init(_ count: Int, _ registry: SchemaRegistry) {
            nodes = (0..<count).map { number in
                let node = DynamicModel(schema: CyclicSetTests.schema, registry: registry)
                node["v"] = 1000 + number
                return node
            }
            values = nodes.map { _ in 0 }
        }

        mutating func finish(_ values: [Int]) {
            self.values = values
            for (node, value) in zip(nodes, values) { node["v"] = value }
        }

        /// Takes the references out, which hold the cycles.
        func release() {
            for node in nodes { for key in ["set", "next", "list", "named"] { try? node.unset(key) } }
        }
    }

    // MARK: Cases

    /// A tree of sets of two elements, in either order, whose leaves are a chain that ends in itself.
    private func tree(_ depth: Int, isReversed: Bool, _ registry: SchemaRegistry) throws -> (Graph, DynamicModel) {
        var graph = Graph(15 + 2 * depth + 1, registry)
        for number in 0..<15 { graph.nodes[number]["next"] = graph.nodes[min(number + 1, 14)] }
        var values = Array(repeating: 0, count: graph.nodes.count)
        var level = [graph.nodes[0], graph.nodes[0]]
        for step in 0..<depth {
            let pair = [graph.nodes[15 + 2 * step], graph.nodes[16 + 2 * step]]
            for (side, node) in pair.enumerated() {
                node["set"] = Set(level)
                node["next"] = graph.nodes[side]
                values[15 + 2 * step + side] = side
            }
            level = isReversed ? pair.reversed() : pair
        }
        let root = graph.nodes[graph.nodes.count - 1]
        try root.setValue(Array(level), forKey: "list")
        root["set"] = Set(level)
        try root.setValue(nil, forKey: "list")
        graph.finish(values)
        return (graph, root)
    }

    @Test(arguments: [1, 4, 5, 6, 12]) func setsInDeepTreesAreEqualInAnyOrder(depth: Int) throws {
        let registry = try Self.registry()
        let (left, root) = try tree(depth, isReversed: false, registry)
        let (right, other) = try tree(depth, isReversed: true, registry)
        defer {
            left.release()
            right.release()
        }
        #expect(root == other)
        #expect(root.hashValue == other.hashValue)
        right.nodes[14]["v"] = 7
        #expect(root != other)
    }

    @Test(.trials) func largeCyclesAreDecided() throws {
        let registry = try Self.registry()
        // They are not random, but take seconds.
        let count = min(5000 * Trials(1).count, 20_000)
        var graph = Graph(2 * count, registry)
        for side in [0, count] {
            for number in 0..<count {
                let successors = [(number + 1) % count, number * 2 % count].map { graph.nodes[side + $0] }
                graph.nodes[side + number]["set"] = Set(successors)
            }
        }
        graph.finish((0..<2 * count).map { $0 % count == count - 1 ? 1 : 0 })
        let finished = graph
        defer { finished.release() }
        #expect(finished.nodes[0] == finished.nodes[count])
        finished.nodes[2 * count - 2]["v"] = 1
        #expect(finished.nodes[0] != finished.nodes[count])
    }

    // MARK: Random graphs

    private func randomGraph(_ generator: inout SeededGenerator, _ registry: SchemaRegistry) throws -> Graph {
        let count = Int.random(in: 2...9, using: &generator)
        var graph = Graph(count, registry)
        func some(_ limit: Int) -> [DynamicModel] {
            (0..<Int.random(in: 0...limit, using: &generator)).compactMap { _ in
                graph.nodes.randomElement(using: &generator)
            }
        }
        for node in graph.nodes {
            if Int.random(in: 0..<4, using: &generator) > 0 { node["set"] = Set(some(3)) }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                node["next"] = graph.nodes.randomElement(using: &generator)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 { node["list"] = some(2) }
            if Int.random(in: 0..<6, using: &generator) == 0, let node = some(1).first { node["named"] = ["a": node] }
        }
        let range = Int.random(in: 0..<6, using: &generator) == 0 ? 0...1 : 0...0
        graph.finish(graph.nodes.map { _ in Int.random(in: range, using: &generator) })
        return graph
    }

    /// Whether each two nodes are equal: all pairs with equal values, without those of which something tells them apart, until
    /// nothing changes.
    private func bisimulation(_ nodes: [DynamicModel], _ values: [Int]) -> [[Bool]] {
        let numbers = Dictionary(
            uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($0.element), $0.offset) })
        func number(_ node: DynamicModel) -> Int { numbers[ObjectIdentifier(node)] ?? -1 }
        func list(_ node: DynamicModel, _ key: String) -> [Int]? {
            node[key, as: [DynamicModel].self].map { $0.map(number) }
        }
        let next = nodes.map { $0["next", as: DynamicModel.self].map(number) }
        let sets = nodes.map { list($0, "set") }
        let lists = nodes.map { list($0, "list") }
        let named = nodes.map { $0["named", as: [String: DynamicModel].self].map { $0.mapValues(number) } }
        var areEqual = values.map { left in values.map { left == $0 } }
        func related(_ left: Int?, _ right: Int?) -> Bool {
            guard let left, let right else { return left == nil && right == nil }
            return areEqual[left][right]
        }
        func areSame(_ left: Int, _ right: Int) -> Bool {
            guard related(next[left], next[right]), lists[left]?.count == lists[right]?.count,
                zip(lists[left] ?? [], lists[right] ?? []).allSatisfy({ areEqual[$0][$1] }),
                named[left]?.count == named[right]?.count,
                (named[left] ?? [:]).allSatisfy({ related($0.value, named[right]?[$0.key]) })
            else { return false }
            guard let set = sets[left], let other = sets[right] else { return sets[left] == nil && sets[right] == nil }
            return set.count == other.count
                && set.allSatisfy { element in
                    set.count { areEqual[element][$0] } == other.count { areEqual[element][$0] }
                }
        }
        // Each round goes by the whole one before it, which is an equivalence.
        while true {
            let rest = nodes.indices.map { left in
                nodes.indices.map { areEqual[left][$0] && areSame(left, $0) }
            }
            if rest == areEqual { return areEqual }
            areEqual = rest
        }
    }

    private static func text(_ nodes: [DynamicModel]) -> String {
        func number(_ node: DynamicModel) -> Int { nodes.firstIndex { $0 === node } ?? -1 }
        return nodes.enumerated().map { index, node in
            let set = node["set", as: Set<DynamicModel>.self].map { "\($0.map(number).sorted())" } ?? "-"
            let list = node["list", as: [DynamicModel].self].map { "\($0.map(number))" } ?? "-"
            let next = node["next", as: DynamicModel.self].map { "\(number($0))" } ?? "-"
            let named = node["named", as: [String: DynamicModel].self].map { "\($0.values.map(number))" } ?? "-"
            return "\(index): v \(node["v", as: Int.self] ?? -1) set \(set) next \(next) list \(list) named \(named)"
        }.joined(separator: "\n")
    }

    @Test(.trials) func randomGraphsAreEqualIfNothingTellsThemApart() throws {
        let registry = try Self.registry()
        let trials = Trials(60)
        var (equal, different) = (0, 0)
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let (left, right) = try (randomGraph(&generator, registry), randomGraph(&generator, registry))
            defer {
                left.release()
                right.release()
            }
            let nodes = left.nodes + right.nodes
            let expected = bisimulation(nodes, left.values + right.values)
            for first in nodes.indices {
                for second in nodes.indices where first < second {
                    let isEqual = nodes[first] == nodes[second]
                    #expect(
                        isEqual == expected[first][second],
                        "nodes \(first) and \(second): \(Self.text(nodes))")
                    if isEqual { #expect(nodes[first].hashValue == nodes[second].hashValue) }
                    if isEqual { equal += 1 } else { different += 1 }
                }
            }
        }
        #expect(min(equal, different) > trials.count / 3)
    }
}
