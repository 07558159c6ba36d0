import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What Mantle's archives did, row by row.
@Suite struct ArchiveRowTests {
    /// The models of the table: a weak link, a value that archives leave out.
    private static let empty = ModelSchema("Empty", [:])
    private static func test(
        version: Int = 1,
        _ properties: KeyValuePairs<String, PropertySchema> = [
            "name": .string, "count": .integer.default(1), "nestedName": .string.archive(.excluded),
            "weakModel": .model("Empty").weak,
        ]
    ) -> ModelSchema {
        ModelSchema("Test", properties, version: version)
    }

    private let registry = SchemaRegistry()
    private let schema = Self.test()

    init() throws { try registry.register(Self.empty, schema) }

    private func make(_ values: [String: (any PropertyValue)?]) throws -> DynamicModel {
        try DynamicModel(schema: schema, values: values, registry: registry)
    }

    private func open(_ bytes: Data, in registry: SchemaRegistry? = nil, as other: ModelSchema? = nil) throws
        -> DynamicModel
    {
        try ModelUnarchiver(registry: registry ?? self.registry).unarchive(other ?? schema, from: bytes)
    }

    /// Reads what was archived with the schema of this suite by another.
    private func open(_ bytes: Data, as other: ModelSchema) throws -> DynamicModel {
        try open(bytes, in: .of(Self.empty, other), as: other)
    }

    @Test(.row("C310", "C314", "C326", "C339")) func whatASchemaExcludesIsNotArchived() throws {
        let model = try make(["name": "foobar", "count": 5, "nestedName": "fuzzbuzz"])
        let back = try open(ModelArchiver().archive(model))
        #expect(try back.state(of: "nestedName") == .unset)
        #expect(back != model)
        try model.setValue(nil, forKey: "nestedName")
        #expect(back == model)
    }

    /// Storage and archive are separate questions, with one rule: what is transitory is archived where the schema says
    /// so.
    @Test(.row("C021", "C325")) func whatIsTransitoryIsArchivedOnlyIfTheSchemaSaysSo() throws {
        func open(_ property: PropertySchema, _ value: any PropertyValue) throws -> PropertyState {
            let schema = Self.test(["value": property])
            let registry = try SchemaRegistry.of(Self.empty, schema)
            let model = try DynamicModel(schema: schema, values: ["value": value], registry: registry)
            return try roundTrip(model, registry).state(of: "value")
        }
        let other = DynamicModel(schema: Self.empty, registry: registry)
        let kinds: [(PropertySchema, any PropertyValue)] = [
            (.string, "x"), (.array(of: .string), ["x"]), (.model("Empty"), other),
            (.dictionary(of: .model("Empty")), ["k": other]),
        ]
        for (kind, value) in kinds {
            #expect(try open(kind, value) == .value)
            #expect(try open(kind.storage(.permanent), value) == .value)
            #expect(try open(kind.storage(.transitory), value) == .unset)
            #expect(try open(kind.storage(.transitory).archive(.included), value) == .value)
            #expect(try open(kind.archive(.excluded), value) == .unset)
        }
        // Nor is it read where an archive has it.
        let bytes = try archived(Self.test(["name": .string]), ["name": "x"])
        let now = Self.test(["name": .string.storage(.transitory)])
        #expect(try reopen(bytes, as: now).state(of: "name") == .unset)
    }

