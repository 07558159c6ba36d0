import ModelTestSupport
import Pallium
import PalliumTrials
import Testing

/// A discriminator keeps its JSON kind: 10 is a number, "10" is text.
struct TagKindTests {
    /// A cluster with tags of three kinds. `property` is the property that maps the discriminator, if one does.
    private static func document(_ path: String = "op", property: String = "", default fallback: String = "") -> String
    {
        """
        [{"name": "Message", "properties": {"id": {"kind": "integer"}\(property)},
          "cluster": {"discriminator": "\(path)", "models": [
            {"tag": 10, "model": "Hello"}, {"tag": "11", "model": "Beat"}, {"tag": 0.5, "model": "Half"},
            {"tag": true, "model": "Sure"}]\(fallback)}},
         {"name": "Hello", "extends": "Message", "properties": {"n": {"kind": "integer"}}},
         {"name": "Beat", "extends": "Message"}, {"name": "Half", "extends": "Message"},
         {"name": "Sure", "extends": "Message"}]
        """
    }

    private static func adapter(_ document: String, keeps: Bool = false) throws -> Entrances<DynamicModel> {
        let registry = SchemaRegistry()
        let schemas = try registry.load(Array(document.utf8), name: "test.json")
        return Entrances(
            try JSONAdapter(
                schema: #require(schemas.first), registry: registry,
                options: .with { $0.unknownMembers = keeps ? .keep : .ignore }))
    }

    private static let filler = String(repeating: "x", count: 600)

