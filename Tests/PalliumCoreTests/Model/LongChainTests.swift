import Foundation
import PalliumCore
import PalliumJSON
import Synchronization
import TestSupport
import Testing

/// Chains of 30,000 models on a stack of 512 kB: whatever recursed once a model, with even the smallest frame, would
/// overflow it. `ReliabilityCheck chain` walks chains of a million.
@Suite("Long chains on a small stack", .threat(.deepGraphs, .freeingDeepGraphs), .serialized)
struct LongChainTests {
    private static func chain(_ count: Int, in registry: SchemaRegistry) -> Node {
        var chain = registry.node(0)
        for label in 1..<count {
            let above = Node(registry: registry)
            above.label = label
            above.next = chain
            chain = above
        }
        return chain
    }

    @Test(.row("C060"))
    func longChainsAreComparedHashedDescribedCopiedAndReleased() throws {
        let registry = try SchemaRegistry.ofFixtures()
        onStack {
            let count = 30_000
            let chain = Self.chain(count, in: registry)
            #expect(chain.copy() == chain)
            #expect(hash(chain) == hash(chain.copy()))
            #expect(chain.description.hasPrefix("Node(label: 29999, next: Node(label: 29998"))
            #expect(chain.description.utf8.count < 1000)
            #expect(chain.debugDescription.utf8.count < 100_000)
            let copy = chain.deepCopy()
            #expect(copy !== chain)
            #expect(copy.next !== chain.next)
            #expect(copy == chain)
            var last = copy
            var length = 1
            while let next = last.next {
                last = next
                length += 1
            }
            #expect(length == count)
            last.label = -1
            #expect(copy != chain)
            // The copy and the chain are released here, on the small stack.
        }
    }

    /// Wherever the list stands, also where releasing goes over from the stack to the list of what waits.
    @Test func manyModelsFarDownAreAllReleased() throws {
        let registry = try SchemaRegistry.ofFixtures()
        for depth in 0..<40 {
            weak var last: Node?
            do {
                let leaf = registry.node(0)
                leaf.children = (0..<5000).map { registry.node($0) }
                last = leaf.children?.last
                var chain = leaf
                for label in 0..<depth { chain = registry.node(label, next: chain) }
                #expect(last?.label == 4999)
                withExtendedLifetime(chain) {}
            }
            #expect(last == nil, "at depth \(depth)")
        }
    }

    /// The ways in which one model holds another.
    enum Link: String, CaseIterable, Sendable { case array, gaps, set, dictionary, mixed }

    @Test(arguments: Link.allCases)
    func chainsThroughCollectionsAreComparedHashedCopiedAndReleased(_ link: Link) throws {
        let registry = try SchemaRegistry.ofFixtures()
        try onStack {
            func make() throws -> Node {
                var chain = registry.node(0)
                for label in 1..<30_000 {
                    let above = registry.node(label)
                    let kind = link == .mixed ? Link.allCases[label % 4] : link
                    switch kind {
                    case .array: above.children = [chain]
                    case .gaps: above.gaps = [nil, chain]
                    case .set, .mixed: try above.setValue([chain], forKey: "friends")
                    case .dictionary: above.named = ["a": chain]
                    }
                    chain = above
                }
                return chain
            }
            let (left, right) = (try make(), try make())
            #expect(left == right)
            #expect(hash(left) == hash(right))
            #expect(left.deepCopy() == right)
            #expect(left.description.utf8.count < 1000)
            #expect(left.debugDescription.utf8.count < 200_000)
            try left.validate()
        }
    }

    private final class Counted: DynamicModel {
        static let schema = ModelSchema(
            Counted.self, ["label": .integer.required, "text": .string.required, "next": .model(Counted.self)])
        static let released = Mutex((count: 0, sum: 0, depth: 0))

        var label: Int { value() }
        var text: String { value() }
        var next: Counted? {
            get { value() }
            set { set(newValue) }
        }

        deinit {
            let (label, text) = (label, text)
            Self.released.withLock {
                $0.count += 1
                $0.sum += label
                if text != "text number \(label)" { $0.sum = .min }
            }
        }
    }

    @Test func theSlotsOfEveryModelAreWholeInItsOwnDeinit() throws {
        let registry = try SchemaRegistry.of(Counted.schema)
        try onStack {
            var chain: Counted?
            for label in 0..<100_000 {
                let above = try Counted(values: ["label": label, "text": "text number \(label)"], registry: registry)
                above.next = chain
                chain = above
            }
            chain = nil
        }
        #expect(Counted.released.withLock { $0.count } == 100_000)
        #expect(Counted.released.withLock { $0.sum } == 99_999 * 100_000 / 2)
    }

    @Test func aWideTreeIsReleasedWhole() throws {
        let registry = try SchemaRegistry.ofFixtures()
        weak var witness: Node?
        do {
            let root = registry.node(0)
            var level = [root]
            for depth in 0..<6 {
                var below: [Node] = []
                for node in level {
                    let children = (0..<5).map { registry.node(depth * 10 + $0) }
                    node.children = children
                    below += children
                }
                level = below
            }
            witness = level.last
            #expect(witness != nil)
        }
        #expect(witness == nil)
    }
}
