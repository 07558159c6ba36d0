import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Copies")
struct CopyTests {
    @Test(.row("C050", "C061"))
    func aCopyIsAnotherEqualModel() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = try TestModel(values: ["name": "foobar", "count": 5, "nestedName": "fuzzbuzz"], registry: registry)
        let copy = model.copy()
        #expect(copy == model)
        #expect(copy !== model)
        copy.name = "other"
        #expect(model.name == "foobar")
    }

    @Test(.row("C062"))
    func nullAndUnsetSurviveACopyOverADefault() throws {
        let model = URLModel(registry: try .ofFixtures())
        model.url = nil
        #expect(model.copy().url == nil)
        #expect(try model.copy().state(of: "URL") == .null)
        try model.unset("URL")
        #expect(try model.copy().state(of: "URL") == .unset)
        #expect(try model.deepCopy().state(of: "URL") == .unset)
    }

    @Test(.row("C063"))
    func aValueThatTheValidatorWouldRefuseIsCopied() throws {
        let model = TestModel(registry: try .ofFixtures())
        model.name = "this is too long a name"
        #expect(model.copy().name == model.name)
        #expect(model.deepCopy().name == model.name)
    }

    @Test(.row("C064"))
    func transitoryPropertiesAndWeakLinksAreCopied() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let empty = EmptyModel(registry: registry)
        let model = StorageModel(registry: registry)
        try model.setValue("t", forKey: "transitoryProperty")
        try model.setValue(empty, forKey: "weakProperty")
        #expect(try model.copy().value(forKey: "transitoryProperty") as? String == "t")
        #expect(try model.copy().value(forKey: "weakProperty") as? EmptyModel === empty)
        #expect(try model.deepCopy().value(forKey: "transitoryProperty") as? String == "t")
    }

    @Test(.row("C065"))
    func aCopySharesNestedModelsAndADeepCopyDoesNot() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = registry.node(1, next: registry.node(2))
        model.children = [registry.node(3)]
        model.named = ["a": registry.node(4)]
        model.gaps = [nil, registry.node(5)]
        model.friends = [registry.node(6)]
        let copy = model.copy()
        #expect(copy.next === model.next)
        #expect(copy.children?[0] === model.children?[0])
        let deep = model.deepCopy()
        #expect(deep == model)
        #expect(deep.next !== model.next)
        #expect(deep.children?[0] !== model.children?[0])
        #expect(deep.named?["a"] !== model.named?["a"])
        #expect(deep.gaps?[1] !== model.gaps?[1])
        #expect(deep.gaps?[0] == nil)
        #expect(deep.friends?.first !== model.friends?.first)
        deep.next?.label = 20
        deep.children?[0].label = 30
        #expect(model.next?.label == 2)
        #expect(model.children?[0].label == 3)
    }

    @Test(.row("C066"))
    func aCopyHasTheClassOfTheModel() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model: TestModel = SubTestModel(registry: registry)
        #expect(type(of: model.copy()) == SubTestModel.self)
        #expect(type(of: model.deepCopy()) == SubTestModel.self)
        let plain: DynamicModel = model
        #expect(type(of: plain.copy()) == SubTestModel.self)
    }

    @Test func collectionsSharedByACopyAreNotChangedThroughIt() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = registry.node(1)
        model.children = [registry.node(2)]
        let copy = model.copy()
        copy.children?.append(registry.node(3))
        #expect(model.children?.count == 1)
        #expect(copy.children?.count == 2)
    }

    @Test func sharedModelsStaySharedInADeepCopy() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let shared = registry.node(9)
        let model = registry.node(1, next: shared)
        model.children = [shared, registry.node(2, next: shared)]
        model.named = ["a": shared]
        let copy = model.deepCopy()
        let target = try #require(copy.next)
        #expect(target !== shared)
        #expect(copy.children?[0] === target)
        #expect(copy.children?[1].next === target)
        #expect(copy.named?["a"] === target)
    }

    @Test(.threat(.cycles)) func cyclesAreCopiedAsCycles() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let ring = registry.ring([1, 2, 3])
        let copy = ring.deepCopy()
        defer { for node in [ring, copy] { node.breakRing() } }
        #expect(copy == ring)
        #expect(copy.next?.next?.next === copy)
        #expect(copy.next !== ring.next)
    }

    @Test func weakLinksInsideTheGraphLeadToTheCopies() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let (root, child, grandchild) = (registry.node(1), registry.node(2), registry.node(3))
        root.children = [child]
        child.next = grandchild
        // Up, down (to a model that is copied later), and to itself.
        child.owner = root
        root.owner = grandchild
        grandchild.owner = grandchild
        let copy = root.deepCopy()
        let copiedChild = try #require(copy.children?[0])
        #expect(copiedChild.owner === copy)
        #expect(copy.owner === copiedChild.next)
        #expect(copiedChild.next?.owner === copiedChild.next)
        #expect(root.owner === grandchild)
    }

    /// Otherwise the copy, which may go to another isolation region, would lead back into the original's.
    @Test func weakLinksOutOfTheGraphAreNotCopiedDeeply() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let outside = registry.node(0)
        let model = registry.node(1)
        model.owner = outside
        #expect(model.copy().owner === outside)
        #expect(model.deepCopy().owner == nil)
        #expect(model.owner === outside)
        var gone: Node? = registry.node(2)
        model.owner = gone
        gone = nil
        #expect(model.deepCopy().owner == nil)
    }

    @Test(.threat(.retainCycles)) func aWeakLinkDoesNotKeepAnythingAliveInTheCopy() throws {
        let registry = try SchemaRegistry.ofFixtures()
        var root: Node? = registry.node(1)
        root?.children = [registry.node(2)]
        root?.children?[0].owner = root
        var copy = root?.deepCopy()
        weak let copiedChild = copy?.children?[0]
        #expect(copiedChild?.owner === copy)
        copy = nil
        #expect(copiedChild == nil)
        root = nil
    }

    @Test func preservedMembersAreCopied() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = registry.node(1)
        model.unknownMembers = ["extra": [1, 2]]
        #expect(model.copy().unknownMembers == ["extra": [1, 2]])
        let copy = model.deepCopy()
        copy.unknownMembers = nil
        #expect(model.unknownMembers == ["extra": [1, 2]])
    }
}
