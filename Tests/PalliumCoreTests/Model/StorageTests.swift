import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Who sees a property")
struct StorageTests {
    private func keys(_ type: DynamicModel.Type, permanent: Bool) throws -> [String] {
        let layout = try #require(try SchemaRegistry.ofFixtures().layout(for: type))
        return layout.properties.filter { $0.isPermanent == permanent }.map(\.key)
    }

    @Test(.row("C003", "C004", "C005", "C013", "C021"))
    func storedPropertiesArePermanentUnlessTheSchemaSaysOtherwise() throws {
        #expect(
            try keys(StorageModel.self, permanent: true) == [
                "primitive", "assignProperty", "strongProperty", "shadowedInSubclass",
            ])
        // A weak link counts in no comparison: its model may be gone at any time.
        #expect(try keys(StorageModel.self, permanent: false) == ["weakProperty", "transitoryProperty"])
    }

    @Test(.row("C006", "C011", "C014", "C020"))
    func aPropertyThatIsNotStoredIsDocumentationOnly() throws {
        let model = StorageModel(registry: try .ofFixtures())
        #expect(model.schema.property("documented") != nil)
        #expect(model.values["documented"] == nil)
        #expect(throws: ModelError.self) { try model.setValue("x", forKey: "documented") }
        #expect(throws: ModelError.self) { try model.state(of: "documented") }
        #expect(!model.debugDescription.contains("documented"))
    }

    @Test(.row("C007", "C008", "C015", "C016"))
    func aSubclassHasTheKeysOfItsParentFirstAndARedeclaredOneOnce() throws {
        let layout = try #require(try SchemaRegistry.ofFixtures().layout(for: StorageSubModel.self))
        #expect(
            layout.properties.map(\.key) == [
                "primitive", "assignProperty", "strongProperty", "weakProperty", "transitoryProperty",
                "shadowedInSubclass",
                "own",
            ])
        #expect(layout.properties[5].isPermanent)
        #expect(layout.properties[5].schema.isRequired)
    }

    @Test(.row("C015"))
    func theKeysOfASubclassAreThoseOfItsParentAndItsOwn() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = SubTestModel(registry: registry)
        #expect(Set(model.values.keys) == ["name", "count", "nestedName", "weakModel", "role", "generation"])
    }

    @Test(.row("C017", "C019"))
    func aModelKeepsTheLayoutItWasMadeWith() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = TestModel(registry: registry)
        let layout = model.layout
        try registry.register(ModelSchema("Later", ["name": .integer]))
        #expect(model.layout === layout)
        #expect(TestModel(registry: registry).layout === layout)
    }

    @Test(.row("C021", "C049", "C057", "C064", "C067"))
    func aTransitoryPropertyIsCopiedButNeitherComparedNorShown() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = StorageModel(registry: registry)
        try model.setValue("a", forKey: "strongProperty")
        try model.setValue("t", forKey: "transitoryProperty")
        let copy = model.copy()
        #expect(try copy.value(forKey: "transitoryProperty") as? String == "t")
        try copy.setValue(nil, forKey: "transitoryProperty")
        #expect(copy == model)
        #expect(hash(copy) == hash(model))
        #expect(model.values.keys.contains("transitoryProperty"))
        #expect(model.description == "StorageModel(strongProperty: \"a\")")
        #expect(!model.debugDescription.contains("transitory"))
        #expect(Mirror(reflecting: model).children.map(\.label) == ["strongProperty"])
    }
}
