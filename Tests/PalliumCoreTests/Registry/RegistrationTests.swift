import Observation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Registration")
struct RegistrationTests {
    @Test(.threat(.registryRaces)) func theSameValueTwiceDoesNothing() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let before = registry.schemas.map(\.name)
        let layout = registry.layout(for: Node.self)
        try registry.register(Node.schema, TestModel.schema, Node.schema)
        #expect(registry.schemas.map(\.name) == before)
        #expect(registry.layout(for: Node.self) === layout)
    }

    @Test(.threat(.registryRaces)) func anotherValueOfARegisteredNameIsAnErrorAndChangesNothing() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let error = #expect(throws: SchemaError.self) {
            try registry.register(ModelSchema("New", [:]), ModelSchema(Node.self, ["label": .string]))
        }
        #expect(error?.description.hasPrefix("Node: another schema of this name is registered") == true)
        #expect(try registry.schema(for: Node.self) == Node.schema)
        #expect(throws: ModelError.self) { try registry.schema(named: "New") }
    }

    @Test func schemasThatReferToOneAnotherAreRegisteredInOneCall() throws {
        let registry = SchemaRegistry()
        #expect(throws: SchemaError.self) { try registry.register(User.schema) }
        try registry.register(User.schema, Group.schema)
        let user = User(registry: registry)
        user.groups = [Group(registry: registry)]
        #expect(user.groups?.count == 1)
    }

    @Test func aSchemaIsFoundByNameAndByClass() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(try registry.schema(named: "Node") == Node.schema)
        #expect(try registry.schema(for: Node.self) == Node.schema)
        let error = #expect(throws: ModelError.self) { try registry.schema(named: "Nod") }
        #expect(error?.code == .unknownSchema)
        #expect(error?.suggestion == "Node")
    }

    /// Whether models are observed is inherited, and a class that conforms may say it again.
    @Test func schemasClassesAndAncestorsMakeModelsObserved() throws {
        final class Plain: DynamicModel {}
        class Seen: DynamicModel, Observable {}
        final class Child: Seen {}
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(Plain.self, [:]), ModelSchema("Said", [:], extends: "Plain", isObserved: true),
            ModelSchema("Inherited", [:], extends: "Said"),
            ModelSchema("Again", [:], extends: "Said", isObserved: true),
            ModelSchema(Seen.self, [:]), ModelSchema(Child.self, [:], extends: Seen.self, isObserved: true),
            ModelSchema("OfSeen", [:], extends: "Seen"))
        let observed = try registry.schemas.filter { try registry.layout(named: $0.name).isObserved }
        #expect(observed.map(\.name) == ["Said", "Inherited", "Again", "Seen", "Child", "OfSeen"])
        let other = SchemaRegistry()
        try other.register(ModelSchema(Seen.self, [:], isObserved: true))
        #expect(other.layout(for: Seen.self)?.isObserved == true)
    }

    @Test func namesAreComparedAsBytes() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("caf\u{E9}", ["a": .bool]), ModelSchema("cafe\u{301}", ["b": .bool]))
        #expect(try registry.schema(named: "caf\u{E9}").properties[0].key == "a")
        #expect(try registry.schema(named: "cafe\u{301}").properties[0].key == "b")
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(ModelSchema.Property(composed, .string) != ModelSchema.Property(decomposed, .string))
        #expect(ModelSchema.Property(composed, .string) == ModelSchema.Property("\u{E9}", .string))
    }

    @Test func anUnregisteredSubclassIsAnErrorNotItsParent() throws {
        final class Stranger: TestModel {}
        let registry = try SchemaRegistry.ofFixtures()
        let error = #expect(throws: ModelError.self) { try registry.schema(for: Stranger.self) }
        #expect(error?.code == .unknownSchema)
        #expect(registry.layout(for: Stranger.self) == nil)
    }

    @Test func aChildMayTightenWhatItInherits() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let parent = ModelSchema("Parent", ["a": .string, "b": .model(TestModel.self), "c": .integer.default(1)])
        let child = ModelSchema(
            "Child", ["own": .bool, "b": .model(SubTestModel.self), "a": .string.required], extends: "Parent")
        try registry.register(child, parent)
        let layout = try registry.layout(named: "Child")
        #expect(layout.properties.map(\.key) == ["a", "b", "c", "own"])
        #expect(layout.parent === (try registry.layout(named: "Parent")))
        #expect(layout.properties[0].schema.isRequired)
        let model = DynamicModel(schema: child, registry: registry)
        let error = #expect(throws: ModelError.self) { try model.setValue(TestModel(registry: registry), forKey: "b") }
        #expect(error?.code == .typeMismatch)
        try model.setValue(SubTestModel(registry: registry), forKey: "b")
    }

    @Test(arguments: [
        (PropertySchema.integer, "changes the inherited kind string to integer; keep the kind, or choose another key"),
        (
            .string.nullable,
            "allows null where the parent does not; make it required, give it a default, or refuse null"
        ),
        (.string.notNull, "may be absent where the parent may not; make it required or give it a default"),
        (.string.required.storage(.notStored), "drops the storage of an inherited property"),
    ])
    func aChildMayNotLoosenWhatItInherits(_ property: PropertySchema, _ problem: String) {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                ModelSchema("Parent", ["a": .string.required]), ModelSchema("Child", ["a": property], extends: "Parent")
            )
        }
        #expect(error?.problems.contains { $0.description == "Child.a: " + problem } == true)
    }

    @Test func aChildMayNotNameAnUnrelatedModel() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let error = #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema("Parent", ["a": .model(TestModel.self)]),
                ModelSchema("Child", ["a": .model(Node.self)], extends: "Parent"))
        }
        #expect(
            error?.description
                == "Child.a: narrows a model of TestModel to Node, which is no descendant; name a descendant of TestModel"
        )
    }

    @Test func readOnlyPropertiesMayShareAPath() throws {
        try SchemaRegistry().register(
            ModelSchema(
                "S",
                [
                    "a": .string.json("x"), "b": .string.json("x").readOnly, "c": .string.json("x.y[0]").readOnly,
                    "d": .string.json(firstOf: ["d", "x"]), "e": .string.local, "f": .string.json("z.a"),
                    "g": .string.json("z.b"), "h": .string.json(#"z\.b"#),
                ]))
    }

    @Test func anUpgradeForEveryVersionIsAccepted() throws {
        var schema = ModelSchema("S", [:], version: 4)
        schema.upgrades = [SchemaUpgrade(from: 3), SchemaUpgrade(from: 2)]
        try SchemaRegistry().register(schema)
    }

    @Test func anInverseThatIsAWeakLinkIsAccepted() throws {
        try SchemaRegistry().register(
            ModelSchema("Parent", ["children": .array(of: .model("Child")).inverse("parent")]),
            ModelSchema("Child", ["parent": .model("Parent").weak]))
    }

    @Test func customKindsHaveNamesOfTheirOwn() throws {
        let registry = SchemaRegistry()
        let kind = PropertyKind.Custom(Point.self, transformer: "Point")
        try registry.register(kind)
        try registry.register(kind)
        #expect(registry.customKind(named: "Point") == kind)
        #expect(throws: SchemaError.self) {
            try registry.register(PropertyKind.Custom(Point.self, transformer: "Other"))
        }
        #expect(throws: SchemaError.self) {
            try registry.register(PropertyKind.Custom(Point.self, name: "string", transformer: "Point"))
        }
    }

    @Test func refusedSchemasLeaveNothingInMemory() throws {
        final class Mark: Sendable {}
        weak var mark: Mark?
        let registry = SchemaRegistry()
        do {
            let kept = Mark()
            mark = kept
            #expect(throws: SchemaError.self) {
                try registry.register(
                    ModelSchema(
                        "Refused",
                        [
                            "other": .model("Other").default(json: ["self": ["text": "x"]]),
                            "wrong": .url.default(json: ""),
                        ]
                    ).didDecode { _ in withExtendedLifetime(kept) {} },
                    ModelSchema("Other", ["text": .string, "self": .model("Child"), "holder": .model("Refused")]),
                    ModelSchema("Child", ["list": .array(of: .model("Refused"))], extends: "Other"))
            }
        }
        #expect(mark == nil)
        #expect(registry.schemas.isEmpty)
    }

    @Test func aLongLineOfAncestorsIsAcceptedToItsLimit() throws {
        func line(_ count: Int) -> [ModelSchema] {
            (0..<count).map { ModelSchema("S\($0)", ["p\($0)": .bool], extends: $0 == 0 ? nil : .named("S\($0 - 1)")) }
        }
        let registry = SchemaRegistry()
        try registry.register(line(60))
        #expect(try registry.layout(named: "S59").properties.count == 60)
        #expect(throws: SchemaError.self) { try SchemaRegistry().register(line(100)) }
    }

    @Test func aThousandSchemasOfAThousandPropertiesInAllAreRegistered() throws {
        let registry = SchemaRegistry()
        try registry.register((0..<1000).map { ModelSchema("S\($0)", ["next": .model("S\(($0 + 1) % 1000)")]) })
        #expect(registry.schemas.count == 1000)
    }
}
