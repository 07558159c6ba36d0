import PalliumCore
import TestSupport
import Testing

/// A folder of files and folders: two properties lead to children, all of which have one link back.
final class Folder: DynamicModel {
    var name: String? {
        get { value() }
        set { set(newValue) }
    }
    var parent: Folder? {
        get { value() }
        set { set(newValue) }
    }
    var folders: [Folder]? {
        get { value() }
        set { set(newValue) }
    }
    var named: [String: Folder]? {
        get { value() }
        set { set(newValue) }
    }
    var groups: [[Folder]]? {
        get { value() }
        set { set(newValue) }
    }
    var unique: Set<Folder>? {
        get { value() }
        set { set(newValue) }
    }
    var selected: Folder? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        Folder.self,
        [
            "name": .string, "parent": .model(Folder.self).weak,
            "folders": .array(of: .model(Folder.self)).inverse("parent"),
            "named": .dictionary(of: .model(Folder.self)).inverse("parent"),
            "groups": .array(of: .array(of: .model(Folder.self))).inverse("parent"),
            "unique": .set(of: .model(Folder.self)).inverse("parent"),
            "selected": .model(Folder.self).inverse("parent"),
        ])
}

@Suite("Parent links")
struct ParentLinkTests {
    let registry: SchemaRegistry

    init() throws {
        registry = SchemaRegistry()
        try registry.register(Folder.schema)
    }

    private func folder(_ name: String) -> Folder {
        let folder = Folder(registry: registry)
        folder.name = name
        return folder
    }

    /// Every way to put a model into a property.
    private static let waysIn: [(String, @Sendable (Folder, Folder) throws -> Void)] = [
        ("model", { $0.selected = $1 }), ("array", { $0.folders = [$1] }), ("dictionary", { $0.named = ["a": $1] }),
        ("set", { $0.unique = [$1] }), ("nested arrays", { $0.groups = [[], [$1]] }),
        ("setValue", { try $0.setValue([$1], forKey: "folders") }), ("subscript", { $0["selected"] = $1 }),
    ]

    @Test(arguments: waysIn.indices)
    func whoeverBecomesAChildIsLinked(way: Int) throws {
        let (name, insert) = Self.waysIn[way]
        let (parent, child) = (folder("p"), folder("c"))
        try insert(parent, child)
        #expect(child.parent === parent, "\(name)")
    }

    @Test func modelsMadeFromValuesLinkTheirChildren() throws {
        let child = folder("c")
        let parent = try Folder(values: ["selected": child], registry: registry)
        #expect(child.parent === parent)
    }

    /// Every way to take the first of two children out again.
    private static let waysOut: [(String, @Sendable (Folder) throws -> Void)] = [
        ("nil", { $0.folders = nil }), ("replacement", { $0.folders = [$0.copy()] }),
        ("unset", { try $0.unset("folders") }), ("setValue", { try $0.setValue(nil, forKey: "folders") }),
        ("removal", { $0.folders?.removeFirst() }),
    ]

    @Test(arguments: waysOut.indices)
    func whoeverLeavesLosesTheLink(way: Int) throws {
        let (name, remove) = Self.waysOut[way]
        let (parent, child, other) = (folder("p"), folder("c"), folder("o"))
        parent.folders = [child, other]
        try remove(parent)
        #expect(child.parent == nil, "\(name)")
        #expect(try child.state(of: "parent") == .unset)
        #expect(name != "removal" || other.parent === parent)
    }

    @Test func aLinkThatMovedAwayIsNotCleared() {
        let (first, second, child) = (folder("1"), folder("2"), folder("c"))
        first.folders = [child]
        second.folders = [child]
        #expect(child.parent === second)
        first.folders = []
        #expect(child.parent === second)
    }

    @Test func aModelInTwoPropertiesStaysLinkedWhenItLeavesOne() {
        let (parent, child) = (folder("p"), folder("c"))
        parent.folders = [child]
        parent.selected = child
        parent.selected = nil
        #expect(child.parent === parent)
        parent.folders = nil
        #expect(child.parent == nil)
    }

    @Test func aRefusedAssignmentLeavesLinksAlone() throws {
        let (parent, child) = (folder("p"), folder("c"))
        parent.folders = [child]
        #expect(throws: ModelError.self) { try parent.setValue([1], forKey: "folders") }
        #expect(child.parent === parent)
    }

