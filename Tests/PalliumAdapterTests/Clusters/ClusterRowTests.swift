import ModelTestSupport
import Pallium
import Testing

/// Class clusters: section M of the conformance table.
@Suite(.threat(.hostileDiscriminators))
struct ClusterRowTests {
    @Test(.row("C188", "C225")) func theFlavorDecides() throws {
        let adapter = try entrances(ClusterModel.self)
        let chocolate = try adapter.model(from: #"{"flavor":"chocolate","chocolate_bitterness":"100"}"#)
        #expect((chocolate as? ChocolateModel)?.bitterness == 100)
        #expect(try adapter.text(of: chocolate) == #"{"flavor":"chocolate","chocolate_bitterness":"100"}"#)
        let strawberry = try adapter.model(from: #"{"flavor":"strawberry","strawberry_freshness":20}"#)
        #expect((strawberry as? StrawberryModel)?.freshness == 20)
        #expect(try adapter.text(of: strawberry) == #"{"flavor":"strawberry","strawberry_freshness":20}"#)
    }

    @Test(
        .row("C212", "C219", "C242"),
        arguments: [
            ModelCluster.discriminator("kind", ["other": "Other"]),
            .rules([.init([.present("a")], "Other")], default: nil),
            .discriminator("kind", ["base": "Base"], default: "Other"), .discriminator("kind", ["nobody": "Nobody"]),
        ]) func onlyDescendantsMayBeNamed(cluster: ModelCluster)
    {
        #expect(Plain.problems([ModelSchema("Base", [:], cluster: cluster), ModelSchema("Other", [:])]).count == 1)
    }

    @Test(.row("C212", "C217", "C219"), arguments: ["Other", "Nobody", "Parent"])
    func aResolverMayOnlyNameADescendant(name: String) throws {
        let adapter = try Plain.adapter([
            ModelSchema("Base", [:], extends: "Parent", cluster: .resolver { _ in .named(name) }),
            ModelSchema("Parent", [:]), ModelSchema("Other", [:]),
        ])
        let problem = adapter.problem(of: "{}")
        #expect(problem?.code == .unknownModel)
        #expect(problem?.pointer?.description == "")
    }

    @Test(.row("C213", "C224")) func nothingNamedIsAnErrorWithItsPlace() throws {
        let adapter = try entrances(ClusterModel.self)
        #expect(
            adapter.sentence(of: "{}")
                == #"expected one of "chocolate", "strawberry" as the discriminator "flavor" but found none at the root (1:1)"#
        )
        #expect(adapter.problem(of: "{}")?.code == .unknownModel)
    }

    @Test(.row("C214")) func theSchemaMayNameItself() throws {
        let adapter = try Plain.adapter([
            ModelSchema(
                "Base", ["kind": .string, "a": .integer],
                cluster: .discriminator("kind", ["base": "Base", "leaf": "Leaf"])),
            ModelSchema("Leaf", ["b": .integer], extends: "Base"),
        ])
        #expect(try adapter.model(from: #"{"kind":"base","a":1}"#).schema.name == "Base")
        #expect(try adapter.model(from: #"{"kind":"leaf","b":1}"#).schema.name == "Leaf")
    }

    private static let nested = [
        ModelSchema(
            "Shape", ["kind": .string], cluster: .discriminator("kind", ["round": "Round", "square": "Square"])),
        ModelSchema("Square", ["side": .integer], extends: "Shape"),
        ModelSchema(
            "Round", ["form": .string], extends: "Shape",
            cluster: .discriminator("form", ["circle": "Circle", "oval": "Oval"])),
        ModelSchema("Circle", ["radius": .integer], extends: "Round"),
        ModelSchema("Oval", ["axes": .array(of: .integer)], extends: "Round"),
    ]

    @Test(
        .row("C215"),
        arguments: [
            (#"{"kind":"square","side":2}"#, "Square"), (#"{"kind":"round","form":"circle","radius":1}"#, "Circle"),
            (#"{"kind":"round","form":"oval","axes":[1,2]}"#, "Oval"),
        ]) func clustersNest(text: String, name: String) throws
    {
        let adapter = try Plain.adapter(Self.nested)
        let model = try adapter.model(from: text)
        #expect(model.schema.name == name)
        #expect(try adapter.text(of: model) == text)
    }

    @Test(.row("C215"), arguments: [#"{"kind":"round"}"#, #"{"kind":"round","form":"x"}"#, #"{"form":"circle"}"#])
    func everyClusterMustBeAnswered(text: String) throws {
        #expect(try Plain.adapter(Self.nested).problem(of: text)?.code == .unknownModel)
    }

    @Test(.row("C216")) func aLeafAskedForDirectlyRefusesAnothersText() throws {
        let adapter = try entrances(ChocolateModel.self)
        #expect(try adapter.model(from: #"{"flavor":"chocolate","chocolate_bitterness":"1"}"#).bitterness == 1)
        #expect(try adapter.model(from: #"{"chocolate_bitterness":"1"}"#).bitterness == 1)
        let problem = adapter.problem(of: #"{"flavor":"strawberry"}"#)
        #expect(problem?.code == .unknownModel)
        #expect(problem?.pointer?.description == "/flavor")
        let unknown = adapter.problem(of: #"{"flavor":"mint"}"#)
        #expect(unknown?.code == .unknownModel)
        #expect(unknown?.pointer?.description == "/flavor")
    }

    @Test(.row("C218"), arguments: ["null", "[]", #""x""#, "1"]) func theResolverSeesObjectsOnly(value: String) throws {
        let adapter = try Plain.adapter([
            ModelSchema("Parent", ["child": .model("Base").required]),
            ModelSchema(
                "Base", [:],
                cluster: .resolver { _ in
                    Issue.record("the resolver was asked")
                    return nil
                }),
        ])
        #expect(adapter.problem(of: #"{"child":\#(value)}"#)?.pointer?.description == "/child")
    }

    @Test(.row("C220")) func aDescendantWithAWrongMappingIsFoundAtRegistration() {
        #expect(
            Plain.problems([
                ModelSchema("Base", ["a": .integer], cluster: .discriminator("kind", ["leaf": "Leaf"])),
                ModelSchema("Leaf", ["b": .integer.json("a")], extends: "Base"),
            ]).count == 1)
    }

    @Test(.row("C222")) func whatAClusterReadItWrites() throws {
        let adapter = try entrances(ClusterModel.self)
        let text = #"{"flavor":"chocolate","chocolate_bitterness":"7"}"#
        let model = try adapter.model(from: text)
        #expect(try adapter.text(of: model) == text)
    }

    @Test(.row("C223", "C224")) func arraysAndDictionariesMixSubclasses() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let schema = ModelSchema(
            "Freezer",
            [
                "all": .array(of: .model(ClusterModel.self)), "named": .dictionary(of: .model(ClusterModel.self)),
                "best": .model(ClusterModel.self),
            ])
        try registry.register(schema)
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: registry))
        let text = """
            {"all":[{"flavor":"strawberry","strawberry_freshness":1},{"flavor":"chocolate"}],\
            "named":{"x":{"flavor":"chocolate","chocolate_bitterness":"2"}},"best":{"flavor":"strawberry"}}
            """
        let model = try adapter.model(from: text)
        #expect(
            model["all", as: [ClusterModel].self]?.map { "\(type(of: $0))" } == ["StrawberryModel", "ChocolateModel"])
        #expect(model["best", as: ClusterModel.self] is StrawberryModel)
        #expect(try adapter.text(of: model) == text)
        #expect(
            adapter.problem(of: #"{"all":[{"flavor":"chocolate"},{"flavor":"mint"}]}"#)?.pointer?.tokens.prefix(2) == [
                "all", "1",
            ])
        #expect(adapter.problem(of: #"{"named":{"y":{}}}"#)?.pointer?.description == "/named/y")
    }
}
