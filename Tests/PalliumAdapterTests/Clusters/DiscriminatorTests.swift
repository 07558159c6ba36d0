import ModelTestSupport
import Pallium
import Testing

/// Where a discriminator stands in its object, and what it may be.
@Suite(.threat(.hostileDiscriminators))
struct DiscriminatorTests {
    private static func schemas(default fallback: ModelReference? = nil, path: String = "kind") -> [ModelSchema] {
        [
            ModelSchema(
                "Base", ["id": .integer, "filler": .string, "list": .jsonValue],
                cluster: .discriminator(path, ["a": "A", "b": "B", 7: "Seven"], default: fallback)),
            ModelSchema("A", ["onlyA": .integer], extends: "Base"),
            ModelSchema("B", ["onlyB": .integer], extends: "Base"),
            ModelSchema("Seven", [:], extends: "Base"), ModelSchema("Other", [:], extends: "Base"),
        ]
    }

    /// Members before the discriminator: around and beyond the 512 bytes the decoder looks ahead.
    @Test(arguments: [0, 1, 400, 480, 495, 496, 497, 498, 499, 500, 501, 510, 511, 512, 513, 600, 5000])
    func itMayStandAnywhere(distance: Int) throws {
        let filler = String(repeating: "x", count: distance)
        let adapter = try Plain.adapter(Self.schemas())
        for text in [
            #"{"id":1,"filler":"\#(filler)","kind":"b","onlyB":2}"#,
            #"{"id":1,"unknown":["\#(filler)"],"onlyB":2,"kind":"b"}"#,
            #"{"list":[\#(filler.isEmpty ? "" : filler.map { _ in "1" }.joined(separator: ","))],"id":1,"onlyB":2,"kind":"b"}"#,
        ] {
            let model = try adapter.model(from: text)
            #expect(model.schema.name == "B")
            #expect(model["id", as: Int.self] == 1)
            #expect(model["onlyB", as: Int.self] == 2)
        }
    }

    /// A leaf that is asked for directly refuses the text of another one wherever the member is read besides.
    @Test(arguments: [
        PropertySchema.jsonValue.json(firstOf: ["meta.kind", "x"]), .jsonValue.json("meta.list[0]"),
        .jsonValue.json("meta"),
        .jsonValue.json("meta.kind"), .jsonValue.json(allOf: ["meta.kind", "meta.x"]),
    ]) func aLeafRefusesTheTextOfAnother(property: PropertySchema) throws {
        let registry = SchemaRegistry()
        let leaf = ModelSchema("A", ["first": property.readOnly, "second": property.readOnly], extends: "Base")
        try registry.register(
            ModelSchema("Base", [:], cluster: .discriminator("meta.kind", ["a": "A", "b": "B"])), leaf,
            ModelSchema("B", [:], extends: "Base"))
        let adapter = Entrances(try JSONAdapter(schema: leaf, registry: registry))
        #expect(try adapter.model(from: #"{"meta":{"kind":"a","list":[1]}}"#).schema.name == "A")
        let problem = try #require(adapter.problem(of: #"{"meta":{"kind":"b","list":[1]}}"#))
        #expect(problem.code == .unknownModel)
        #expect(problem.pointer?.description == "/meta/kind")
        #expect(adapter.report(from: #"{"meta":{"kind":"b","list":[1]}}"#).model == nil)
        #expect(adapter.problem(of: #"{"meta":{"kind":"nobody","list":[1]}}"#)?.code == .unknownModel)
        // Every one of repeated members is checked.
        for text in [#"{"meta":{"kind":"b","kind":"a"}}"#, #"{"meta":{"kind":"a","kind":"b"}}"#] {
            #expect(adapter.bytesOnly.problem(of: text)?.code == .unknownModel)
        }
    }

    /// Each cluster on the way to a leaf must know the text, also where one member tells both.
    @Test(arguments: [#""a2""#, #""b""#, "2"]) func aLeafOfTwoClustersRefusesTheTextOfAnother(kind: String) throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "Base", [:], cluster: .discriminator("kind", ["a1": "A", "a2": "A", 1: "A", 2: "A", "b": "B"])),
            ModelSchema(
                "A", [:], extends: "Base",
                cluster: .discriminator("kind", ["a1": "A1", "a2": "A2", 1: "A1", 2: "A2"])),
            ModelSchema("A1", [:], extends: "A"), ModelSchema("A2", [:], extends: "A"),
            ModelSchema("B", [:], extends: "Base"))
        let adapter = Entrances(
            try JSONAdapter(schema: registry.schema(named: "A1"), registry: registry))
        for text in [#"{"kind":"a1"}"#, #"{"kind":1}"#] {
            #expect(try adapter.model(from: text).schema.name == "A1")
        }
        #expect(adapter.problem(of: #"{"kind":\#(kind)}"#)?.code == .unknownModel)
    }

