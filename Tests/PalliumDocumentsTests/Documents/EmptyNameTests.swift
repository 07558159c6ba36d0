import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// The member with the empty name is the path `[""]`, or `"json": [""]` in a document.
struct EmptyNameTests {
    private static func adapter(_ json: String, access: String = "") throws -> Entrances<DynamicModel> {
        let registry = SchemaRegistry()
        let document = #"{"name": "A", "properties": {"note": {"kind": "string", "json": \#(json)\#(access)}}}"#
        let schemas = try registry.load(Array(document.utf8), name: "test.json")
        return Entrances(try JSONAdapter(schema: #require(schemas.first), registry: registry))
    }

    @Test(arguments: [
        (#"[""]"#, #"{"":"x"}"#), (#""[\"\"]""#, #"{"":"x"}"#), (#"["a",""]"#, #"{"a":{"":"x"}}"#),
        (#""a[\"\"]""#, #"{"a":{"":"x"}}"#), (#"["","b"]"#, #"{"":{"b":"x"}}"#), (#"["",""]"#, #"{"":{"":"x"}}"#),
        // Nothing is escaped in a list of names.
        (#"["a.b","[0]","\\"]"#, #"{"a.b":{"[0]":{"\\":"x"}}}"#), (#"["/a"]"#, #"{"/a":"x"}"#),
        (#"{"firstOf": ["[\"\"]", "b"]}"#, #"{"":"x"}"#),
    ]) func aPropertyIsReadAndWrittenThere(json: String, text: String) throws {
        let adapter = try Self.adapter(json)
        let model = try adapter.model(from: text)
        #expect(model["note"] as? String == "x")
        #expect(try adapter.text(of: model) == text)
    }

    @Test func anArrayMayComeBehindIt() throws {
        let adapter = try Self.adapter(#""[\"\"][1]""#, access: #", "readOnly": true"#)
        #expect(try adapter.model(from: #"{"":["y","x"]}"#)["note"] as? String == "x")
    }

    @Test func anErrorThereHasItsPointer() throws {
        let problem = try #require(try Self.adapter(#"["a",""]"#).problem(of: #"{"a":{"":1}}"#))
        #expect(problem.pointer?.description == "/a/")
    }

    @Test func theWrittenDocumentHasTheList() throws {
        let schema = ModelSchema("A", ["note": .string.json(#"a[""]"#), "dots": .string.json(#"a\.b"#)])
        let document = try SchemaRegistry.of(schema).document(of: schema)
        #expect(document["properties"]?["note"]?["json"] == ["a", ""])
        #expect(document["properties"]?["dots"]?["json"] == #"a\.b"#)
        let again = try SchemaRegistry().load(document.bytes(), name: "test.json")
        #expect(try SchemaRegistry.of(again[0]).document(of: again[0]) == document)
    }

    @Test func contractsAndProfilesKnowIt() throws {
        let schema = ModelSchema("A", ["note": .string.json(#"[""]"#).required])
        let registry = try SchemaRegistry.of(schema)
        #expect(try registry.jsonSchema(of: schema)["$defs"]?["A"]?["properties"]?[""]?["type"] == "string")
        let profiled = SchemaRegistry()
        let document =
            #"{"name": "A", "properties": {"note": {"kind": "string"}}, "profiles": {"p": {"note": ["", "n"]}}}"#
        let schemas = try profiled.load(Array(document.utf8), name: "test.json")
        let adapter = try JSONAdapter(schema: schemas[0], profile: "p", registry: profiled)
        #expect(try adapter.model(from: #"{"":{"n":"x"}}"#)["note"] as? String == "x")
    }

    @Test(arguments: ["[]", "[1]", #"["a", null]"#, "true"]) func otherListsAreMistakes(json: String) {
        let found = problems(of: #"{"name": "A", "properties": {"note": {"kind": "string", "json": \#(json)}}}"#)
        let expected = #"json: expected a key path, a list of names, null, {"firstOf": paths} or {"allOf": paths} but"#
        #expect(found.count == 1 && found[0].contains(expected), "\(found)")
    }

    @Test func anEmptyStepIsStillAMistake() {
        let found = problems(of: #"{"name": "A", "properties": {"note": {"kind": "string", "json": "a..b"}}}"#)
        #expect(found.count == 1 && found[0].contains(#"key path "a..b" has an empty step"#), "\(found)")
    }
}
