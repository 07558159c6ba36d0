import Pallium
import PalliumContracts
import Testing

@Suite struct OpenAPIContractTests {
    private static let documents = """
        [{"name": "My Shape", "properties": {"kind": {"kind": "string", "required": true}, "at": {"kind": "date"},
            "old": {"kind": "int32", "json": {"firstOf": ["a", "b"]}}, "home": {"kind": "url"},
            "count": {"kind": "integer"}},
          "cluster": {"discriminator": "kind", "models": {"circle": "Circle"}, "default": "Other"}},
         {"name": "Circle", "extends": "My Shape"}, {"name": "Other", "extends": "My Shape"}]
        """

    @Test func componentsAreForGenerators() throws {
        let document = try loaded(Self.documents).openAPI(title: "Shapes", version: "2")
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"] == ["title": "Shapes", "version": "2"])
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas.objectValue?.keys == ["My_Shape", "Circle", "Other"])
        let choice = """
            {"title": "My Shape", "anyOf": [
              {"oneOf": [{"$ref": "#/components/schemas/Circle"}],
               "discriminator": {"propertyName": "kind", "mapping": {"circle": "#/components/schemas/Circle"}}},
              {"$ref": "#/components/schemas/Other"}]}
            """
        #expect(try schemas["My_Shape"] == json(choice))
        let circle = """
            {"title": "Circle", "type": "object", "required": ["kind"], "properties": {
              "kind": {"type": "string", "const": "circle"}, "at": {"type": ["string", "null"], "format": "date-time"},
              "a": {"type": ["integer", "null"], "format": "int32", "minimum": -2147483648, "maximum": 2147483647},
              "b": {"type": ["integer", "null"], "format": "int32", "minimum": -2147483648, "maximum": 2147483647},
              "home": {"type": ["string", "null"], "format": "uri"},
              "count": {"type": ["integer", "null"], "format": "int64"}}}
            """
        #expect(try schemas["Circle"] == json(circle))
    }
}

@Suite struct StrictContractTests {
    private static let documents = """
        [{"name": "Report", "doc": "A report.", "properties": {
            "title": {"kind": "string", "required": true, "minLength": 1},
            "mood": {"kind": "enumeration", "cases": ["good", "bad"], "unknown": "keep"},
            "author": {"kind": "string", "json": "by.name"},
            "size": {"kind": "int8", "default": 1},
            "shape": {"kind": "model", "model": "Shape", "doc": "Its form."},
            "extra": {"kind": "dictionary", "of": {"kind": "bool"}},
            "parts": {"kind": "array", "of": {"kind": "model", "model": "Report"}}}},
         {"name": "Shape", "cluster": {"discriminator": "kind", "models": {"circle": "Circle"}, "default": "Shape"}},
         {"name": "Circle", "extends": "Shape", "properties": {"radius": {"kind": "double", "required": true}}}]
        """

    @Test func everythingIsRequiredAndClosed() throws {
        let registry = try loaded(Self.documents)
        let expected = """
            {"description": "A report.", "type": "object", "properties": {
               "title": {"description": "At least 1 character.", "type": "string"},
               "mood": {"type": ["string", "null"], "enum": ["good", "bad", null]},
               "by": {"type": "object", "properties": {"name": {"type": ["string", "null"]}}, "required": ["name"],
                 "additionalProperties": false},
               "size": {"type": ["integer", "null"]},
               "shape": {"description": "Its form.", "anyOf": [{"$ref": "#/$defs/Shape"}, {"type": "null"}]},
               "parts": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Report"}}},
             "required": ["title", "mood", "by", "size", "shape", "parts"], "additionalProperties": false}
            """
        var found = try #require(try registry.strictJSONSchema(of: registry.schema(named: "Report")).objectValue)
        let definitions = try #require(found["$defs"])
        found["$defs"] = nil
        #expect(try .object(found) == json(expected))
        #expect(try definitions["Report"] == json(expected))
        #expect(try definitions["Shape"] == json(##"{"anyOf": [{"$ref": "#/$defs/Circle"}]}"##))
        let circle = """
            {"type": "object", "properties": {"radius": {"type": "number"},
               "kind": {"type": "string", "enum": ["circle"]}},
             "required": ["radius", "kind"], "additionalProperties": false}
            """
        #expect(try definitions["Circle"] == json(circle))
    }

    @Test func whatHasNoClosedFormIsRefused() throws {
        let registry = try loaded(
            """
            [{"name": "A", "properties": {"map": {"kind": "dictionary", "of": {"kind": "bool"}, "required": true},
               "any": {"kind": "array", "of": {"kind": "json"}, "required": true}},
              "cluster": {"discriminator": "t", "models": {"b": "B"}}}, {"name": "B", "extends": "A"}]
            """)
        let error = #expect(throws: SchemaError.self) {
            try registry.strictJSONSchema(of: registry.schema(named: "A"))
        }
        let reason =
            "is required, and its JSON has no form that every language model can be held to; "
            + "leave the model out, or make the property optional"
        #expect(
            error?.problems.map(\.description) == [
                "B.map: \(reason)", "B.any: \(reason)",
                "A: has a cluster, but the root of a strict schema is one object; "
                    + "name one of its models, or a model with a property of it",
            ])
    }
}
