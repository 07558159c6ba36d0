import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Models that are shared, linked weakly, or archived only if something else is.
@Suite struct ArchivedGraphTests {
    private static let links = ModelSchema(
        "Links",
        [
            "own": .array(of: .model("Links")), "up": .model("Links").weak,
            "list": .array(of: .model("Links").nullable).archive(.conditional),
            "table": .dictionary(of: .array(of: .model("Links"))).archive(.conditional),
            "tags": .set(of: .model("Links")).default(json: []).archive(.conditional),
        ])

    @Test func moreSchemasAndSharedModelsThanFitTheFirstTables() throws {
        let names = (0..<12).map { "S\($0)" }
        let registry = try SchemaRegistry.of(
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

    /// An outer model that holds three others, one of them by itself, whose places a transformer writes.
    private func outer(writingPlaces write: @escaping @Sendable (Int) -> Void) throws -> (DynamicModel, SchemaRegistry)
    {
        let transformer = Transformer(from: String.self, to: Point.self) { _, _ in
            Point(x: 0, y: 0)
        } reverse: { point, _ in
            write(point.x)
            return "\(point.x)"
        }
        let outer = ModelSchema(
            "Outer", ["name": .string, "inner": .model("Inner"), "more": .array(of: .model("Inner"))])
        let inner = ModelSchema("Inner", ["at": .custom(Point.self, transformer: "Point")])
        let registry = try SchemaRegistry.of(outer, inner, transformers: ["Point": transformer])
        let places = try (1...3).map { x in
            try DynamicModel(schema: inner, values: ["at": Point(x: x, y: 0)], registry: registry)
        }
        let model = DynamicModel(schema: outer, registry: registry)
        try model.setValue(places[0], forKey: "inner")
        try model.setValue(Array(places[1...]), forKey: "more")
        return (model, registry)
    }

    @Test func everyCustomValueIsConvertedOnce() throws {
        let calls = Journal()
        let (model, registry) = try outer { calls.add("\($0)") }
        let back = try roundTrip(model, registry)
        #expect(calls.all == ["1", "2", "3"])
        #expect((try back.value(forKey: "more") as? [DynamicModel])?.count == 2)
    }

    @Test(arguments: 1...3) func aTransformerThatChangesTheGraphMeanwhileDoesNoHarm(place: Int) throws {
        // Only this thread knows it.
        nonisolated(unsafe) var graph: DynamicModel?
        let (model, registry) = try outer { if $0 == place { graph?.unsetAll() } }
        graph = model
        let archive = try ModelArchiver().archive(model)
        #expect(model["inner"] == nil && model["more"] == nil)
        let back = try ModelUnarchiver(registry: registry).unarchive(model.schema, from: archive)
        #expect(back.schema == model.schema)
    }

    @Test func aTransitoryModelIsArchivedIfTheSchemaSaysSo() throws {
        let schema = ModelSchema(
            "Model",
            [
                "kept": .model("Model").storage(.transitory).archive(.included),
                "left": .model("Model").storage(.transitory), "list": .array(of: .model("Model")).storage(.transitory),
            ])
        let registry = try SchemaRegistry.of(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        for key in ["kept", "left"] {
            try model.setValue(DynamicModel(schema: schema, registry: registry), forKey: key)
        }
        try model.setValue([DynamicModel(schema: schema, registry: registry)], forKey: "list")
        let back = try roundTrip(model, registry)
        #expect(back["kept", as: DynamicModel.self] != nil)
        #expect(try back.state(of: "left") == .unset && back.state(of: "list") == .unset)
    }

    @Test func aWeakTransitoryReferenceIsArchivedAsEveryWeakOne() throws {
        let schema = ModelSchema(
            "Model",
            [
                "strong": .model("Model"), "weak": .model("Model").weak.storage(.transitory),
                "left": .model("Model").weak.storage(.transitory).archive(.excluded),
            ])
        let registry = try SchemaRegistry.of(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        let inner = DynamicModel(schema: schema, registry: registry)
        let gone = DynamicModel(schema: schema, registry: registry)
        for key in ["strong", "weak", "left"] { try model.setValue(inner, forKey: key) }
        try inner.setValue(gone, forKey: "weak")
        let back = try roundTrip(model, registry)
        #expect(back["weak", as: DynamicModel.self] === back["strong", as: DynamicModel.self])
        #expect(back["strong", as: DynamicModel.self]?["weak", as: DynamicModel.self] == nil)
        #expect(try back.state(of: "left") == .unset)
        withExtendedLifetime(gone) {}
    }

    @Test func aWeakLinkToAModelOfASchemaWithoutSuchLinksComesBack() throws {
        // The root is written before the archiver meets a schema for which it has to tell models apart.
        let root = ModelSchema("Root", ["child": .model("Child")])
        let child = ModelSchema("Child", ["root": .model("Root").weak])
        let registry = try SchemaRegistry.of(root, child)
        let model = DynamicModel(schema: root, registry: registry)
        let inner = DynamicModel(schema: child, registry: registry)
        try inner.setValue(model, forKey: "root")
        try model.setValue(inner, forKey: "child")
        let back = try roundTrip(model, registry)
        #expect(back["child", as: DynamicModel.self]?["root", as: DynamicModel.self] === back)
    }

    @Test func aWeakLinkToAModelThatIsGoneIsLeftOut() throws {
        let registry = try SchemaRegistry.of(Self.links)
        let model = DynamicModel(schema: Self.links, registry: registry)
        try model.setValue(DynamicModel(schema: Self.links, registry: registry), forKey: "up")
        try model.unset("tags")
        #expect(model["up", as: DynamicModel.self] == nil)
        #expect(try ArchiveParts(ModelArchiver().archive(model)).index == [1, 0, 0, 0, 1, 0])
        #expect(try roundTrip(model, registry).value(forKey: "up") == nil)
    }

    @Test func conditionalCollectionsAreKeptIfAllTheirModelsAre() throws {
        let registry = try SchemaRegistry.of(Self.links)
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

    @Test func aConditionalDefaultComesBackAsOne() throws {
        let registry = try SchemaRegistry.of(Self.links)
        let model = try JSONAdapter(schema: Self.links, registry: registry).model(from: "{}")
        #expect(try model.state(of: "tags") == .defaulted)
        #expect(try roundTrip(model, registry).state(of: "tags") == .defaulted)
        // And through steps, where some objects have a way of their own.
        var schema = ModelSchema.named(
            "Links", properties: Self.links.properties.map { $0.key == "tags" ? .init("labels", $0.schema) : $0 })
        schema.version = 2
        schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["tags": "labels"])]
        let back = try reopen(ModelArchiver().archive(model), as: schema)
        #expect(try back.state(of: "labels") == .defaulted)
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
        let (old, now) = (try SchemaRegistry.of(schemas(1)), try SchemaRegistry.of(schemas(2)))
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
}
