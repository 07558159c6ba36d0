import PalliumCore
import PalliumJSON
import PalliumMerging
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

    @Test(.row("C006", "C011", "C014"))
    func aPropertyThatIsNotStoredIsDocumentationOnly() throws {
        let model = StorageModel(registry: try .ofFixtures())
        #expect(model.schema.property("documented") != nil)
        #expect(model.values["documented"] == nil)
        #expect(throws: ModelError.self) { try model.setValue("x", forKey: "documented") }
        #expect(throws: ModelError.self) { try model.state(of: "documented") }
        #expect(!model.debugDescription.contains("documented"))
    }

    @Test(.row("C007", "C015", "C016"))
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

    @Test(.row("C008"))
    func aPropertyRedeclaredForAProtocolStaysThePermanentOneOfTheParent() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(Plain.self, ["first": .string, "label": .string, "last": .string]),
            ModelSchema(Labelled.self, ["label": .string], extends: .modelClass(Plain.self)))
        let model = Labelled(registry: registry)
        let layout = model.layout
        #expect(layout.properties.map(\.key) == ["first", "label", "last"])
        #expect(layout.properties.allSatisfy { $0.isPermanent })
        // The accessor of the parent and the requirement of the protocol are one slot.
        let labelled: any HasLabel = model
        (model as Plain).label = "a"
        #expect(labelled.label == "a")
        let other = model.copy()
        #expect(model == other)
        other.label = "b"
        #expect(model != other)
        #expect(model.description == #"Labelled(label: "a")"#)
    }

    @Test(.row("C020"))
    func aPropertyThatIsNotStoredLeavesEveryPartOfTheModel() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Stored", ["a": .string, "gone": .string]),
            ModelSchema("Model", ["a": .string, "gone": .string.storage(.notStored)]))
        let model = try registry.make("Model", ["a": "x"])
        #expect(model.layout.properties.map(\.key) == ["a"])
        #expect(Set(model.values.keys) == ["a"])
        for access: () throws -> Void in [
            { _ = try model.value(forKey: "gone") }, { try model.setValue("y", forKey: "gone") },
            { _ = try model.state(of: "gone") }, { try model.unset("gone") },
            { _ = try model.value(forKeyPath: "gone") }, { try model.merge("gone", from: model.copy()) },
        ] {
            let error = #expect(throws: ModelError.self) { try access() }
            #expect(error?.code == .unknownKey)
        }
        let refused = #expect(throws: ModelError.self) {
            try DynamicModel(schema: model.schema, values: ["gone": "y"], registry: registry)
        }
        #expect(refused?.code == .unknownKey)
        #expect(model == model.copy())
        #expect(model.description == #"Model(a: "x")"#)
        #expect(Mirror(reflecting: model).children.map(\.label) == ["a"])
        try model.validate()
        model.trackChanges()
        #expect(model.changedKeys == [])
        // What a parent stores stays stored: its accessors read it.
        let error = #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema("Child", ["gone": .string.storage(.notStored)], extends: "Stored"))
        }
        #expect(error?.problems.map(\.message) == ["drops the storage of an inherited property"])
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

private protocol HasLabel { var label: String? { get } }

private class Plain: DynamicModel {
    final var label: String? {
        get { value() }
        set { set(newValue) }
    }
}

private final class Labelled: Plain, HasLabel {}
