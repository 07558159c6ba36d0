import Foundation
import Pallium
import PalliumCore
import TestSupport
import Testing

/// Which models and values can be archived, and for whom they open again.
@Suite struct ArchiverTests {
    private func registry(_ schemas: ModelSchema...) throws -> SchemaRegistry {
        let transformers = TransformerRegistry()
        try transformers.register(Point.transformer, as: "Point")
        let registry = SchemaRegistry(transformers: transformers)
        try registry.register(schemas)
        return registry
    }

    // MARK: Values that cannot be written

    private static func deep(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { value, _ in [value] } }

    @Test(arguments: [
        (
            PropertySchema.dictionary(of: .array(of: .json)), ["k": [deep(600)]] as any PropertyValue & Sendable,
            "/k/0", ModelError.Code.depthLimit
        ),
        (.json, deep(600), "", .depthLimit), (.array(of: .json), [deep(1), deep(600)], "/1", .depthLimit),
    ])
    func valuesWithoutAFormInTheArchiveAreRefusedWithTheirPlace(
        kind: PropertySchema, value: any PropertyValue & Sendable, place: String, code: ModelError.Code
    ) throws {
        let schema = ModelSchema("Model", ["a": kind, "next": .model("Model")])
        let registry = try registry(schema)
        let root = DynamicModel(schema: schema, registry: registry)
        let model = DynamicModel(schema: schema, registry: registry)
        try model.setValue(value, forKey: "a")
        try root.setValue(model, forKey: "next")
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(root) }
        #expect(error.code == code && error.pointer?.description == "/objects/1/a\(place)")
    }

    @Test func preservedMembersAreRefusedWhenTheyAreTooDeep() throws {
        let schema = ModelSchema("Model", ["a": .integer])
        let model = DynamicModel(schema: schema, registry: try registry(schema))
        model.preservedMembers = ["x": Self.deep(600)]
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == .depthLimit && error.pointer?.description == "/objects/0")
        model.preservedMembers = [:]
        #expect(try ArchiveParts(ModelArchiver().archive(model)).index == [1, 0, 0, 0, 1, 0])
    }

    @Test(arguments: [
        (Transformer(from: String.self, to: Point.self) { _, _ in Point(x: 0, y: 0) }, ModelError.Code.notReversible),
        (
            Transformer(from: Date.self, to: Point.self) { _, _ in
                Point(x: 0, y: 0)
            } reverse: { _, _ in
                Date(timeIntervalSince1970: 0)
            }, .notConvertible
        ),
    ])
    func customValuesNeedAFormInJSON(transformer: Transformer, code: ModelError.Code) throws {
        let transformers = TransformerRegistry()
        try transformers.register(transformer, as: "Point")
        let registry = SchemaRegistry(transformers: transformers)
        let schema = ModelSchema("Model", ["a": .custom(Point.self, transformer: "Point")])
        try registry.register(schema)
        let model = try DynamicModel(schema: schema, values: ["a": Point(x: 1, y: 2)], registry: registry)
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == code && error.pointer?.description == "/objects/0/a")
    }

    @Test func customValuesMayStandForNullAndForAnyJSON() throws {
        let transformers = TransformerRegistry()
        try transformers.register(
            Transformer(handlingNullFrom: JSONValue.self, to: Point.self) { json, _ in
                json.flatMap { json in json["x"]?.intValue.map { Point(x: $0, y: 0) } } ?? Point(x: -1, y: -1)
            } reverse: { point, _ in
                point.flatMap { $0.x < 0 ? nil : ["x": .number(JSONNumber($0.x))] }
            }, as: "Point")
        let registry = SchemaRegistry(transformers: transformers)
        let schema = ModelSchema("Model", ["a": .array(of: .custom(Point.self, transformer: "Point"))])
        try registry.register(schema)
        let points = [Point(x: 7, y: 0), Point(x: -1, y: -1)]
        let model = try DynamicModel(schema: schema, values: ["a": points], registry: registry)
        #expect(try roundTrip(model, registry)["a", as: [Point].self] == points)
    }

    // MARK: Graphs

    @Test func moreSchemasAndSharedModelsThanFitTheFirstTables() throws {
        let names = (0..<12).map { "S\($0)" }
        let registry = SchemaRegistry()
        try registry.register(
            [ModelSchema("S0", ["n": .integer, "all": .array(of: .model("S0"))])]
                + names.dropFirst().map { ModelSchema($0, ["own": .string], extends: "S0") })
        let models = try (0..<200).map { number in
            try DynamicModel(
                schema: registry.schema(named: names[number % 12]), values: ["n": number], registry: registry)
        }
        let root = DynamicModel(schema: try registry.schema(named: "S0"), registry: registry)
        try root.setValue(models + models, forKey: "all")
        let back = try #require(try roundTrip(root, registry).value(forKey: "all") as? [DynamicModel])
        #expect(back.count == 400)
        for number in 0..<200 {
            #expect(back[number] === back[number + 200])
            #expect(back[number]["n", as: Int.self] == number && back[number].schema.name == names[number % 12])
        }
    }

    @Test func aTransformerThatChangesTheGraphMeanwhileDoesNoHarm() throws {
        let transformers = TransformerRegistry()
        let calls = Failures()
        try transformers.register(
            Transformer(from: String.self, to: Point.self) { _, _ in
                Point(x: 0, y: 0)
            } reverse: { point, _ in
                calls.add("\(point.x)")
                return "\(point.x)"
            }, as: "Point")
        let registry = SchemaRegistry(transformers: transformers)
        let outer = ModelSchema(
            "Outer", ["name": .string, "inner": .model("Inner"), "more": .array(of: .model("Inner"))])
        try registry.register(outer, ModelSchema("Inner", ["at": .custom(Point.self, transformer: "Point")]))
        let model = DynamicModel(schema: outer, registry: registry)
        func inner(_ x: Int) throws -> DynamicModel {
            try DynamicModel(
                schema: registry.schema(named: "Inner"), values: ["at": Point(x: x, y: 0)], registry: registry)
        }
        try model.setValue(inner(1), forKey: "inner")
        try model.setValue([inner(2), inner(3)], forKey: "more")
        let back = try roundTrip(model, registry)
        #expect(calls.all == ["1", "2", "3"])
        #expect((try back.value(forKey: "more") as? [DynamicModel])?.count == 2)
    }

    private static let links = ModelSchema(
        "Links",
        [
            "own": .array(of: .model("Links")), "up": .model("Links").weak,
            "list": .array(of: .model("Links").nullable).archive(.conditional),
            "table": .dictionary(of: .array(of: .model("Links"))).archive(.conditional),
            "tags": .set(of: .model("Links")).default(json: []).archive(.conditional),
        ])

    @Test func conditionalCollectionsAreKeptIfAllTheirModelsAre() throws {
        let registry = try registry(Self.links)
        func make() -> DynamicModel { DynamicModel(schema: Self.links, registry: registry) }
        let (root, child, stranger) = (make(), make(), make())
        try root.setValue([child], forKey: "own")
        try root.setValue([child, nil] as [DynamicModel?], forKey: "list")
        try root.setValue(["k": [child, child]], forKey: "table")
        var back = try roundTrip(root, registry)
        let own = try #require(try back.value(forKey: "own") as? [DynamicModel])
        let list = try #require(try back.value(forKey: "list") as? [DynamicModel?])
        #expect(list.count == 2 && list[0] === own[0] && list[1] == nil)
        let table = try #require(try back.value(forKey: "table") as? [String: [DynamicModel]])
        #expect(table["k"]?.count == 2 && table["k"]?[0] === own[0])
        try root.setValue([child, stranger] as [DynamicModel?], forKey: "list")
        try root.setValue(["k": [child], "l": [stranger]], forKey: "table")
        back = try roundTrip(root, registry)
        #expect(try back.state(of: "list") == .null && back.state(of: "table") == .null)
    }

    @Test func aWeakLinkToAModelOfASchemaWithoutSuchLinksComesBack() throws {
        // The root is written before the archiver meets a schema for which it has to tell models apart.
        let root = ModelSchema("Root", ["child": .model("Child")])
        let child = ModelSchema("Child", ["root": .model("Root").weak])
        let registry = try registry(root, child)
        let model = DynamicModel(schema: root, registry: registry)
        let inner = DynamicModel(schema: child, registry: registry)
        try inner.setValue(model, forKey: "root")
        try model.setValue(inner, forKey: "child")
        let back = try roundTrip(model, registry)
        #expect(back["child", as: DynamicModel.self]?["root", as: DynamicModel.self] === back)
    }

    @Test func aCaseThatIsNoMoreIsUnknown() throws {
        func schema(_ cases: String...) -> ModelSchema {
            let states = EnumerationSchema(cases: cases.map { .init(.text($0)) }, unknown: .keep)
            return ModelSchema("Door", ["state": .enumeration(states)])
        }
        let old = try registry(schema("open", "ajar", "closed"))
        let adapter = try JSONAdapter(schema: old.schema(named: "Door"), registry: old)
        let new = try registry(schema("closed", "open"))
        for state in ["open", "ajar", "closed"] {
            let bytes = try ModelArchiver().archive(adapter.model(from: #"{"state":"\#(state)"}"#))
            let door = try new.schema(named: "Door")
            let model = try ModelUnarchiver(registry: new).unarchive(door, from: bytes)
            let text = try JSONAdapter(schema: door, registry: new).data(from: model)
            #expect(String(decoding: text, as: UTF8.self) == #"{"state":"\#(state)"}"#)
            let expected = try JSONAdapter(schema: door, registry: new).model(from: #"{"state":"\#(state)"}"#)
            #expect(model == expected)
        }
    }

    @Test func aConditionalDefaultComesBackAsOne() throws {
        let registry = try registry(Self.links)
        let model = try JSONAdapter(schema: Self.links, registry: registry).model(from: "{}")
        #expect(try model.state(of: "tags") == .defaulted)
        #expect(try roundTrip(model, registry).state(of: "tags") == .defaulted)
        // And through steps, where some objects have a way of their own.
        var schema = ModelSchema(
            "Links", properties: Self.links.properties.map { $0.key == "tags" ? .init("labels", $0.schema) : $0 })
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["tags": "labels"])]
        let later = try self.registry(schema)
        let back = try ModelUnarchiver(registry: later).unarchive(schema, from: ModelArchiver().archive(model))
        #expect(try back.state(of: "labels") == .defaulted)
    }

    @Test func aWeakLinkToAModelThatIsGoneIsLeftOut() throws {
        let registry = try registry(Self.links)
        let model = DynamicModel(schema: Self.links, registry: registry)
        func link() throws { try model.setValue(DynamicModel(schema: Self.links, registry: registry), forKey: "up") }
        try link()
        try model.unset("tags")
        #expect(model["up", as: DynamicModel.self] == nil)
        #expect(try ArchiveParts(ModelArchiver().archive(model)).index == [1, 0, 0, 0, 1, 0])
        #expect(try roundTrip(model, registry).value(forKey: "up") == nil)
    }

    @Test func conditionalValuesFollowStepsOfTheirOwnSchemaOnly() throws {
        func schemas(_ version: Int) -> [ModelSchema] {
            var changing = ModelSchema(
                "Changing", [version == 1 ? "old" : "new": .model("Root").archive(.conditional)], version: version)
            if version == 2 { changing.upgrades = [SchemaUpgrade(from: 1, renamed: ["old": "new"])] }
            return [
                ModelSchema("Root", ["a": .model("Changing"), "b": .model("Staying")]), changing,
                ModelSchema("Staying", ["same": .model("Root").archive(.conditional)]),
            ]
        }
        let (old, now) = (SchemaRegistry(), SchemaRegistry())
        try old.register(schemas(1))
        try now.register(schemas(2))
        func make(_ name: String) throws -> DynamicModel {
            DynamicModel(schema: try old.schema(named: name), registry: old)
        }
        let (root, changing, staying) = (try make("Root"), try make("Changing"), try make("Staying"))
        try root.setValue(changing, forKey: "a")
        try root.setValue(staying, forKey: "b")
        try changing.setValue(root, forKey: "old")
        try staying.setValue(root, forKey: "same")
        defer { root.unsetAll() }
        let back = try ModelUnarchiver(registry: now).unarchive(schemas(2)[0], from: ModelArchiver().archive(root))
        defer { back.unsetAll() }
        #expect(try back.value(forKeyPath: "a.new") as? DynamicModel === back)
        #expect(try back.value(forKeyPath: "b.same") as? DynamicModel === back)
    }

    // MARK: For whom they open

    @Test func whoAsksForWhatNobodyRegisteredIsTold() throws {
        let schema = ModelSchema("Model", ["a": .integer])
        let bytes = try ModelArchiver().archive(DynamicModel(schema: schema, registry: try registry(schema)))
        let empty = ModelUnarchiver(registry: SchemaRegistry())
        var error = #expect(throws: ModelError.self) { try empty.unarchive(schema, from: bytes) }
        #expect(error?.description == #"expected a registered schema but found "Model""#)
        error = #expect(throws: ModelError.self) { try empty.unarchive(Branch.self, from: bytes) }
        #expect(error?.description == "expected a schema registered for the class Branch but found none")
        error = #expect(throws: ModelError.self) { try empty.unarchive(arrayOf: DynamicModel.self, from: bytes) }
        #expect(error?.code == .unknownSchema)
        for allowed in [ModelReference.named("Model"), .modelClass(Branch.self)] {
            let unarchiver = ModelUnarchiver(registry: SchemaRegistry(), allowing: [allowed])
            error = #expect(throws: ModelError.self) { try unarchiver.unarchive(schema, from: bytes) }
            #expect(error?.code == .unknownSchema)
        }
    }

    @Test func allowedSchemasCanBeNamedByTheirClass() throws {
        let other = ModelSchema("Other", [:])
        let registry = try registry(Branch.schema, other)
        let bytes = try ModelArchiver().archive([Branch(registry: registry)])
        let unarchiver = ModelUnarchiver(
            registry: registry, allowing: [.modelClass(Branch.self), .modelClass(Branch.self)])
        #expect(try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes).map { $0 is Branch } == [true])
        let error = #expect(throws: ModelError.self) {
            try unarchiver.unarchive(
                arrayOf: DynamicModel.self,
                from: ModelArchiver().archive(DynamicModel(schema: other, registry: registry)))
        }
        #expect(error?.description == #"expected models of the allowed schemas but found the schema "Other""#)
    }

    @Test func aPropertyThatArchivesHoldNoLongerIsPassedOver() throws {
        let old = ModelSchema("Model", ["a": .integer, "b": .string])
        let now = ModelSchema("Model", ["a": .integer.archive(.excluded), "b": .string])
        let model = try DynamicModel(schema: old, values: ["a": 5, "b": "x"], registry: registry(old))
        let back = try ModelUnarchiver(registry: registry(now)).unarchive(now, from: ModelArchiver().archive(model))
        #expect(try back.state(of: "a") == .unset)
        #expect(back["b", as: String.self] == "x")
    }

    @Test func aPropertyThatIsRequiredNowMustHaveAValue() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let now = ModelSchema("Model", ["a": .integer.required])
        let model = DynamicModel(schema: old, registry: try registry(old))
        let error = try #require(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry(now)).unarchive(now, from: ModelArchiver().archive(model))
        }
        #expect(error.code == .missingProperty && error.pointer?.description == "/objects/0/a")
        #expect(error.found == "none")
    }

    @Test func aTransitoryModelIsArchivedIfTheSchemaSaysSo() throws {
        let schema = ModelSchema(
            "Model",
            [
                "kept": .model("Model").storage(.transitory).archive(.included),
                "left": .model("Model").storage(.transitory), "list": .array(of: .model("Model")).storage(.transitory),
            ])
        let registry = try registry(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        for key in ["kept", "left"] {
            try model.setValue(DynamicModel(schema: schema, registry: registry), forKey: key)
        }
        try model.setValue([DynamicModel(schema: schema, registry: registry)], forKey: "list")
        let back = try roundTrip(model, registry)
        #expect(back["kept", as: DynamicModel.self] != nil)
        #expect(try back.state(of: "left") == .unset && back.state(of: "list") == .unset)
    }

    // MARK: Steps

    @Test func aVersionThatTheSchemaHasNoStepsForIsTold() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let bytes = try ModelArchiver().archive(DynamicModel(schema: old, registry: try registry(old)))
        let now = ModelSchema("Model", ["a": .integer], version: 3)
        let error = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: registry(now)).unarchive(now, from: bytes)
        }
        #expect(error?.code == .olderVersion && error?.expected == "Model of version 3 or later")
    }

    @Test func aSchemaCanBeRenamedTwice() throws {
        var now = ModelSchema("Third", ["a": .integer], version: 3)
        now.upgrades = [
            SchemaUpgrade(from: 2, oldSchemaName: "Second"), SchemaUpgrade(from: 1, oldSchemaName: "First"),
        ]
        let registry = try registry(now)
        for (version, name) in [(1, "First"), (2, "Second"), (3, "Third")] {
            let old = ModelSchema(name, ["a": .integer], version: version)
            let model = try DynamicModel(schema: old, values: ["a": version], registry: self.registry(old))
            let back = try ModelUnarchiver(registry: registry).unarchive(now, from: ModelArchiver().archive(model))
            #expect(back["a", as: Int.self] == version)
        }
        let wrong = ModelSchema("First", ["a": .integer], version: 2)
        let bytes = try ModelArchiver().archive(DynamicModel(schema: wrong, registry: self.registry(wrong)))
        #expect(throws: ModelError.self) { try ModelUnarchiver(registry: registry).unarchive(now, from: bytes) }
    }

    @Test func aParentThatCameSinceHasNoStepsToTake() throws {
        let old = ModelSchema("Child", ["own": .string])
        var parent = ModelSchema("Parent", ["new": .integer.default(5)], version: 2)
        parent.upgrades = [SchemaUpgrade(from: 1) { _ in throw FixtureError.refused }]
        let now = ModelSchema("Child", ["own": .string], extends: "Parent")
        let model = try DynamicModel(schema: old, values: ["own": "x"], registry: registry(old))
        let back = try ModelUnarchiver(registry: registry(parent, now)).unarchive(
            now, from: ModelArchiver().archive(model))
        #expect(back["own", as: String.self] == "x" && back["new", as: Int.self] == 5)
    }

    @Test func whatCodeOfAStepThrowsKeepsItsPlace() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: old, values: ["a": 1], registry: registry(old)))
        func problem(_ now: ModelSchema) throws -> ModelError? {
            let registry = try registry(now)
            return #expect(throws: ModelError.self) {
                try ModelUnarchiver(registry: registry).unarchive(now, from: bytes)
            }
        }
        let own = ModelError(.invalidValue, expected: "a better value", found: "this one")
        var error = try problem(ModelSchema("Model", ["a": .integer.unarchived { _ in throw own }]))
        #expect(error?.code == .invalidValue && error?.pointer?.description == "/objects/0/a")
        error = try problem(ModelSchema("Model", ["a": .integer.unarchived { _ in throw FixtureError.refused }]))
        #expect(error?.code == .upgradeFailed && error?.underlying as? FixtureError == .refused)
        #expect(error?.pointer?.description == "/objects/0/a" && error?.property == "a")
        var now = ModelSchema("Model", ["a": .integer], version: 2)
        now.upgrades = [SchemaUpgrade(from: 1) { _ in throw own }]
        error = try problem(now)
        #expect(error?.code == .invalidValue && error?.pointer?.description == "/objects/0")
        #expect(error?.schema == "Model")
    }

    @Test func rulesOfAModelAreCheckedWhenItIsOpened() throws {
        let calls = Failures()
        let schema = ModelSchema(
            "Model",
            [
                "a": .integer.validate { (value: inout Int?, _) in
                    calls.add("validated \(value ?? 0)")
                }
            ]
        ).didDecode { _ in calls.add("decoded") }
        let registry = try registry(schema)
        let back = try roundTrip(DynamicModel(schema: schema, values: ["a": 5], registry: registry), registry)
        #expect(back["a", as: Int.self] == 5)
        #expect(calls.all.suffix(2) == ["validated 5", "decoded"])
    }

    @Test func aCaseThatIsNoMoreIsKeptOrRefused() throws {
        let old = ModelSchema(
            "Model", ["a": .enumeration(EnumerationSchema(cases: [.init(.text("x")), .init(.text("y"))]))])
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: old, values: ["a": "x"], registry: registry(old)))
        func open(_ unknown: EnumerationSchema.UnknownCasePolicy) throws -> DynamicModel {
            let now = ModelSchema(
                "Model", ["a": .enumeration(EnumerationSchema(cases: [.init(.text("y"))], unknown: unknown))])
            return try ModelUnarchiver(registry: registry(now)).unarchive(now, from: bytes)
        }
        #expect(try open(.keep)["a", as: String.self] == "x")
        #expect(try open(.fallback(.text("y")))["a", as: String.self] == "y")
        let error = #expect(throws: ModelError.self) { try open(.fail) }
        #expect(error?.code == .unknownCase && error?.pointer?.description == "/objects/0/a")
    }
}
