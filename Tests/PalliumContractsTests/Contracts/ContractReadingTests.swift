import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// A schema of a value in a contract, and the property that the article *Contracts* promises for it.
struct ReadCase: CustomTestStringConvertible, Sendable {
    let schema: String
    let property: String

    init(_ schema: String, _ property: String) {
        self.schema = schema
        self.property = property
    }

    var testDescription: String { schema }
}

@Suite struct ContractReadingTests {
    private static let definitions = """
        "$defs": {"Small": {"type": "integer", "minimum": 0, "maximum": 255},
          "Also": {"$ref": "#/$defs/Small", "description": "The same."},
          "MaybeText": {"anyOf": [{"type": "string"}, {"type": "null"}]},
          "a/b~c d": {"type": "boolean"},
          "Other": {"type": "object", "properties": {"x": {"type": ["string", "null"]}}}}
        """

    static let values = [
        ReadCase(#"{"type": "boolean"}"#, #"{"kind": "bool", "required": true}"#),
        ReadCase(#"{"type": ["boolean", "null"]}"#, #"{"kind": "bool"}"#),
        ReadCase(#"{"type": ["null", "integer"]}"#, #"{"kind": "integer"}"#),
        ReadCase(#"{"type": ["string"]}"#, #"{"kind": "string", "required": true}"#),
        ReadCase("{}", #"{"kind": "json"}"#),
        ReadCase("true", #"{"kind": "json"}"#),
        ReadCase(#"{"not": {"type": "null"}}"#, #"{"kind": "json", "required": true}"#),
        ReadCase(
            #"{"type": ["integer", "null"], "minimum": -128, "maximum": 127}"#, #"{"kind": "int8"}"#),
        ReadCase(
            #"{"type": ["integer", "null"], "minimum": 0, "maximum": 18446744073709551615}"#, #"{"kind": "unsigned"}"#),
        ReadCase(
            #"{"type": ["integer", "null"], "minimum": 1, "maximum": 127}"#,
            #"{"kind": "integer", "minimum": 1, "maximum": 127}"#),
        ReadCase(
            #"{"type": ["number", "null"], "exclusiveMinimum": 0.5, "exclusiveMaximum": 1e3, "multipleOf": 0.1}"#,
            #"{"kind": "double", "exclusiveMinimum": 0.5, "exclusiveMaximum": 1000, "multipleOf": 0.1}"#),
        ReadCase(
            #"{"type": ["string", "null"], "minLength": 1, "maxLength": 5, "pattern": "^a", "format": "email"}"#,
            #"{"kind": "string", "minLength": 1, "maxLength": 5, "pattern": "^a", "format": "email"}"#),
        ReadCase(#"{"enum": ["a", "b", null]}"#, #"{"kind": "enumeration", "cases": ["a", "b"]}"#),
        ReadCase(
            #"{"type": "string", "enum": ["a", "b", null]}"#,
            #"{"kind": "enumeration", "cases": ["a", "b"], "required": true}"#),
        ReadCase(#"{"enum": [1, 2.0]}"#, #"{"kind": "enumeration", "cases": [1, 2], "required": true}"#),
        ReadCase(#"{"const": "a"}"#, #"{"kind": "enumeration", "cases": ["a"], "required": true}"#),
        ReadCase(
            #"{"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}"#,
            #"{"kind": "array", "of": {"kind": "string"}, "minCount": 1, "maxCount": 2, "unique": true}"#),
        ReadCase(
            #"{"type": ["array", "null"], "uniqueItems": false}"#,
            #"{"kind": "array", "of": {"kind": "json", "nullable": true}}"#),
        ReadCase(
            #"{"type": ["object", "null"], "additionalProperties": {"type": ["integer", "null"]}, "maxProperties": 2}"#,
            #"{"kind": "dictionary", "of": {"kind": "integer", "nullable": true}, "maxCount": 2}"#),
        ReadCase(
            #"{"type": ["object", "null"]}"#, #"{"kind": "dictionary", "of": {"kind": "json", "nullable": true}}"#),
        ReadCase(##"{"$ref": "#/$defs/Also"}"##, #"{"kind": "uint8", "required": true}"#),
        ReadCase(##"{"$ref": "#/$defs/MaybeText"}"##, #"{"kind": "string"}"#),
        ReadCase(##"{"$ref": "#/$defs/a~1b~0c%20d"}"##, #"{"kind": "bool", "required": true}"#),
        ReadCase(
            ##"{"oneOf": [{"type": "null"}, {"$ref": "#/$defs/Other"}]}"##, #"{"kind": "model", "model": "Other"}"#),
        ReadCase(
            ##"{"allOf": [{"$ref": "#/$defs/Other"}], "description": "One."}"##,
            #"{"kind": "model", "model": "Other", "required": true, "doc": "One."}"#),
        ReadCase(
            #"{"type": ["string", "null"], "default": "x", "readOnly": true, "title": "T", "examples": [1], "x-y": 1}"#,
            #"{"kind": "string", "nullable": true, "default": "x", "only": "output", "doc": "T"}"#),
        ReadCase(
            #"{"type": ["integer", "null"], "default": null, "writeOnly": true, "deprecated": true, "$comment": "c"}"#,
            #"{"kind": "integer", "only": "input"}"#),
    ]

    @Test(arguments: values)
    func valuesBecomeProperties(value: ReadCase) throws {
        let isRequired = value.property.contains("\"required\"")
        let contract = """
            {"title": "Root", "type": "object", "properties": {"value": \(value.schema)},
             "required": [\(isRequired ? "\"value\"" : "")], \(Self.definitions)}
            """
        let registry = SchemaRegistry()
        try registry.load(jsonSchema: Array(contract.utf8))
        let document = try registry.document(of: registry.schema(named: "Root"))
        #expect(try document["properties"]?["value"] == json(value.property))
    }

    /// Values of all types, at and beyond the limits above.
    private static let instances: [JSONValue] = [
        .null, true, false, 0, 1, 2, -1, -128, -129, 127, 128, 255, 256, 0.5, 0.6, 1.0, 1.5, 999.9, 1000, "", "a", "b",
        "ab@c",
        "abcdef", "x", [], [1], ["a"], ["a", "a"], ["a", "b"], ["a", .null], ["a", "b", "c"], [:], ["x": "y"], ["x": 1],
        ["x": .null], ["x": 1, "y": .null], ["x": 1, "y": 2, "z": 3], ["x": ["y"]],
    ]

    /// Without members that are only written, which are not checked, and keywords that the validator of the tests does not
    /// know or reads more narrowly.
    private static let comparable = values.filter { value in
        !["writeOnly", "pattern", "maxItems", "uniqueItems"].contains { value.schema.contains($0) }
    }

    @Test(arguments: comparable)
    func verdictsAreThoseOfAValidator(value: ReadCase) throws {
        let isRequired = value.property.contains("\"required\"")
        let contract = """
            {"title": "Root", "type": "object", "properties": {"value": \(value.schema)},
             "required": [\(isRequired ? "\"value\"" : "")], \(Self.definitions)}
            """
        let validator = try JSONSchemaValidator(json(contract))
        let registry = SchemaRegistry()
        try registry.load(jsonSchema: Array(contract.utf8))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Root"), registry: registry)
        for document in [[:]] + Self.instances.map({ JSONValue.object(["value": $0]) }) {
            // The validator of the tests does not know all keywords.
            guard let isValid = try? validator.accepts(document) else { continue }
            let problems = adapter.report(from: document).problems
            #expect(problems.isEmpty == isValid, "\(document): \(problems)")
        }
    }

    @Test func exportedContractsCanBeReadWithoutTheirSchemas() throws {
        let registry = try loaded(
            """
            {"name": "Issue", "properties": {
              "title": {"kind": "string", "required": true, "minLength": 1},
              "author": {"kind": "string", "json": "user.login"},
              "state": {"kind": "enumeration", "cases": ["open", "closed"], "default": "open"},
              "closedAt": {"kind": "date"}},
             "rules": [{"required": ["closedAt"], "when": {"state": "closed"}}]}
            """)
        let schema = try registry.schema(named: "Issue")
        var contract = try #require(try registry.jsonSchema(of: schema).objectValue)
        contract["x-pallium"] = nil
        let other = SchemaRegistry()
        try other.load(jsonSchema: JSONValue.object(contract).bytes())
        let first = try JSONAdapter(schema: schema, registry: registry)
        let second = try JSONAdapter(schema: other.schema(named: "Issue"), registry: other)
        for (text, isValid) in [
            (#"{"title": "a"}"#, true), (#"{"title": ""}"#, false), (#"{"title": "a", "user": {"login": 1}}"#, false),
            (#"{"title": "a", "state": "closed"}"#, false), (#"{"title": "a", "state": null}"#, true),
            (#"{"title": "a", "state": "closed", "closedAt": "2026-01-31T12:00:00Z"}"#, true),
            (#"{"title": "a", "state": "closed", "closedAt": "2026-02-31T12:00:00Z"}"#, false),
            (#"{"title": "a", "state": "closed", "closedAt": null}"#, false), (#"{"title": "a", "user": null}"#, true),
        ] {
            #expect(try first.report(from: json(text)).problems.isEmpty == isValid, "\(text)")
            #expect(try second.report(from: json(text)).problems.isEmpty == isValid, "\(text)")
        }
    }

    @Test func objectsBecomeModels() throws {
        let contract = """
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/issue",
             "title": "Issue", "description": "A report.", "type": "object", "required": ["id", "user"],
             "properties": {
               "id": {"type": "integer"},
               "user": {"type": "object", "properties": {"a.b": {"type": ["string", "null"]}}},
               "labels": {"type": ["array", "null"], "items": {"type": ["object", "null"],
                 "properties": {"name": {"type": ["string", "null"]}}}},
               "parent": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
               "closedAt": {"type": ["string", "null"], "format": "date"},
               "state": {"enum": ["open", "closed", null]}, "x": {"type": ["string", "null"]}},
             "allOf": [
               {"if": {"required": ["state"], "properties": {"state": {"const": "closed"}}},
                "then": {"required": ["closedAt"], "properties": {"closedAt": {"not": {"type": "null"}}}}},
               {"oneOf": [{"required": ["x"], "properties": {"x": {"not": {"type": "null"}}}},
                 {"required": ["labels"], "properties": {"labels": {"not": {"type": "null"}}}}]}]}
            """
        let registry = SchemaRegistry()
        let result = try registry.load(jsonSchema: Array(contract.utf8))
        let expected = """
            [{"name": "Issue", "doc": "A report.", "properties": {
               "id": {"kind": "integer", "required": true},
               "user": {"kind": "model", "model": "IssueUser", "required": true},
               "labels": {"kind": "array", "of": {"kind": "model", "model": "IssueLabels", "nullable": true}},
               "parent": {"kind": "model", "model": "Issue"},
               "closedAt": {"kind": "string", "format": "date"},
               "state": {"kind": "enumeration", "cases": ["open", "closed"]}, "x": {"kind": "string"}},
              "rules": [{"required": ["closedAt"], "when": {"state": "closed"}}, {"exactlyOneOf": ["x", "labels"]}]},
             {"name": "IssueUser", "properties": {"a.b": {"kind": "string"}}},
             {"name": "IssueLabels", "properties": {"name": {"kind": "string"}}}]
            """
        #expect(try registry.document(of: result.schemas) == json(expected))
    }

    @Test func modelsHaveNamesOfClasses() throws {
        let object = #""type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}"#
        let text = """
            {"openapi": "3.0.0", "components": {"schemas": {
              "simple-user": {\(object), "description": "A user."},
              "checkout.session": {"type": "object", "properties": {"line_item": {"type": "object", "properties": {}},
                "user": {"$ref": "#/components/schemas/simple-user"}}},
              "SimpleUser": {\(object)}, "account": {\(object)}, "Data": {\(object)},
              "pet": {\(object), "discriminator": {"propertyName": "kind", "mapping": {"dog": "#/components/schemas/big-dog"}}},
              "big-dog": {"allOf": [{"$ref": "#/components/schemas/pet"}, {"type": "object", "properties": {"a": {"type": "string"}}}]}
            }}}
            """
        let schemas = try SchemaRegistry().load(openAPI: Array(text.utf8)).schemas
        #expect(
            Set(schemas.map(\.name)) == [
                "SimpleUser2", "CheckoutSession", "CheckoutSessionLineItem", "SimpleUser", "Account", "ModelData",
                "Pet",
                "BigDog",
            ])
        func schema(_ name: String) -> ModelSchema? { schemas.first { $0.name == name } }
        #expect(schema("SimpleUser2")?.documentation == "A user.\n\nCalled \"simple-user\" in the contract.")
        #expect(schema("SimpleUser")?.documentation == "")
        #expect(schema("Account")?.documentation == "Called \"account\" in the contract.")
        #expect(schema("CheckoutSession")?.property("user")?.kind == .model("SimpleUser2"))
        #expect(schema("Pet")?.cluster == .discriminator("kind", ["dog": "BigDog"], default: "Pet"))
    }

    @Test func parentsAndChoices() throws {
        let contract = """
            {"$defs": {
              "Shape": {"oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}],
                "discriminator": {"propertyName": "kind", "mapping": {"circle": "#/$defs/Circle"}}},
              "Circle": {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "circle"}}},
              "Square": {"type": "object", "required": ["kind", "side"],
                "properties": {"kind": {"enum": ["square", "box"]}, "side": {"type": "number"}}},
              "Base": {"type": "object", "properties": {"id": {"type": ["integer", "null"]}}},
              "Child": {"allOf": [{"$ref": "#/$defs/Base"},
                {"type": "object", "properties": {"name": {"type": ["string", "null"]}}}]}}}
            """
        let registry = SchemaRegistry()
        let result = try registry.load(jsonSchema: Array(contract.utf8))
        let expected = """
            [{"name": "Shape", "cluster": {"discriminator": "kind",
                "models": {"circle": "Circle", "square": "Square", "box": "Square"}}},
             {"name": "Circle", "extends": "Shape", "properties": {
               "kind": {"kind": "enumeration", "cases": ["circle"], "required": true}}},
             {"name": "Square", "extends": "Shape", "properties": {
               "kind": {"kind": "enumeration", "cases": ["square", "box"], "required": true},
               "side": {"kind": "double", "required": true}}},
             {"name": "Base", "properties": {"id": {"kind": "integer"}}},
             {"name": "Child", "extends": "Base", "properties": {"name": {"kind": "string"}}}]
            """
        #expect(try registry.document(of: result.schemas) == json(expected))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Shape"), registry: registry)
        for (text, isValid) in [
            (#"{"kind": "circle"}"#, true), (#"{"kind": "box", "side": 1}"#, true), (#"{"kind": "box"}"#, false),
            (#"{"kind": "line"}"#, false), ("{}", false),
        ] { #expect(try adapter.report(from: json(text)).problems.isEmpty == isValid, "\(text)") }
    }

    @Test func membersAreThereAndNullAsTheContractSays() throws {
        let contract = """
            {"type": "object", "required": ["b", "c", "e"], "properties": {"a": {"type": "string"}, "b": {"type": "string"},
              "c": {"type": ["string", "null"]}, "d": {"type": "integer", "default": 1}, "e": {}, "f": {"type": ["string", "null"]}}}
            """
        var options = ContractOptions()
        options.model = "M"
        options.isLossless = true
        let registry = SchemaRegistry()
        let result = try registry.load(jsonSchema: Array(contract.utf8), options: options)
        let expected = """
            {"name": "M", "properties": {"a": {"kind": "string", "nullable": false}, "b": {"kind": "string", "required": true},
              "c": {"kind": "string", "required": true, "nullable": true},
              "d": {"kind": "integer", "nullable": false, "default": 1},
              "e": {"kind": "json", "required": true, "nullable": true}, "f": {"kind": "string"}}}
            """
        #expect(try registry.document(of: result.schemas[0]) == json(expected))
        let adapter = try JSONAdapter(schema: result.schemas[0], registry: registry)
        for (text, isValid) in [
            (#"{"b":"","c":null,"e":null}"#, true), (#"{"b":"","c":"","e":1,"a":"","d":2,"f":null}"#, true),
            (#"{"b":"","c":null,"e":1,"a":null}"#, false), (#"{"b":"","c":null,"e":1,"d":null}"#, false),
            (#"{"b":null,"c":null,"e":1}"#, false), (#"{"b":"","e":1}"#, false), (#"{"b":"","c":null}"#, false),
        ] {
            let report = adapter.report(from: Data(text.utf8))
            #expect(report.problems.isEmpty == isValid, "\(text)")
            if isValid {
                let model = try #require(report.models.first)
                #expect(try json(String(decoding: adapter.data(from: model), as: UTF8.self)) == json(text))
            }
        }
    }

    @Test func objectsWithoutOtherMembers() throws {
        let closed = #"{"type": "object", "properties": {}, "additionalProperties": false}"#
        let open = #"{"type": "object", "properties": {}}"#
        let part = ##"{"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"c": {"type": "string"}}}]}"##
        let registry = SchemaRegistry()
        let result = try registry.load(
            jsonSchema: Array("{\"$defs\": {\"A\": \(closed), \"B\": \(open), \"C\": \(part)}}".utf8))
        #expect(result.schemas.map(\.refusesUnknownMembers) == [true, false, false])
        #expect(result.losses.map(\.keyword) == ["additionalProperties"])
        for (name, isClosed) in [("A", true), ("B", false), ("C", false)] {
            let adapter = try JSONAdapter(schema: registry.schema(named: name), registry: registry)
            let problems = adapter.report(from: Data(#"{"x": 1}"#.utf8)).problems
            #expect(problems.map(\.code) == (isClosed ? [.unknownMember] : []))
        }
    }

    @Test(.trials, arguments: ["github", "tickets"])
    func exportedContractsGiveTheirSchemasBack(folder: String) throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(
            contentsOf: SharedData.repository.appendingPathComponent("Schemas/\(folder)"))
        func check(_ schema: ModelSchema?) throws {
            for direction in ContractDirection.allCases {
                let other = SchemaRegistry()
                let contract = try registry.jsonSchema(of: schema, isArray: schema != nil, direction: direction)
                let result = try other.load(jsonSchema: contract.bytes())
                for read in result.schemas { #expect(try registry.schema(named: read.name) == read) }
                #expect(schema.map { result.schemas.contains($0) } ?? (result.schemas.count == schemas.count))
            }
        }
        try check(nil)
        for seed in Trials(2, atMost: schemas.count) { try check(schemas[seed % schemas.count]) }
    }

    @Test func schemasThatDoNotDescribeTheContractAreRefused() throws {
        let registry = try loaded(#"{"name": "A", "properties": {"a": {"kind": "string"}}}"#)
        var contract = try #require(try registry.jsonSchema().objectValue)
        contract["$defs"] = ["A": ["type": "object", "properties": ["a": ["type": "integer"]]]]
        let bytes = try JSONValue.object(contract).bytes()
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(jsonSchema: bytes) }
        #expect(error?.description.contains("x-pallium: its schemas do not describe") == true)
    }

    @Test func componentsOfOpenAPI() throws {
        let document = """
            {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {}}, "components": {
              "responses": {}, "schemas": {"A": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "integer", "format": "int32"}, "at": {"type": ["string", "null"], "format": "date-time"},
                "day": {"type": ["string", "null"], "format": "date"}, "mail": {"type": ["string", "null"], "format": "email"},
                "bytes": {"type": ["string", "null"], "contentEncoding": "base64"},
                "next": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}}}}}}
            """
        let registry = SchemaRegistry()
        let result = try registry.load(openAPI: Array(document.utf8))
        let expected = """
            {"name": "A", "properties": {"id": {"kind": "int32", "required": true}, "at": {"kind": "date"},
              "day": {"kind": "date", "transformer": "DateOnly"}, "mail": {"kind": "string", "format": "email"},
              "bytes": {"kind": "data"}, "next": {"kind": "model", "model": "A"}}}
            """
        #expect(try registry.document(of: result.schemas[0]) == json(expected))
        let other = Array(#"{"components": {"schemas": {}}}"#.utf8)
        #expect(throws: SchemaError.self) { try SchemaRegistry().load(openAPI: other) }
    }
}