    @Test(arguments: [
        (#"{"op":10,"n":1}"#, "Hello"), (#"{"id":7,"op":10,"n":1}"#, "Hello"), (#"{"op":"11"}"#, "Beat"),
        (#"{"op":0.5}"#, "Half"), (#"{"op":true,"id":1}"#, "Sure"), (#"{"x":"\#(filler)","op":10}"#, "Hello"),
        (#"{"op":1e1}"#, "Hello"), (#"{"op":5e-1}"#, "Half"),
    ]) func aTagChoosesByItsKindAndIsWrittenInIt(text: String, name: String) throws {
        let tag = try #require(JSONValue(parsing: text)["op"])
        for property in ["", #", "code": {"kind": "json", "json": "op"}"#] {
            let adapter = try Self.adapter(Self.document(property: property))
            let model = try adapter.model(from: text)
            #expect(model.schema.name == name)
            #expect(try JSONValue(parsing: adapter.adapter.data(from: model))["op"] == tag)
            #expect(try adapter.models(from: "[\(text),\(text)]").map(\.schema.name) == [name, name])
        }
    }

    @Test func aPropertyOfTheTagsKindHoldsIt() throws {
        let adapter = try Self.adapter(Self.document(property: #", "code": {"kind": "integer", "json": "op"}"#))
        let model = try adapter.model(from: #"{"id":1,"op":10}"#)
        #expect(model["code"] as? Int == 10)
        #expect(try adapter.text(of: model) == #"{"id":1,"op":10}"#)
        model["code"] = 11
        #expect(throws: ModelError.self) { try adapter.text(of: model) }
    }

    @Test(arguments: [
        (#"{"op":"10"}"#, #"found "10""#), (#"{"op":11}"#, "did you mean \"11\"?"),
        (#"{"op":false}"#, "found false"), (#"{"op":"true"}"#, #"found "true""#), (#"{"op":[10]}"#, "an array"),
        (#"{"x":"\#(filler)","op":11}"#, "found the number 11"),
    ]) func aTagOfAnotherKindIsNotListed(text: String, found: String) throws {
        let problem = try #require(try Self.adapter(Self.document()).problem(of: text))
        #expect(problem.description.contains(found), "\(problem)")
        #expect(problem.code == (text.contains("[") ? .typeMismatch : .unknownModel))
    }

    @Test func anUnlistedTagOfAnyKindLeadsToTheDefaultAndIsKept() throws {
        let adapter = try Self.adapter(Self.document(default: #", "default": "Message""#), keeps: true)
        for text in [#"{"op":"10"}"#, #"{"op":11}"#, #"{"op":false}"#, #"{"op":2.5}"#, #"{"op":null}"#, "{}"] {
            let model = try adapter.model(from: text)
            #expect(model.schema.name == "Message")
            #expect(try adapter.text(of: model) == text)
        }
    }

    @Test func aLeafRefusesAnotherModelsTag() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(Array(Self.document().utf8), name: "test.json")
        let leaf = Entrances(try JSONAdapter(schema: schemas[1], registry: registry))
        #expect(try leaf.roundTrip(#"{"op":10,"n":1}"#) == #"{"op":10,"n":1}"#)
        #expect(try leaf.roundTrip(#"{"n":1}"#) == #"{"op":10,"n":1}"#)
        for text in [#"{"op":"10"}"#, #"{"op":true}"#, #"{"op":0.5}"#] {
            let problem = try #require(leaf.problem(of: text))
            #expect(problem.code == .unknownModel && problem.pointer?.description == "/op")
        }
    }

    @Test func aTagThatNoPropertyMapsIsWrittenFirst() throws {
        let adapter = try Self.adapter(Self.document())
        #expect(try adapter.roundTrip(#"{"id":1,"n":2,"op":10}"#) == #"{"op":10,"id":1,"n":2}"#)
        let nested = try Self.adapter(Self.document("meta.op"))
        #expect(try nested.roundTrip(#"{"id":1,"meta":{"op":"11"}}"#) == #"{"meta":{"op":"11"},"id":1}"#)
        let mapped = try Self.adapter(Self.document(property: #", "op": {"kind": "json"}"#))
        #expect(try mapped.roundTrip(#"{"id":1,"op":10}"#) == #"{"id":1,"op":10}"#)
    }

    @Test func documentsListTagsAsTextsOrAsJSONValues() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(Array(Self.document().utf8), name: "test.json")
        #expect(
            schemas[0].cluster
                == .discriminator("op", [10: "Hello", "11": "Beat", 0.5: "Half", true: "Sure"]))
        #expect(try registry.document(of: schemas).text() == JSONValue(parsing: Self.document()).text())
        let texts = ModelSchema("A", [:], cluster: .discriminator("t", ["a": "A"]))
        #expect(try SchemaRegistry.of(texts).document(of: texts)["cluster"]?["models"] == ["a": "A"])
        let list = #"{"name": "A", "cluster": {"discriminator": "t", "models": [{"tag": "a", "model": "A"}]}}"#
        #expect(try SchemaRegistry().load(Array(list.utf8), name: "a.json") == [texts])
    }

    @Test(arguments: [
        (#"[{"tag": 10, "model": "A"}, {"tag": "10", "model": "A"}]"#, "lists both the number 10 and \"10\""),
        (#"[{"tag": true, "model": "A"}, {"tag": "true", "model": "A"}]"#, "lists both true and \"true\""),
        (#"[{"tag": 10, "model": "A"}, {"tag": 10.0, "model": "A"}]"#, "lists the number 10 twice"),
        (#"[{"tag": null, "model": "A"}]"#, "tag: expected a text, a number or a Boolean but found null"),
        (#"[{"tag": [1], "model": "A"}]"#, "tag: expected a text, a number or a Boolean but found an array"),
        (#"[{"model": "A"}]"#, "models: the entry has no tag"), (#"[{"tag": 1}]"#, "models: the entry has no model"),
        (#"[{"tag": 1, "model": "A", "x": 1}]"#, "unknown member \"x\""), ("[]", "models: the cluster lists no models"),
        ("[5]", "expected an entry, which is an object, but found the number 5"),
        ("5", "models: expected an object of schemas by text, or a list of tags and schemas, but found the number 5"),
    ]) func mistakesInTagsAreReported(models: String, message: String) {
        let found = problems(of: #"{"name": "A", "cluster": {"discriminator": "t", "models": \#(models)}}"#)
        #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
    }

    @Test func aNullTagInCodeIsAMistake() {
        let schema = ModelSchema("A", [:], cluster: .discriminator("t", [nil: "A", ["x"]: "A"]))
        #expect(
            Plain.problems([schema]) == [
                "A: the cluster lists null as a discriminator; list texts, numbers and Booleans",
                "A: the cluster lists an array as a discriminator; list texts, numbers and Booleans",
            ])
    }

    @Test func samplesHaveTagsOfAllKindsAndKeepTheLaws() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(Array(Self.document().utf8), name: "test.json")
        var samples = try SampleDocuments(of: schemas[0], registry: registry)
        let tags = Set((0..<60).map { _ in samples.next()["op"] })
        #expect(tags.isSuperset(of: [10, "11", 0.5, true]))
        #expect(try SchemaLaws.check(schemas[0], registry: registry) == [])
    }

    /// The tag of a model with two is written as the first one, unless a property holds it.
    @Test func aModelWithTagsOfTwoKindsBreaksALawWithoutAProperty() throws {
        func broken(_ properties: KeyValuePairs<String, PropertySchema>) throws -> [BrokenLaw] {
            let schema = ModelSchema("A", properties, cluster: .discriminator("op", [10: "A", "ten": "A"]))
            return try SchemaLaws.check(schema, registry: SchemaRegistry.of(schema))
        }
        let found = try broken(["id": .integer])
        #expect(found.map(\.law) == [.json])
        #expect(found.first?.document == ["op": "ten"])
        #expect(found.first?.problem == #"the discriminator "ten" is written as the number 10"#)
        #expect(try broken(["op": .jsonValue]) == [])
    }

    @Test func inSwiftATagIsAnyScalar() throws {
        let tag = "b"
        let cluster = ModelCluster.discriminator(
            path: "t", models: [.init("a", "A"), .init(.string(tag), "A"), .init(1, "A")], default: nil)
        #expect(cluster == .discriminator("t", ["a": "A", "b": "A", 1: "A"]))
        #expect(cluster != .discriminator("t", ["a": "A", "b": "A", "1": "A"]))
    }
}