    /// The place of a text that stands in an object which is read as a whole, with members behind it.
    @Test func aTextInAnObjectThatIsReadAsAWholeHasItsPlace() throws {
        let registry = SchemaRegistry()
        let leaf = ModelSchema(
            "A", ["list": .jsonValue.json("meta.list[0]").readOnly, "id": .integer], extends: "Base")
        try registry.register(
            ModelSchema("Base", [:], cluster: .discriminator("meta.kind", ["a": "A", "b": "B"])), leaf,
            ModelSchema("B", [:], extends: "Base"))
        let adapter = Entrances(try JSONAdapter(schema: leaf, registry: registry))
        let problem = adapter.problem(of: #"{"meta":{"kind":"b","list":[1]},"id":1}"#)
        #expect(problem?.pointer?.description == "/meta/kind")
    }

    @Test func aPathMayLeadThroughTheMember() throws {
        let registry = SchemaRegistry()
        let leaf = ModelSchema("A", ["deep": .integer.json("kind.deep")], extends: "Base")
        try registry.register(ModelSchema("Base", [:], cluster: .discriminator("kind", ["a": "A"])), leaf)
        let adapter = Entrances(try JSONAdapter(schema: leaf, registry: registry))
        #expect(try adapter.model(from: #"{"kind":{"deep":1}}"#)["deep", as: Int.self] == 1)
    }

    @Test(arguments: [0, 600]) func errorsBehindItHaveTheirPlace(distance: Int) throws {
        let filler = String(repeating: "x", count: distance)
        let adapter = try Plain.adapter(Self.schemas())
        let problem = adapter.problem(of: "{\"filler\":\"\(filler)\",\n \"onlyA\":\"x\",\n \"kind\":\"a\"}")
        #expect(problem?.pointer?.description == "/onlyA")
        #expect(problem?.schema == "A")
        #expect(problem?.location?.line == 2)
    }

    @Test(arguments: [0, 600], ["1x", "tru", #""\ud800""#, "[1,]"])
    func brokenTextAroundItIsRefused(distance: Int, value: String) throws {
        let filler = String(repeating: "x", count: distance)
        let adapter = try Plain.adapter(Self.schemas())
        for text in [
            #"{"filler":"\#(filler)","x":\#(value),"kind":"a"}"#, #"{"kind":"a","filler":"\#(filler)","x":\#(value)}"#,
            #"{"kind":\#(value)}"#, #"{"filler":"\#(filler)","kind":"a","x":\#(value)"#,
        ] {
            #expect(adapter.problem(of: text)?.code == .malformedJSON)
        }
    }

    @Test(arguments: [
        (#"{"kind":"c"}"#, #""c""#, "/kind"), (#"{"kind":""}"#, #""""#, "/kind"), ("{}", "none", ""),
        (#"{"id":1}"#, "none", ""),
    ]) func anUnknownOrMissingTextIsRefused(text: String, found: String, pointer: String) throws {
        let problem = try Plain.adapter(Self.schemas()).problem(of: text)
        #expect(problem?.code == .unknownModel)
        #expect(problem?.expected == #"one of "a", "b", the number 7 as the discriminator "kind""#)
        #expect(problem?.found == found)
    }

    @Test(arguments: [#"{"kind":"c"}"#, "{}", #"{"id":1,"filler":"x"}"#])
    func anUnknownOrMissingTextIsTheDefaultWhereThereIsOne(text: String) throws {
        #expect(try Plain.adapter(Self.schemas(default: "Other")).model(from: text).schema.name == "Other")
    }

    @Test(arguments: ["[]", "{}"], [nil, "Other" as ModelReference])
    func aValueOfAnotherKindIsRefused(value: String, fallback: ModelReference?) throws {
        let problem = try Plain.adapter(Self.schemas(default: fallback)).problem(of: #"{"kind":\#(value)}"#)
        #expect(problem?.category == .unexpectedData)
        #expect(problem?.code == .typeMismatch)
    }

    @Test func aNumberIsComparedByItsValue() throws {
        for text in ["7", "7.0", "70e-1"] {
            #expect(try Plain.adapter(Self.schemas()).model(from: "{\"kind\":\(text)}").schema.name == "Seven")
        }
        for text in ["8", "7.5", #""7""#, "true"] {
            #expect(try Plain.adapter(Self.schemas()).problem(of: "{\"kind\":\(text)}")?.code == .unknownModel)
        }
    }

    @Test func itIsComparedAsBytesAndAfterUnescaping() throws {
        let adapter = try Plain.adapter([
            ModelSchema("Base", [:], cluster: .discriminator("kind", ["\u{E9}": "A", "e\u{301}": "B"])),
            ModelSchema("A", [:], extends: "Base"), ModelSchema("B", [:], extends: "Base"),
        ])
        #expect(try adapter.model(from: "{\"kind\":\"\u{E9}\"}").schema.name == "A")
        #expect(try adapter.model(from: "{\"kind\":\"e\u{301}\"}").schema.name == "B")
        #expect(try adapter.model(from: #"{"k\u0069nd":"\u00e9"}"#).schema.name == "A")
    }

    // Also where the object is longer than the decoder looks ahead.
    @Test(arguments: [
        #"{"kind":"a","kind":"b"}"#, #"{"kind":"b","id":1,"kind":"a"}"#,
        "{\"filler\":\"\(String(repeating: "x", count: 600))\",\"kind\":\"a\",\"kind\":\"b\"}",
    ]) func severalDiscriminatorsMustNameOneModel(text: String) throws {
        for mapped in [false, true] {
            var schemas = Self.schemas()
            if mapped { schemas[0].properties.append(.init("kind", .string)) }
            let adapter = try Plain.adapter(schemas).bytesOnly
            let problem = try #require(adapter.problem(of: text))
            #expect(problem.code == .unknownModel)
            #expect(problem.pointer?.description == "/kind")
        }
    }

    @Test func theSameTextTwiceIsNoContradiction() throws {
        #expect(try Plain.adapter(Self.schemas()).bytesOnly.model(from: #"{"kind":"a","kind":"a"}"#).schema.name == "A")
    }

    @Test func itIsWrittenThoughNoPropertyHoldsIt() throws {
        let adapter = try Plain.adapter(Self.schemas())
        #expect(try adapter.roundTrip(#"{"kind":"a","onlyA":1}"#) == #"{"kind":"a","onlyA":1}"#)
        let deep = try Plain.adapter(Self.schemas(path: "meta.kind"))
        #expect(try deep.roundTrip(#"{"meta":{"kind":"b"},"onlyB":1}"#) == #"{"meta":{"kind":"b"},"onlyB":1}"#)
        #expect(deep.problem(of: #"{"meta":{}}"#)?.code == .unknownModel)
    }

    @Test func itIsWrittenForModelsThatCodeMade() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = ChocolateModel(registry: registry)
        #expect(try entrances(ClusterModel.self, registry: registry).text(of: model) == #"{"flavor":"chocolate"}"#)
    }

    @Test func itIsNeitherUnknownNorKept() throws {
        for unknown in JSONAdapterOptions.UnknownMembers.allCases {
            let adapter = try Plain.adapter(Self.schemas(), options: .with { $0.unknownMembers = unknown })
            let text = #"{"kind":"a","onlyA":1}"#
            #expect(try adapter.roundTrip(text) == text, "\(unknown)")
        }
    }

    @Test(arguments: [0, 600]) func keptMembersSurviveTheLookAhead(distance: Int) throws {
        let adapter = try Plain.adapter(Self.schemas(), options: .with { $0.unknownMembers = .keep })
        let text = #"{"x":"\#(String(repeating: "y", count: distance))","kind":"a","z":{"w":1}}"#
        #expect(try JSONValue(parsing: adapter.roundTrip(text)) == JSONValue(parsing: text))
    }

    @Test func aReportKeepsTheModelsThatCanBeChosen() throws {
        let report = try Plain.adapter(Self.schemas()).report(
            from: #"[{"kind":"a"},{"kind":"x"},{},{"kind":[]},{"kind":"b","onlyB":"x"}]"#)
        #expect(report.models.map(\.schema.name) == ["A", "B"])
        #expect(report.problems.map(\.code) == [.unknownModel, .unknownModel, .typeMismatch, .typeMismatch])
    }

    @Test func clustersInDepthAreReadInLinearTime() throws {
        // Each level hides its discriminator behind its child; looking ahead at every level again must stay bounded.
        let adapter = try Plain.adapter([
            ModelSchema("Base", ["child": .model("Base")], cluster: .discriminator("kind", ["a": "A"])),
            ModelSchema("A", [:], extends: "Base"),
        ])
        let text =
            String(repeating: #"{"child":"#, count: 500) + "null" + String(repeating: #","kind":"a"}"#, count: 500)
        var model: DynamicModel? = try adapter.adapter.model(from: text)
        var depth = 0
        while let current = model {
            depth += 1
            model = current["child", as: DynamicModel.self]
        }
        #expect(depth == 500)
    }
}
