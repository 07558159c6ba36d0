import Foundation
import PalliumCore
import PalliumJSON
import Synchronization
import TestSupport
import Testing

@Suite("Frozen views")
struct FrozenTests {
    private let registry: SchemaRegistry

    init() throws { registry = try .ofFixtures() }

    private func graph() -> Node {
        let root = registry.node(1, next: registry.node(2, next: registry.node(3)))
        root.children = [registry.node(4), registry.node(5)]
        root.friends = [registry.node(6)]
        root.named = ["a": registry.node(7)]
        return root
    }

    @Test func accessorsAreReadThroughTheView() {
        let root = graph()
        let frozen = root.frozen()
        #expect(frozen.label == 1)
        #expect(frozen.next?.next?.label == 3)
        #expect(frozen.next?.next?.next == nil)
        #expect(frozen.children?.map(\.label) == [4, 5])
        #expect(frozen.friends?.map(\.label) == [6])
        #expect(frozen.named?["a"]?.label == 7)
        #expect(frozen["label", as: Int.self] == 1)
        #expect(frozen["next", as: Node.self]?.label == 2)
        #expect(frozen["children", as: [Node].self]?.last?.label == 5)
        #expect(frozen.description == root.description)
        #expect(frozen.debugDescription == root.debugDescription)
        #expect(Frozen.schema(of: frozen) == root.schema)
    }

    @Test func changesOfTheOriginalAreNotSeen() {
        let root = graph()
        let frozen = root.frozen()
        let before = root.frozen()
        #expect(frozen == before)
        root.children?[0].label = 40
        root.next = nil
        #expect(frozen.children?[0].label == 4)
        #expect(frozen.next?.label == 2)
        #expect(frozen == before)
        #expect(frozen != root.frozen())
    }

    @Test func aThawedModelMayBeChanged() {
        let frozen = graph().frozen()
        let model = Frozen.thaw(frozen)
        model.children?[0].label = 40
        #expect(frozen.children?[0].label == 4)
        #expect(model.children?[0].label == 40)
        #expect(frozen.children.map { Frozen.thaw($0[1]).label } == 5)
    }

    @Test func aViewOfAPartKeepsTheWholeGraph() {
        let root = graph()
        root.children?[0].owner = root
        var frozen: Frozen<Node>? = root.frozen()
        let child = frozen?.children?[0]
        frozen = nil
        #expect(child?.owner?.label == 1)
        #expect(child?.owner?.children?[0].label == 4)
    }

    /// Accessors with the names of everything that a view could have of its own.
    private final class Taken: DynamicModel {
        var state: String? { value() }
        var hash: String? { value() }
        var thaw: String? { value() }
        var cast: String? { value() }
        var model: String? { value() }
        var graph: String? { value() }
        var view: String? { value() }
        var frozen: String? { value() }
        var `as`: String? { value() }
        var thawed: String? { value() }
        var id: String? { value() }
        var encode: String? { value() }
        /// An accessor cannot have the name of a member of the base class; its property can.
        var text: String? { value("description") }
        var code: String? { value("hashValue") }
        var plan: String? { value("schema") }
        var list: String? { value("values") }

        static let keys = [
            "state", "hash", "thaw", "cast", "model", "graph", "view", "frozen", "as", "thawed", "id", "description",
            "hashValue", "schema", "values", "encode",
        ]
        static let schema = ModelSchema(
            Taken.self,
            [
                "state": .string, "hash": .string, "thaw": .string, "cast": .string, "model": .string, "graph": .string,
                "view": .string, "frozen": .string, "as": .string, "thawed": .string, "id": .string,
                "description": .string, "hashValue": .string, "schema": .string, "values": .string, "encode": .string,
            ])
    }