    @Test(.threat(.retainCycles)) func theLinkDoesNotKeepTheParentAlive() {
        let child = folder("c")
        var parent: Folder? = folder("p")
        parent?.folders = [child]
        parent = nil
        #expect(child.parent == nil)
    }

    @Test func linksCountNowhere() {
        let (parent, child, other) = (folder("p"), folder("c"), folder("c"))
        parent.folders = [child]
        #expect(child == other)
        #expect(hash(child) == hash(other))
        #expect(child.description == other.description)
        #expect(child.debugDescription == other.debugDescription)
    }

    @Test func aCopySharesChildrenWithoutTakingThem() {
        let (parent, child) = (folder("p"), folder("c"))
        parent.folders = [child]
        let copy = parent.copy()
        #expect(copy.folders?[0] === child)
        #expect(child.parent === parent)
        copy.folders = []
        #expect(child.parent === parent)
    }

    @Test func aDeepCopyLinksItsOwnChildren() throws {
        let (parent, child, grandchild) = (folder("p"), folder("c"), folder("g"))
        parent.folders = [child]
        child.named = ["g": grandchild]
        let copy = parent.deepCopy()
        let copiedChild = try #require(copy.folders?[0])
        #expect(copiedChild !== child)
        #expect(copiedChild.parent === copy)
        #expect(copiedChild.named?["g"]?.parent === copiedChild)
        #expect(child.parent === parent)
        // A copy that shares children has links of its own once it is copied deeply.
        let deep = parent.copy().deepCopy()
        #expect(deep.folders?[0].parent === deep)
        // The parent of the model itself is not in the graph.
        #expect(child.deepCopy().parent == nil)
    }

    @Test func ofTwoParentsInAGraphTheOriginalsIsKeptInADeepCopy() throws {
        let (root, first, second, child) = (folder("r"), folder("1"), folder("2"), folder("c"))
        second.folders = [child]
        first.folders = [child]
        root.folders = [first, second]
        let copy = root.deepCopy()
        #expect(copy.folders?[0].folders?[0].parent === copy.folders?[0])
        #expect(copy.folders?[1].folders?[0].parent === copy.folders?[0])
    }

    @Test func linkingAgainTakesAllChildren() {
        let (parent, other, child) = (folder("p"), folder("o"), folder("c"))
        parent.folders = [child]
        other.selected = child
        parent.linkChildren()
        #expect(child.parent === parent)
    }

    @Test func aRefusedValidationPutsLinksBack() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Leaf", ["tree": .model("Tree").weak]),
            ModelSchema("Tree", ["leaf": .model("Leaf").inverse("tree"), "next": .model("Leaf")])
                .validate { model in
                    try model.setValue(model.value(forKey: "next"), forKey: "leaf")
                    throw FixtureError.nameMissing
                })
        func make(_ name: String) throws -> DynamicModel {
            DynamicModel(schema: try registry.schema(named: name), registry: registry)
        }
        let (tree, leaf, next) = (try make("Tree"), try make("Leaf"), try make("Leaf"))
        try tree.setValue(leaf, forKey: "leaf")
        try tree.setValue(next, forKey: "next")
        #expect(throws: ModelError.self) { try tree.validate() }
        #expect(leaf["tree", as: DynamicModel.self] === tree)
        #expect(next["tree", as: DynamicModel.self] == nil)
    }

    @Test func aPropertyThatIsWeakItselfHasNoInverse() {
        let registry = SchemaRegistry()
        #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema("A", ["b": .model("B").weak.inverse("a")]), ModelSchema("B", ["a": .model("A").weak]))
        }
    }

    /// A child whose schema narrows the link to other parents than this one is not linked to it.
    @Test func aLinkThatWasTightenedIsSetForFittingParentsOnly() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Parent", ["child": .model("Child").inverse("parent")]),
            ModelSchema("Child", ["parent": .model("Parent").weak]),
            ModelSchema("SpecialParent", [:], extends: "Parent"),
            ModelSchema("SpecialChild", ["parent": .model("SpecialParent").weak], extends: "Child"))
        func make(_ name: String) throws -> DynamicModel {
            DynamicModel(schema: try registry.schema(named: name), registry: registry)
        }
        let (child, plain, special) = (try make("SpecialChild"), try make("Parent"), try make("SpecialParent"))
        try plain.setValue(child, forKey: "child")
        #expect(child["parent"] == nil)
        try special.setValue(child, forKey: "child")
        #expect(child["parent", as: DynamicModel.self] === special)
    }
}
