import ModelTestSupport
import Pallium
import Testing

/// Clusters that choose by rules or by code.
struct RuleTests {
    private static func schemas(default fallback: ModelReference? = nil) -> [ModelSchema] {
        [
            ModelSchema(
                "Base", ["id": .integer],
                cluster: .rules(
                    [
                        .init([.equals("type", "x"), .present("extra")], "Both"),
                        .init([.equals("type", "x")], "Equal"),
                        .init([.kind("value", .number)], "Number"), .init([.kind("value", .null)], "Null"),
                        .init([.present("deep.list[1]")], "Deep"), .init([.equals("n", 1)], "One"),
                    ], default: fallback))
        ] + ["Both", "Equal", "Number", "Null", "Deep", "One", "Other"].map { ModelSchema($0, [:], extends: "Base") }
    }

    @Test(arguments: [
        (#"{"type":"x","extra":null}"#, "Both"), (#"{"extra":1,"type":"x"}"#, "Both"), (#"{"type":"x"}"#, "Equal"),
        (#"{"value":1.5}"#, "Number"), (#"{"value":null}"#, "Null"), (#"{"deep":{"list":[0,null]}}"#, "Deep"),
        (#"{"n":1.0}"#, "One"), (#"{"type":"x","value":1}"#, "Equal"),
    ]) func theFirstRuleThatHoldsDecides(text: String, name: String) throws {
        #expect(try Plain.adapter(Self.schemas()).model(from: text).schema.name == name)
    }

    @Test(arguments: ["{}", #"{"type":"y","value":"1"}"#, #"{"deep":{"list":[0]}}"#, #"{"n":"1"}"#])
    func withoutARuleItIsTheDefaultOrAnError(text: String) throws {
        #expect(try Plain.adapter(Self.schemas(default: "Other")).model(from: text).schema.name == "Other")
        let problem = try Plain.adapter(Self.schemas()).problem(of: text)
        #expect(problem?.code == .unknownModel)
        #expect(problem?.found == "an object that no rule matches")
    }

    @Test(.threat(.hostileDiscriminators)) func theObjectIsReadAsStrictlyAsWithoutACluster() throws {
        let adapter = try Plain.adapter(Self.schemas())
        #expect(adapter.problem(of: #"{"type":"x","id":"7"}"#)?.pointer?.description == "/id")
        #expect(adapter.problem(of: #"{"type":"x","id":01}"#)?.code == .malformedJSON)
    }

    @Test func aResolverSeesTheWholeObject() throws {
        let adapter = try Plain.adapter([
            ModelSchema(
                "Base", ["sides": .array(of: .integer)],
                cluster: .resolver { object in
                    switch object["sides"]?.arrayValue?.count {
                    case 3: "Triangle"
                    case 4: "Square"
                    case 0: throw FixtureError.refused
                    default: nil
                    }
                }), ModelSchema("Triangle", [:], extends: "Base"), ModelSchema("Square", [:], extends: "Base"),
        ])
        #expect(try adapter.model(from: #"{"x":0,"sides":[1,2,3]}"#).schema.name == "Triangle")
        #expect(try adapter.model(from: #"{"sides":[1,2,3,4]}"#).schema.name == "Square")
        #expect(adapter.problem(of: #"{"sides":[1]}"#)?.code == .unknownModel)
        let thrown = adapter.problem(of: #"{"sides":[]}"#)
        #expect(thrown?.code == .hookFailed)
        #expect(thrown?.underlying as? FixtureError == .refused)
        #expect(thrown?.schema == "Base")
        #expect(try adapter.roundTrip(#"{"sides":[1,2,3]}"#) == #"{"sides":[1,2,3]}"#)
    }

    @Test func aResolverMayNameItsOwnSchemaOrAClass() throws {
        let adapter = try Plain.adapter([
            ModelSchema("Base", [:], cluster: .resolver { $0["leaf"] == nil ? "Base" : "Leaf" }),
            ModelSchema("Leaf", [:], extends: "Base", cluster: .resolver { _ in "Leaf" }),
        ])
        #expect(try adapter.model(from: "{}").schema.name == "Base")
        #expect(try adapter.model(from: #"{"leaf":1}"#).schema.name == "Leaf")
    }

    @Test func aModelRegisteredAfterTheAdapterIsNotChosen() throws {
        let registry = SchemaRegistry()
        let base = ModelSchema("Base", [:], cluster: .resolver { _ in "Late" })
        try registry.register(base)
        let adapter = try JSONAdapter(schema: base, registry: registry)
        try registry.register(ModelSchema("Late", [:], extends: "Base"))
        let problem = #expect(throws: ModelError.self) { try adapter.model(from: "{}") }
        #expect(problem?.code == .unknownModel)
        #expect(throws: Never.self) { try JSONAdapter(schema: base, registry: registry).model(from: "{}") }
    }

    @Test func clustersInsideDeferredPropertiesAreChosenToo() throws {
        let adapter = try Plain.adapter(
            [
                ModelSchema(
                    "Holder",
                    [
                        "first": .model("Base").json("list[0]").readOnly,
                        "any": .model("Base").json(firstOf: ["x", "y"]),
                    ])
            ] + Self.schemas())
        let model = try adapter.model(from: #"{"list":[{"type":"x"}],"y":{"value":null}}"#)
        #expect(model["first", as: DynamicModel.self]?.schema.name == "Equal")
        #expect(model["any", as: DynamicModel.self]?.schema.name == "Null")
        #expect(adapter.problem(of: #"{"list":[{}]}"#)?.pointer?.description == "/list/0")
    }

    @Test func aPathThroughAScalarLeadsNowhere() throws {
        for text in [#"{"deep":5}"#, #"{"deep":{"list":{}}}"#, #"{"deep":[1]}"#, #"{"deep":null}"#] {
            #expect(try Plain.adapter(Self.schemas(default: "Other")).model(from: text).schema.name == "Other")
        }
    }

    @Test func whatAResolverThrowsIsTold() throws {
        let own = ModelError(.invalidValue, expected: "a better object", found: "this one")
        let adapter = try Plain.adapter([ModelSchema("Base", [:], cluster: .resolver { _ in throw own })])
        let problem = adapter.problem(of: "{}")
        #expect(problem?.code == .invalidValue && problem?.expected == "a better object")
        #expect(problem?.pointer?.description == "")
    }

    @Test func aResolverMayNameAClass() throws {
        let registry = SchemaRegistry()
        var base = ClusterModel.schema
        base.cluster = .resolver { object in
            object["bitter"] == nil ? .modelClass(StrawberryModel.self) : .modelClass(ChocolateModel.self)
        }
        try registry.register(base, ChocolateModel.chocolateSchema, StrawberryModel.strawberrySchema)
        let adapter = JSONAdapter(ClusterModel.self, registry: registry)
        #expect(try adapter.model(from: #"{"bitter":1}"#) is ChocolateModel)
        #expect(try adapter.model(from: "{}") is StrawberryModel)
        var stranger = base
        stranger.cluster = .resolver { _ in .modelClass(TestModel.self) }
        let other = try SchemaRegistry.of(stranger, ChocolateModel.chocolateSchema, StrawberryModel.strawberrySchema)
        let problem = #expect(throws: ModelError.self) {
            try JSONAdapter(ClusterModel.self, registry: other).model(from: "{}")
        }
        #expect(problem?.code == .unknownModel && problem?.found == "TestModel")
    }

    @Test func anErrorListsTheFirstDiscriminatorsOnly() throws {
        let entries = (0..<20).map { ModelCluster.Entry(.string("t\($0)"), "Leaf") }
        let adapter = try Plain.adapter([
            ModelSchema("Base", [:], cluster: .discriminator(path: "kind", models: entries, default: nil)),
            ModelSchema("Leaf", [:], extends: "Base"),
        ])
        let texts = (0..<12).map { #""t\#($0)""# }.joined(separator: ", ")
        #expect(adapter.problem(of: "{}")?.expected == #"one of \#(texts), … as the discriminator "kind""#)
    }
}