    /// The list says what may be in an archive, and nothing that the root reaches is added to it.
    @Test(.threat(.archiveTypeConfusion), .row("C336")) func aListOfSchemasAllowsNothingElse() throws {
        let schemas = [
            ModelSchema("Root", ["one": .model("Base")]), ModelSchema("Base", [:]),
            ModelSchema("Child", [:], extends: "Base"),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let child = DynamicModel(schema: schemas[2], registry: registry)
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: schemas[0], values: ["one": child], registry: registry))
        for (allowed, opens) in [
            (nil, true), (["Root", "Child"], true), (["Root", "Base"], false), (["Root"], false), (["Child"], false),
            ([], false),
        ] as [([ModelReference]?, Bool)] {
            let unarchiver = ModelUnarchiver(registry: registry, allowing: allowed)
            if opens {
                #expect(try unarchiver.unarchive(schemas[0], from: bytes).schema == schemas[0])
            } else {
                let error = try #require(throws: ModelError.self) { try unarchiver.unarchive(schemas[0], from: bytes) }
                #expect(error.code == .unknownModel)
                #expect(error.expected == "models of the allowed schemas")
            }
        }
    }

    @Test(.row("C315")) func aWeakLinkOutOfTheArchiveComesBackAsNull() throws {
        let other = DynamicModel(schema: Self.empty, registry: registry)
        let model = try make(["name": "foobar", "weakModel": other])
        let back = try open(ModelArchiver().archive(model))
        #expect(try back.value(forKey: "weakModel") == nil)
        withExtendedLifetime(other) {}
    }

    @Test(.row("C316")) func aWeakLinkIntoTheArchiveComesBack() throws {
        let other = DynamicModel(schema: Self.empty, registry: registry)
        let model = try make(["name": "foobar", "weakModel": other])
        let unarchiver = ModelUnarchiver(registry: registry, allowing: ["Test", "Empty"])
        for models in [[model, other], [other, model]] {
            let back = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: ModelArchiver().archive(models))
            #expect(back == models)
            let (test, empty) = models[0] === model ? (back[0], back[1]) : (back[1], back[0])
            #expect(try test.value(forKey: "weakModel") as? DynamicModel === empty)
        }
    }

    @Test(.row("C312", "C320")) func versionsCountFromOne() throws {
        #expect(Self.empty.version == 1)
    }

    @Test(.row("C317", "C323", "C327")) func hooksComputeValuesFromWhatWasStored() throws {
        let stored = ModelSchema("Test", ["mtl_name": .string, "count": .integer])
        let bytes = try archived(stored, ["mtl_name": "foobar", "count": 5])
        var schema = Self.test(
            version: 2,
            [
                "name": .string.unarchived { stored in stored["mtl_name"]?.text.map { .string("M: \($0)") } },
                "count": .integer,
                "length": .integer.archive(.excluded).unarchived { stored in
                    .integer(Int64(stored["mtl_name"]?.text?.utf8.count ?? 0))
                },
                "version": .integer.archive(.excluded).unarchived { stored in .integer(Int64(stored.version)) },
            ])
        schema.upgrades = [SchemaUpgrade(from: 1)]
        let back = try open(bytes, as: schema)
        #expect(back["name", as: String.self] == "M: foobar")
        #expect(back["count", as: Int.self] == 5)
        #expect(back["length", as: Int.self] == 6)
        #expect(back["version", as: Int.self] == 1)
    }

    @Test(.row("C318", "C341", "C342")) func anOldLayoutIsAStepInCode() throws {
        let stored = ModelSchema("Test", ["externalRepresentation": .jsonValue])
        let text: JSONValue = ["username": "foobar", "nested": ["name": "fuzzbuzz"], "count": "5"]
        let bytes = try archived(stored, ["externalRepresentation": text])
        var schema = Self.test(version: 2, ["name": .string, "count": .integer, "nestedName": .string])
        schema.upgrades = [
            SchemaUpgrade(from: 1, removed: ["externalRepresentation"]) { model in
                guard case .json(let old)? = model["externalRepresentation"] else { throw FixtureError.refused }
                model["name"] = old["username"]?.stringValue.map { .string($0) }
                model["nestedName"] = old["nested"]?["name"]?.stringValue.map { .string($0) }
                model["count"] = old["count"]?.stringValue.flatMap { Int64($0) }.map { .integer($0) }
            }
        ]
        let back = try open(bytes, as: schema)
        #expect(back["name", as: String.self] == "foobar")
        #expect(back["nestedName", as: String.self] == "fuzzbuzz")
        #expect(back["count", as: Int.self] == 5)
    }

    @Test(.row("C319")) func noKeyCollidesWithTheFormat() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Test", ["MTLModelVersion": .integer, "externalRepresentation": .string, "objects": .bool])
        try registry.register(schema)
        let model = try DynamicModel(
            schema: schema, values: ["MTLModelVersion": 7, "externalRepresentation": "x", "objects": true],
            registry: registry)
        #expect(try roundTrip(model, registry) == model)
    }

    @Test(.row("C328", "C332")) func whatAValidatorRefusesIsAnErrorWithItsPlace() throws {
        let bytes = try ModelArchiver().archive(make(["name": "far too long a name"]))
        let error = try #require(throws: ModelError.self) {
            try open(
                bytes,
                as: Self.test([
                    "name": .string.validate { (name: inout String?, _) in
                        if let length = name?.utf8.count, length >= 10 { throw FixtureError.nameTooLong }
                    }
                ]))
        }
        #expect(error.code == .validationFailed)
        #expect(error.pointer?.description == "/objects/0/name")
        #expect(error.underlying as? FixtureError == .nameTooLong)
    }

    @Test(.row("C329", "C330")) func propertiesComeAndGo() throws {
        let bytes = try ModelArchiver().archive(make(["name": "foobar", "count": 5]))
        let back = try open(
            bytes, as: Self.test(["count": .integer.default(9), "size": .integer.default(3), "new": .string]))
        #expect(back["count", as: Int.self] == 5)
        #expect(back["size", as: Int.self] == 3)
        #expect(try back.state(of: "size") == .defaulted)
        #expect(try back.state(of: "new") == .unset)
    }

    @Test func aRequiredPropertyThatTheArchiveDoesNotHaveIsAnError() throws {
        let bytes = try ModelArchiver().archive(make(["name": nil]))
        for key in ["name", "other"] {
            let schema = ModelSchema.named("Test", properties: [.init(key, .string.required)])
            let error = try #require(throws: ModelError.self) { try open(bytes, as: schema) }
            #expect(error.code == (key == "name" ? .nullNotAllowed : .missingProperty))
        }
        let schema = ModelSchema("Test", ["name": .string.required])
        let model = DynamicModel(schema: schema, registry: try .of(schema))
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == .missingProperty && error.pointer?.description == "/objects/0/name")
    }

    @Test(.threat(.archiveTypeConfusion), .row("C311", "C335", "C337", "C338", "C340"))
    func onlySchemasThatTheRootReachesAreAllowed() throws {
        let schemas = [
            ModelSchema("Root", ["list": .array(of: .dictionary(of: .model("Base")))]), ModelSchema("Base", [:]),
            ModelSchema("Child", ["x": .integer], extends: "Base"), ModelSchema("Other", [:]),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let child = try DynamicModel(schema: schemas[2], values: ["x": 1], registry: registry)
        let root = DynamicModel(schema: schemas[0], registry: registry)
        try root.setValue([["a": child]], forKey: "list")
        #expect(try roundTrip(root, registry) == root)
        let other = try ModelArchiver().archive(DynamicModel(schema: schemas[3], registry: registry))
        let error = try #require(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry).unarchive(schemas[0], from: other)
        }
        #expect(error.description == #"expected models that Root can hold but found the schema "Other""#)
        let both = try ModelArchiver().archive([root, child])
        let strict = ModelUnarchiver(registry: registry, allowing: ["Root"])
        #expect(throws: ModelError.self) { try strict.unarchive(arrayOf: DynamicModel.self, from: both) }
        #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry).unarchive(arrayOf: schemas[0], from: both)
        }
    }

    @Test func hooksRunOnceEverythingIsThere() throws {
        let registry = try Everything.registry()
        let calls = Journal()
        let schema = ModelSchema("Hooked", ["next": .model("Hooked"), "name": .string.required]).didDecode { model in
            let next = model["next", as: DynamicModel.self]
            calls.add("\(model["name", as: String.self] ?? "") \(next?["name", as: String.self] ?? "-")")
        }
        try registry.register(schema)
        let second = try DynamicModel(schema: schema, values: ["name": "b"], registry: registry)
        let first = try DynamicModel(schema: schema, values: ["name": "a", "next": second], registry: registry)
        try second.setValue(first, forKey: "next")
        defer { second.unsetAll() }
        let back = try roundTrip(first, registry)
        defer { back.unsetAll() }
        #expect(calls.all == ["b a", "a b"])
    }

    /// Also where the link is not in the archive.
    @Test(arguments: [PropertySchema.model("Parent").weak, .model("Parent").weak.archive(.excluded)])
    func parentsAreLinkedBeforeHooksRun(link: PropertySchema) throws {
        let registry = SchemaRegistry()
        let calls = Journal()
        let child = ModelSchema("Child", ["parent": link]).didDecode { model in
            calls.add(model["parent", as: DynamicModel.self] == nil ? "alone" : "linked")
        }
        let parent = ModelSchema("Parent", ["children": .array(of: .model("Child")).inverse("parent")])
        try registry.register(child, parent)
        let model = DynamicModel(schema: parent, registry: registry)
        try model.setValue([DynamicModel(schema: child, registry: registry)], forKey: "children")
        let back = try roundTrip(model, registry)
        #expect(calls.all == ["linked"])
        let children = try #require(try back.value(forKey: "children") as? [DynamicModel])
        #expect(children[0]["parent", as: DynamicModel.self] === back)
    }

    @Test func conditionalModelsComeBackIfSomethingElseHoldsThem() throws {
        let registry = try SchemaRegistry.of(Branch.schema)
        func branch(_ name: String) -> Branch {
            let branch = Branch(registry: registry)
            branch.name = name
            return branch
        }
        let (root, left, right, stranger) = (branch("root"), branch("left"), branch("right"), branch("stranger"))
        root.children = [left, right]
        left.parent = root
        right.parent = root
        left.favourite = right
        right.favourite = stranger
        defer { right.favourite = nil }
        let back: Branch = try ModelUnarchiver(registry: registry).unarchive(
            Branch.self, from: ModelArchiver().archive(root))
        let children = try #require(back.children)
        #expect(children.map(\.name) == ["left", "right"])
        #expect(children[0].parent === back && children[1].parent === back)
        #expect(children[0].favourite === children[1])
        #expect(children[1].favourite == nil)
    }
}