    @Test func noNameOfAnAccessorIsTakenByTheView() throws {
        try registry.register(Taken.schema)
        let model = try Taken(
            values: Dictionary(uniqueKeysWithValues: Taken.keys.map { ($0, $0) }), registry: registry)
        let frozen = model.frozen()
        let read = [
            frozen.state, frozen.hash, frozen.thaw, frozen.cast, frozen.model, frozen.graph, frozen.view, frozen.frozen,
            frozen.as, frozen.thawed, frozen.id, frozen.text, frozen.code, frozen.plan, frozen.list,
        ]
        #expect(read == Taken.keys.dropLast().map { $0 })
        #expect(Taken.keys.map { frozen[$0, as: String.self] } == Taken.keys)
    }

    @Test func membersOfTheBaseClassAreReadThroughTheView() {
        let model = graph()
        let frozen = model.frozen()
        #expect(frozen.description == model.description)
        #expect(frozen.hashValue == model.hashValue)
        #expect(frozen.schema == model.schema)
    }

    @Test func linksOutOfTheGraphAreNotCopied() {
        let root = graph()
        root.owner = root.next
        root.children?[0].owner = root
        #expect(root.frozen().owner?.label == 2)
        #expect(root.children?[0].frozen().owner == nil)
    }

    @Test func aViewIsOneOfASubclassWhereTheModelIs() {
        let model = SubTestModel(registry: registry)
        model.role = "r"
        let frozen: Frozen<TestModel> = (model as TestModel).frozen()
        #expect(Frozen.cast(frozen, to: SubTestModel.self)?.role == "r")
        #expect(Frozen.cast(TestModel(registry: registry).frozen(), to: SubTestModel.self) == nil)
    }

    @Test(.threat(.cycles)) func cyclesAreFrozenAsCycles() {
        let ring = registry.ring([1, 2, 3])
        let frozen = ring.frozen()
        #expect(frozen.next?.next?.next == frozen)
        #expect(frozen.next?.next?.next?.label == 1)
        ring.breakRing()
        #expect(frozen.next?.next?.next?.label == 1)
    }

    @Test(.threat(.cycles, .retainCycles)) func aCycleLivesAsLongAsItsLastView() {
        let ring = registry.ring([1, 2, 3])
        weak var first: DynamicModel?
        do {
            var view = ring.frozen().next
            first = view?.next?.next?._model
            #expect(view?.next?.next?.label == 1)
            view = nil
        }
        #expect(first == nil)
        ring.breakRing()
    }

    @Test(.threat(.deepGraphs)) func longChainsAreFrozenOnASmallStack() throws {
        let registry = registry
        onStack {
            var chain = registry.node(0)
            for label in 1..<30_000 { chain = registry.node(label, next: chain) }
            let frozen = chain.frozen()
            #expect(frozen.next?.next?.label == 29_997)
            #expect(frozen == chain.frozen())
        }
    }

    private final class Family: DynamicModel {
        var head: Node { value() }
        var members: [Node] { value() }
        var friends: Set<Node> { value() }
        var named: [String: Node] { value() }

        static let schema = ModelSchema(
            Family.self,
            [
                "head": .model(Node.self).required, "members": .array(of: .model(Node.self)).required,
                "friends": .set(of: .model(Node.self)).required, "named": .dictionary(of: .model(Node.self)).required,
            ])
    }

    @Test func modelsThatAreAlwaysThereAreViewsThatAreAlwaysThere() throws {
        try registry.register(Family.schema)
        let family = try Family(
            values: [
                "head": registry.node(1), "members": [registry.node(2), registry.node(3)],
                "friends": [registry.node(4), registry.node(5)], "named": ["a": registry.node(6)],
            ], registry: registry)
        let frozen = family.frozen()
        family.head.label = 10
        family.named["a"]?.label = 60
        #expect(frozen.head.label == 1)
        #expect(frozen.members.map(\.label) == [2, 3])
        #expect(Set(frozen.friends.map(\.label)) == [4, 5])
        #expect(frozen.named.mapValues(\.label) == ["a": 6])
    }

