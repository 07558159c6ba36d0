import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Merging, by the conformance table")
struct MergeRowTests {
    /// A registry of the fixtures in which the counts of two test models are added up when they are merged.
    private func registry() throws -> SchemaRegistry {
        var schema = TestModel.schema
        schema.properties = schema.properties.map { property in
            property.key == "count"
                ? ModelSchema.Property("count", .unsigned.default(1 as UInt).merge(MergePolicy("sum"))) : property
        }
        return try .of(
            EmptyModel.schema, schema, SubTestModel.subSchema,
            mergers: ["sum": Merger(UInt.self) { ($0.own ?? 0) + ($0.incoming ?? 0) }])
    }

    private func model(_ name: String, _ count: UInt, _ registry: SchemaRegistry) throws -> TestModel {
        try TestModel(values: ["name": name, "count": count], registry: registry)
    }

    private func subModel(_ registry: SchemaRegistry) throws -> SubTestModel {
        try SubTestModel(
            values: ["name": "bar", "count": 3 as UInt, "generation": 1, "role": "subclass"], registry: registry)
    }

    @Test(.row("C080", "C089"))
    func valuesAreTakenAndTheMergerDecidesAboutItsProperty() throws {
        let registry = try registry()
        let target = try model("foo", 5, registry)
        try target.merge(from: model("bar", 3, registry))
        #expect(target.name == "bar")
        #expect(target.count == 8)
    }

    @Test(.row("C081"))
    func aModelTakesTheCommonKeysOfASubclass() throws {
        let registry = try registry()
        let target = try model("foo", 5, registry)
        try target.merge(from: subModel(registry))
        #expect(target.name == "bar")
        #expect(target.count == 8)
    }

    @Test(.row("C082"))
    func aSubclassKeepsWhatItsParentDoesNotHave() throws {
        let registry = try registry()
        let target = try subModel(registry)
        try target.merge(from: model("foo", 5, registry))
        #expect(target.name == "foo")
        #expect(target.count == 8)
        #expect(target.generation == 1)
        #expect(target.role == "subclass")
    }

    @Test(.row("C083"))
    func unrelatedModelsMergeTheirCommonKeys() throws {
        let target = try SchemaRegistry.plainModel(["a": .string, "b": .integer(as: Int8.self)], name: "One")
        let source = try SchemaRegistry.plainModel(["b": .integer, "c": .string], name: "Other")
        target["a"] = "kept"
        source["b"] = 7
        try target.merge(from: source)
        #expect(target["a", as: String.self] == "kept")
        #expect(target["b", as: Int8.self] == 7)
        source["b"] = 300
        let error = #expect(throws: ModelError.self) { try target.merge(from: source) }
        #expect(error?.pointer?.description == "/b")
        #expect(target["b", as: Int8.self] == 7)
    }

    @Test(.row("C084", "C029"))
    func nullClearsAndWhatIsUnsetDoesNot() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let target = TestModel(registry: registry)
        target.name = "x"
        target.nestedName = "y"
        let source = TestModel(registry: registry)
        source.name = nil
        try target.merge(from: source)
        #expect(try target.state(of: "name") == .null)
        #expect(target.nestedName == "y")
    }

    @Test(.row("C085"))
    func transitoryPropertiesAndWeakLinksAreMerged() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let target = TestModel(registry: registry)
        let source = TestModel(registry: registry)
        let empty = EmptyModel(registry: registry)
        source.weakModel = empty
        #expect(try target.merge(from: source).isEmpty)
        #expect(target.weakModel === empty)
        let stored = StorageModel(registry: registry)
        let other = StorageModel(registry: registry)
        other["transitoryProperty"] = "t"
        try stored.merge(from: other)
        #expect(stored["transitoryProperty", as: String.self] == "t")
    }

    @Test(.row("C086", "C087"))
    func withoutASourceNothingChanges() throws {
        let target = TestModel(registry: try .ofFixtures())
        target.name = "x"
        #expect(try target.merge(from: nil).isEmpty)
        #expect(try target.merge("name", from: nil).isEmpty)
        #expect(target.name == "x")
    }

    @Test(.row("C088"))
    func aMergerIsAskedEvenWithoutASource() throws {
        let registry = try registry()
        let target = try model("foo", 5, registry)
        #expect(try target.merge("count", from: nil).isEmpty)
        #expect(target.count == 5)
        let changes = try target.merge("count", from: model("bar", 3, registry))
        #expect(target.count == 8)
        #expect(target.name == "foo")
        #expect(changes.map(\.decision) == [.combined])
    }

    @Test(.row("C091"))
    func whatAValidatorRefusesIsTakenBack() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let target = TestModel(registry: registry)
        target.name = "ada"
        target.count = 5
        let source = TestModel(registry: registry)
        source.count = 9
        source.name = "this is too long a name"
        let error = #expect(throws: ModelError.self) { try target.merge(from: source) }
        #expect(error?.code == .validationFailed)
        #expect(error?.pointer?.description == "/name")
        #expect(target.name == "ada")
        #expect(target.count == 5)
    }

    @Test(.row("C092"))
    func anUnknownKeyIsAnError() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let target = TestModel(registry: registry)
        #expect(throws: ModelError.self) { try target.merge("nmae", from: target.copy()) }
        let sub = SubTestModel(registry: registry)
        let error = #expect(throws: ModelError.self) { try sub.merge("role", from: target) }
        #expect(error?.code == .unknownKey)
    }

    @Test(.row("C093"))
    func nullForWhatCannotBeNullIsTheDefaultOrAnError() throws {
        let target = try SchemaRegistry.plainModel(
            ["count": .integer.default(1), "number": .integer.required], name: "Target")
        let source = try SchemaRegistry.plainModel(["count": .integer, "number": .integer], name: "Source")
        target["count"] = 5
        target["number"] = 7
        source["count"] = nil
        try target.merge(from: source)
        #expect(target["count", as: Int.self] == 1)
        #expect(try target.state(of: "count") == .defaulted)
        source["number"] = nil
        let error = #expect(throws: ModelError.self) { try target.merge(from: source) }
        #expect(error?.code == .nullNotAllowed)
        #expect(error?.pointer?.description == "/number")
        #expect(target["number", as: Int.self] == 7)
    }

    @Test(.row("C094"))
    func nestedModelsAndArraysAreReplacedUnlessAPolicySaysOtherwise() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let target = registry.node(1, next: registry.node(2, next: registry.node(3)))
        target.children = [registry.node(4)]
        let source = registry.node(1, next: registry.node(5))
        source.children = [registry.node(6), registry.node(7)]
        try target.merge(from: source)
        #expect(target.next === source.next)
        #expect(target.next?.next == nil)
        #expect(target.children?.map(\.label) == [6, 7])
    }
}
