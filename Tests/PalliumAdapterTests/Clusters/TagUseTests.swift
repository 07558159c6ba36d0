import ModelTestSupport
import Pallium
import PalliumContracts
import PalliumTrials
import Testing

/// Tags that are numbers and Booleans, in contracts, archives, merges and imports.
struct TagUseTests {
    /// Gateway messages with numbers, and switches with Booleans.
    private static let documents = [
        """
        [{"name": "Message", "properties": {"id": {"kind": "integer"}, "text": {"kind": "string"}}, "identity": "id",
          "cluster": {"discriminator": "op", "models": [
            {"tag": 10, "model": "Hello"}, {"tag": 11, "model": "Beat"}, {"tag": 12.5, "model": "Beat"}]}},
         {"name": "Hello", "extends": "Message", "properties": {"interval": {"kind": "integer", "required": true}}},
         {"name": "Beat", "extends": "Message"}]
        """,
        """
        [{"name": "Message", "properties": {"id": {"kind": "integer"}, "text": {"kind": "string"}}, "identity": "id",
          "cluster": {"discriminator": "ok", "default": "Message", "models": [
            {"tag": true, "model": "Hello"}, {"tag": false, "model": "Beat"}]}},
         {"name": "Hello", "extends": "Message", "properties": {"interval": {"kind": "integer", "required": true}}},
         {"name": "Beat", "extends": "Message"}]
        """,
    ]

    private static let texts = [
        [#"{"op":10,"id":1,"interval":5}"#, #"{"op":11,"id":2}"#],
        [#"{"ok":true,"id":1,"interval":5}"#, #"{"ok":false,"id":2}"#, #"{"id":3}"#],
    ]

    private static func adapter(_ number: Int) throws -> (adapter: JSONAdapter<DynamicModel>, registry: SchemaRegistry)
    {
        let registry = SchemaRegistry()
        try registry.load(Array(documents[number].utf8), name: "test.json")
        return (try JSONAdapter(schema: registry.schema(named: "Message"), registry: registry), registry)
    }

    @Test(arguments: 0..<2) func contractsAcceptTheSameDocuments(number: Int) throws {
        let (adapter, registry) = try Self.adapter(number)
        let values: [JSONValue] = [10, 10.0, 11, 12.5, 12, "10", true, false, "true", .null, [], [:], 0]
        for schema in ["Message", "Hello", "Beat"] {
            let contract = try JSONSchemaValidator(registry.jsonSchema(of: registry.schema(named: schema)))
            let reader = try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
            for value in values {
                for member in ["op", "ok"] {
                    let document: JSONValue = [member: value, "interval": 1]
                    #expect(
                        try contract.accepts(document) == reader.report(from: document).problems.isEmpty,
                        "\(schema): \(document)")
                }
            }
        }
        let again = SchemaRegistry()
        try again.load(jsonSchema: registry.jsonSchema(of: registry.schema(named: "Message")).bytes())
        #expect(try again.schema(named: "Message").cluster == adapter.schema.cluster)
    }

    @Test func contractsOfOthersNameTags() throws {
        let contract = ##"""
            {"title": "Message", "oneOf": [{"$ref": "#/$defs/Hello"}, {"$ref": "#/$defs/Beat"}],
             "discriminator": {"propertyName": "op"},
             "$defs": {
              "Hello": {"type": "object", "properties": {"op": {"type": "integer", "const": 10}}, "required": ["op"]},
              "Beat": {"type": "object", "properties": {"op": {"type": "integer", "enum": [11, 12]}}, "required": ["op"]}}}
            """##
        let registry = SchemaRegistry()
        try registry.load(jsonSchema: Array(contract.utf8))
        #expect(
            try registry.schema(named: "Message").cluster
                == .discriminator("op", [10: "Hello", 11: "Beat", 12: "Beat"]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Message"), registry: registry)
        #expect(try Entrances(adapter).roundTrip(#"{"op":12}"#) == #"{"op":12}"#)
    }

    @Test(arguments: 0..<2) func archivesMergesAndImportsKeepTheTag(number: Int) throws {
        let (adapter, registry) = try Self.adapter(number)
        for text in Self.texts[number] {
            let model = try adapter.model(from: text)
            let archived = try ModelUnarchiver(registry: registry).unarchive(
                adapter.schema, from: ModelArchiver().archive(model))
            #expect(try Entrances(adapter).text(of: archived) == text)
            try adapter.merge(#"{"text":"x"}"#, into: model)
            #expect(try JSONValue(parsing: adapter.data(from: model))["text"] == "x")
            try adapter.merge(text, into: model)
            let map = IdentityMap()
            let first = try map.import(text, using: adapter)[0]
            let again = try map.import(text, using: adapter)[0]
            #expect(first === again)
            #expect(try Entrances(adapter).text(of: again) == text)
        }
        let hello = try adapter.model(from: Self.texts[number][0])
        let error = #expect(throws: ModelError.self) { try adapter.merge(Self.texts[number][1], into: hello) }
        #expect(error?.code == .unknownModel || error?.code == .conflict)
    }

    @Test(arguments: 0..<2) func samplesKeepTheLaws(number: Int) throws {
        let (adapter, registry) = try Self.adapter(number)
        #expect(try SchemaLaws.check(adapter.schema, registry: registry) == [])
    }
}