    @Test func aMirrorShowsNoModelThatCouldBeChanged() throws {
        let frozen = graph().frozen()
        let children = Mirror(reflecting: frozen).children
        #expect(children.map(\.label) == ["model"])
        #expect(children.first?.value as? String == frozen.debugDescription)
    }

    /// The bytes of every slot, and whether the list in it has its Swift collection: what reading could change.
    private func image(of frozen: Frozen<DynamicModel>) -> [UInt8] {
        let model = frozen._model
        let states = UnsafeRawBufferPointer(start: model.stateBytes, count: model.slotIndices.count)
        return Array(states) + UnsafeRawBufferPointer(start: model.slots, count: model.slotIndices.count * 16)
    }

    @Test func readingWritesNothing() throws {
        let model = try SchemaRegistry.plainModel([
            "url": .url, "urls": .array(of: .url), "numbers": .set(of: .integer), "map": .dictionary(of: .url),
            "nested": .array(of: .array(of: .url)),
        ])
        // Texts, as the decoder leaves them.
        func list(_ slot: PropertySlot) -> SlotList {
            let list = SlotList.make(element: slot.description.elementReference, capacity: 0)
            list.appendSlot().replace(with: "http://a/b")
            return list
        }
        model.slot(at: 0).replace(with: "http://a/b")
        model.slot(at: 1).replace(with: list(model.slot(at: 1)))
        try model.setValue([1, 2, 2], forKey: "numbers")
        let frozen = model.frozen()
        let before = image(of: frozen)
        let urls = SlotOperations.box(SlotList.self, frozen._model.slot(at: 1).pointer)
        #expect(urls.slot(at: 0).slotState.isBoxed)
        #expect(urls.view.load() is TypedSlotListView<[URL]>)
        let numbers = SlotOperations.box(SlotList.self, frozen._model.slot(at: 2).pointer)
        #expect(numbers.view.load() is TypedSlotListView<Set<Int>>)
        #expect(frozen["url", as: URL.self]?.host == "a")
        #expect(frozen["urls", as: [URL].self]?[0].path == "/b")
        #expect(frozen["numbers", as: Set<Int>.self] == [1, 2])
        #expect(frozen["numbers", as: [Int].self] == [1, 2])
        #expect(image(of: frozen) == before)
        #expect(numbers.view.load() is TypedSlotListView<Set<Int>>)
        // The original is left as it was.
        #expect(!model.slot(at: 0).slotState.isBoxed)
    }

    @Test func aCollectionWithAMissingElementIsFrozenAllTheSame() throws {
        let model = try SchemaRegistry.plainModel(["lists": .array(of: .array(of: .integer))])
        let slot = model.slot(at: 0)
        let outer = SlotList.make(element: slot.description.elementReference, capacity: 0)
        let inner = SlotList.make(element: outer.element.takeUnretainedValue().elementReference, capacity: 0)
        inner.appendSlot()
        outer.appendSlot().replace(with: inner)
        slot.replace(with: outer)
        #expect(try Frozen.state(of: "lists", in: model.frozen()) == .value)
    }

    /// Run under ThreadSanitizer, this is the proof that views may be read from any thread.
    @Test(.threat(.registryRaces)) func eightThreadsReadOneGraphWhileOthersRegister() throws {
        let root = graph()
        root.children?[0].owner = root
        let frozen = root.frozen()
        let registry = registry
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for pass in 0..<100 {
                if thread % 2 == 0 {
                    #expect(frozen.children?[0].owner?.label == 1)
                    #expect(frozen.friends?.first?.label == 6)
                    #expect(frozen.named?["a"]?.label == 7)
                    #expect(frozen.next == frozen.next)
                    #expect(!frozen.debugDescription.isEmpty)
                    #expect(Frozen.thaw(frozen).next?.label == 2)
                } else {
                    do {
                        try registry.register(ModelSchema("S\(thread)-\(pass)", ["a": .url, "n": .model(Node.self)]))
                        let node = registry.node(pass)
                        #expect(node.frozen().label == pass)
                    } catch { Issue.record(error) }
                }
            }
        }
    }
}
