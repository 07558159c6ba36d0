import PalliumCore
import PalliumJSON
import PalliumMerging
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
            mergers: ["sum": Merger(UInt.self) { ($0.target ?? 0) + ($0.source ?? 0) }])
    }

    private func model(_ name: String, _ count: UInt, _ registry: SchemaRegistry) throws -> TestModel {
        try TestModel(values: ["name": name, "count": count], registry: registry)
    }

    private func subModel(_ registry: SchemaRegistry) throws -> SubTestModel {
        try SubTestModel(
            values: ["name": "bar", "count": 3 as UInt, "generation": 1, "role": "subclass"], registry: registry)
    }

    @Test(.row("C080"))
    func valuesAreTakenAndTheMergerDecidesAboutItsProperty() throws {
        let registry = try registry()
        let target = try model("foo", 5, registry)
        try target.merge(from: model("bar", 3, registry))
        #expect(target.name == "bar")
        #expect(target.count == 8)
    }

    @Test(.row("C089"))
    func theMergerOfTheTargetsSchemaSeesBothModelsAndReturnsTheValue() throws {
        let told = Lock<[String]>([])
        func merger(_ name: String) -> Merger {
            Merger(Int.self) { values in
                func text(_ model: ReadOnlyModel?) throws -> String {
                    guard let model else { return "none" }
                    let note = model["note", as: String.self] ?? "nil"
                    return try "\(model.schema.name) \(note) \(model.value(forKey: "count") ?? "nil")"
                        + " \(model.state(of: "late"))"
                }
                let line = try "\(name): \(text(values.targetModel)), \(text(values.sourceModel))"
                told.withLock { $0.append(line) }
                return (values.target ?? 0) * 10 + (values.source ?? 0)
            }
        }
        func properties(_ merger: String) -> KeyValuePairs<String, PropertySchema> {
            ["note": .string, "count": .integer.merge(MergePolicy(merger)), "late": .integer]
        }
        let registry = try SchemaRegistry.of(
            ModelSchema("Base", properties("base")),
            ModelSchema("Leaf", ["count": .integer.merge(MergePolicy("leaf"))], extends: "Base"),
            mergers: ["base": merger("base"), "leaf": merger("leaf")])
        let target = try registry.make("Base", ["note": "old", "count": 1])
        let source = try registry.make("Leaf", ["note": "new", "count": 2, "late": 3])
        try target.merge(from: source)
        // Neither what was merged before the property nor what comes after it was taken when the merger ran.
        #expect(told.withLock { $0 } == ["base: Base old 1 unset, Leaf new 2 value"])
        #expect(target.description == #"Base(note: "new", count: 12, late: 3)"#)
        #expect(source["count", as: Int.self] == 2)
        try source.merge("count", from: nil)
        #expect(told.withLock { $0 }.last == "leaf: Leaf new 2 value, none")
        #expect(source["count", as: Int.self] == 20)
    }

    @Test func aMergerSeesWhatAnEarlierMentionBrought() throws {
        let told = Lock<[String]>([])
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "Part", ["id": .integer, "note": .string, "count": .integer.merge(MergePolicy("told"))],
                identity: ["id"]),
            ModelSchema(
                "Pair", ["left": .model("Part").merge(.recurse), "right": .model("Part").merge(.recurse)]),
            mergers: [
                "told": Merger(Int.self) { values in
                    let note = try values.targetModel.value(forKey: "note") ?? "nil"
                    let line = "\(note) \(values.targetModel["note", as: String.self] ?? "nil") \(values.target ?? 0)"
                    told.withLock { $0.append(line) }
                    return values.source
                }
            ])
        let part = try registry.make("Part", ["id": 1, "note": "a", "count": 1])
        let twice = try registry.make("Pair", ["left": part, "right": part])
        let source = try registry.make(
            "Pair",
            [
                "left": registry.make("Part", ["id": 1, "note": "b", "count": 2]),
                "right": registry.make("Part", ["id": 1, "note": "c", "count": 3]),
            ])
        try twice.merge(from: source)
        #expect(told.withLock { $0 } == ["a a 1", "b b 2"])
        #expect(part.description == #"Part(id: 1, note: "c", count: 3)"#)
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

    /// Two schemas that extend one, and two that have the same keys and nothing to do with each other.
    private func places() throws -> SchemaRegistry {
        try .of(
            ModelSchema("Place", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema("Shop", ["size": .integer, "open": .bool], extends: "Place"),
            ModelSchema("Stall", ["size": .integer, "days": .integer], extends: "Place"),
            ModelSchema("Review", ["id": .integer, "name": .string], identity: ["id"]),
            ModelSchema("Visit", ["place": .model("Place").merge(.recurse), "id": .integer]))
    }

    @Test(.row("C083"))
    func modelsWithACommonAncestorMergeTheirCommonKeys() throws {
        let registry = try places()
        let shop = try registry.make("Shop", ["id": 1, "name": "a", "open": true])
        try shop.merge(from: registry.make("Stall", ["id": 1, "name": "b", "size": 7, "days": 2]))
        #expect(shop.description == #"Shop(id: 1, name: "b", size: 7, open: true)"#)
        try shop.merge(from: registry.make("Place", ["name": "c"]))
        #expect(shop["name", as: String.self] == "c")
    }

    @Test(.row("C083"))
    func twoVersionsOfASchemaMergeTheirCommonKeys() throws {
        let target = try SchemaRegistry.plainModel(["a": .string, "b": .integer(as: Int8.self)], name: "One")
        let source = try SchemaRegistry.plainModel(["b": .integer, "c": .string], name: "One")
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

    @Test(.row("C083"))
    func aModelWithoutACommonAncestorIsRefused() throws {
        let registry = try places()
        let review = try registry.make("Review", ["id": 1, "name": "good"])
        for (schema, values) in [("Shop", ["id": 2, "name": "b"]), ("Visit", ["id": 3])]
            as [(String, [String: any PropertyValue])]
        {
            let other = try registry.make(schema, values)
            review.trackChanges()
            for merge in [
                { try review.merge(from: other) }, { try review.merge("id", from: other) },
                { try review.rebase(onto: other) },
            ] as [() throws -> ModelChanges] {
                let error = #expect(throws: ModelError.self) { try merge() }
                #expect(error?.code == .typeMismatch)
                #expect(error?.found == "a model of \(schema)")
                #expect(review.description == #"Review(id: 1, name: "good")"#)
            }
            review.stopTrackingChanges()
            #expect(throws: ModelError.self) { try review.rebase(onto: other) }
            #expect(!review.isTrackingChanges)
        }
    }

    @Test(.row("C083"))
    func anotherLeafReplacesANestedModelInsteadOfMergingIntoIt() throws {
        let registry = try places()
        let shop = try registry.make("Shop", ["id": 1, "name": "a"])
        let visit = try registry.make("Visit", ["place": shop])
        let stall = try registry.make("Stall", ["id": 1, "name": "b"])
        try visit.merge(from: registry.make("Visit", ["place": stall]))
        #expect(visit.model("place") === stall)
        #expect(shop["name", as: String.self] == "a")
    }

    @Test(.row("C083"))
    func aNestedModelOfAnUnrelatedSchemaIsRefused() throws {
        let registry = try places()
        let visit = try registry.make("Visit", ["place": registry.make("Shop", ["id": 1, "name": "a"])])
        let other = try SchemaRegistry.of(
            ModelSchema("Review", ["id": .integer, "name": .string]),
            ModelSchema("Visit", ["place": .model("Review").merge(.recurse)]))
        let source = try other.make("Visit", ["place": other.make("Review", ["id": 2, "name": "b"])])
        let error = #expect(throws: ModelError.self) { try visit.merge(from: source) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.pointer?.description == "/place")
        #expect(visit.model("place")?.description == #"Shop(id: 1, name: "a")"#)
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
            ["count": .integer.default(1), "number": .integer.required], name: "Counter")
        let source = try SchemaRegistry.plainModel(["count": .integer, "number": .integer], name: "Counter")
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
