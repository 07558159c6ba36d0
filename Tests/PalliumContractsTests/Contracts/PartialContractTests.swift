import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// A contract, its schemas, and the keywords that are lost.
struct PartialContract: CustomTestStringConvertible, Sendable {
    let contract: String
    let schemas: String
    let lost: [String]

    init(_ contract: String, _ schemas: String, lost: [String] = []) {
        self.contract = contract
        self.schemas = schemas
        self.lost = lost
    }

    /// A model with one required property.
    static func value(_ schema: String, _ property: String, dialect: String = "", lost: [String] = []) -> Self {
        PartialContract(
            """
            {\(dialect)"title": "M", "type": "object", "required": ["v"], "properties": {"v": \(schema)},
             "$defs": {"T": {"type": "string"}}}
            """,
            """
            [{"name": "M", "properties": {"v": \(property)}}]
            """, lost: lost)
    }

    var testDescription: String { contract }
}

/// The section *What is read* of the article *Contracts*: what contracts of other versions and other authors become.
@Suite struct PartialContractTests {
    private static let draft4: String = ##""$schema": "http://json-schema.org/draft-04/schema#", "##
    private static let jsonKind: String = #"{"kind": "json", "required": true}"#

    static let values: [PartialContract] = [
        PartialContract.value(
            #"{"type": "integer", "minimum": 1, "exclusiveMinimum": true}"#,
            #"{"kind": "integer", "required": true, "exclusiveMinimum": 1}"#, dialect: draft4),
        .value(
            ##"{"$ref": "#/$defs/T", "minLength": 3}"##, #"{"kind": "string", "required": true}"#, dialect: draft4),
        .value(
            ##"{"$ref": "#/$defs/T", "minLength": 3}"##, #"{"kind": "string", "required": true, "minLength": 3}"#),
        .value(
            #"{"allOf": [{"type": "string", "maxLength": 5}, {"maxLength": 3}, {"minLength": 1}]}"#,
            #"{"kind": "string", "required": true, "minLength": 1, "maxLength": 3}"#),
        .value(#"{"type": ["string", "integer"]}"#, jsonKind, lost: ["type"]),
        .value(#"{"oneOf": [{"type": "string"}, {"type": "array"}]}"#, jsonKind, lost: ["oneOf"]),
        .value(
            #"{"anyOf": [{"type": "string", "minLength": 3}, {"type": "string", "pattern": "^a"}]}"#,
            #"{"kind": "string", "required": true}"#, lost: ["anyOf"]),
        .value(
            #"{"oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}"#,
            #"{"kind": "enumeration", "required": true, "cases": ["a", "b"]}"#),
        .value(
            #"{"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}"#,
            #"{"kind": "enumeration", "required": true, "cases": ["a", "b"], "unknown": "keep"}"#),
        .value(#"{"enum": [true]}"#, #"{"kind": "bool", "required": true}"#, lost: ["enum"]),
        .value(
            #"{"type": "array", "items": [{"type": "string"}], "additionalItems": false}"#,
            #"{"kind": "array", "of": {"kind": "json", "nullable": true}, "required": true}"#, dialect: draft4,
            lost: ["prefixItems"]),
        .value(
            #"{"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": false}"#,
            #"{"kind": "dictionary", "of": {"kind": "integer"}, "required": true}"#, lost: ["patternProperties"]),
        .value(
            #"{"type": "string", "format": "colour", "unheard": 1, "not": {"const": "x"}}"#,
            #"{"kind": "string", "required": true}"#, lost: ["not"]),
        .value(#"{"$ref": "other.json"}"#, #"{"kind": "json", "required": true, "nullable": true}"#, lost: ["$ref"]),
        // Null is no text, though an alternative without a type has it.
        .value(
            #"{"type": "string", "oneOf": [{"pattern": "a"}, {"const": "b"}]}"#,
            #"{"kind": "enumeration", "cases": ["b"], "unknown": "keep", "required": true}"#, lost: ["oneOf"]),
        .value(
            #"{"type": "string", "anyOf": [{"minLength": 2}, {"enum": ["b", null]}]}"#,
            #"{"kind": "enumeration", "cases": ["b"], "unknown": "keep", "required": true}"#, lost: ["anyOf"]),
        .value(
            #"{"type": ["string", "null"], "anyOf": [{"minLength": 2}, {"enum": ["b"]}]}"#,
            #"{"kind": "enumeration", "cases": ["b"], "unknown": "keep", "required": true, "nullable": true}"#,
            lost: ["anyOf"]),
        .value(
            ##"{"$ref": "#/properties/v/x/y", "x": {"y": {"type": "string"}}}"##,
            #"{"kind": "string", "required": true}"#),
        .value(
            #"{"type": "string", "default": 5, "minLength": "a"}"#, #"{"kind": "string", "required": true}"#,
            lost: ["minLength"]),
    ]

    static let models: [PartialContract] = [
        // Members that nothing describes, and several parents.
        PartialContract(
            ##"""
            {"$defs": {
              "A": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
              "B": {"type": "object", "required": ["b", "x"], "properties": {"b": {"type": "integer"}}},
              "C": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}, {"properties": {"a": {"maxLength": 3}}}]},
              "D": {"allOf": [{"$ref": "#/$defs/A"}]}}}
            """##,
            """
            [{"name": "A", "properties": {"a": {"kind": "string", "required": true}}},
             {"name": "B", "properties": {"b": {"kind": "integer", "required": true}, "x": {"kind": "json", "required": true, "nullable": true}}},
             {"name": "C", "properties": {"a": {"kind": "string", "required": true, "maxLength": 3},
               "b": {"kind": "integer", "required": true}, "x": {"kind": "json", "required": true, "nullable": true}}}]
            """),
        // A union by constants, a model in a second union, and one that extends a member without being one.
        PartialContract(
            ##"""
            {"$defs": {
              "U": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
              "V": {"oneOf": [{"$ref": "#/$defs/A"}, {"type": "object", "required": ["t"], "properties": {"t": {"const": true}}}]},
              "A": {"type": "object", "required": ["t"], "properties": {"t": {"const": "a"}}},
              "B": {"type": "object", "required": ["t"], "properties": {"t": {"enum": [1, 2]}}},
              "C": {"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"c": {}}}]}}}
            """##,
            """
            [{"name": "U", "cluster": {"discriminator": "t", "models":
               [{"tag": "a", "model": "A"}, {"tag": 1, "model": "B"}, {"tag": 2, "model": "B"}]}},
             {"name": "A", "extends": "U", "properties":
               {"t": {"kind": "enumeration", "cases": ["a"], "required": true}}},
             {"name": "B", "extends": "U", "properties":
               {"t": {"kind": "enumeration", "cases": [1, 2], "required": true}}},
             {"name": "V", "cluster": {"discriminator": "t", "models":
               [{"tag": "a", "model": "VA"}, {"tag": true, "model": "VTrue"}]}},
             {"name": "VTrue", "extends": "V", "properties": {"t": {"kind": "bool", "required": true}}},
             {"name": "C", "properties": {"t": {"kind": "enumeration", "cases": ["a"], "required": true}, "c": {"kind": "json"}}},
             {"name": "VA", "extends": "V", "properties":
               {"t": {"kind": "enumeration", "cases": ["a"], "required": true}}}]
            """, lost: ["enum"]),
        // One alternative may be without the tag.
        PartialContract(
            ##"""
            {"title": "U", "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {
              "A": {"type": "object", "required": ["t"], "properties": {"t": {"const": "a"}}},
              "B": {"type": "object", "properties": {"t": {"enum": ["b", null]}}}}}
            """##,
            """
            [{"name": "A", "extends": "U", "properties":
               {"t": {"kind": "enumeration", "cases": ["a"], "required": true}}},
             {"name": "B", "extends": "U", "properties": {"t": {"kind": "enumeration", "cases": ["b"]}}},
             {"name": "U", "cluster": {"discriminator": "t", "models": {"a": "A"}, "default": "B"}}]
            """),
        // A model or its identity. Rules that differ, and an object that may be nothing else, are lost.
        PartialContract(
            ##"""
            {"$defs": {
              "Charge": {"type": "object", "properties": {
                "customer": {"anyOf": [{"type": "string", "maxLength": 9}, {"$ref": "#/$defs/Customer"}, {"type": "null"}]},
                "payers": {"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/Customer"}, {"type": "string", "maxLength": 9}]}},
                "other": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Customer"}]},
                "least": {"anyOf": [{"type": "integer"}, {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}]}}},
              "Customer": {"type": "object", "required": ["id", "name"], "properties": {
                "id": {"type": "string", "maxLength": 9}, "name": {"type": "string"}}}}}
            """##,
            """
            [{"name": "Charge", "properties": {
               "customer": {"kind": "model", "model": "Customer", "orIdentity": true},
               "payers": {"kind": "array", "of": {"kind": "model", "model": "Customer", "orIdentity": true}, "nullable": false},
               "other": {"kind": "json", "nullable": false}, "least": {"kind": "json", "nullable": false}}},
             {"name": "Customer", "identity": "id", "allowsStubs": true, "properties":
               {"id": {"kind": "string", "required": true, "maxLength": 9}, "name": {"kind": "string", "required": true}}}]
            """, lost: ["anyOf", "anyOf"]),
        // A root that is a list, and one that is no model.
        PartialContract(
            #"{"title": "L", "type": "array", "items": {"type": "object", "properties": {"a": {}}}}"#,
            #"[{"name": "L", "properties": {"a": {"kind": "json"}}}]"#),
        PartialContract(
            #"{"title": "L", "type": "object", "additionalProperties": {"type": "object", "properties": {"a": {}}}}"#,
            #"[{"name": "L2", "properties": {"a": {"kind": "json"}}}]"#, lost: ["root"]),
    ]

    @Test(arguments: values + models) func aPlaceBecomesWhatSchemasCanSay(example: PartialContract) throws {
        let registry = SchemaRegistry()
        let result = try registry.load(jsonSchema: Array(example.contract.utf8))
        #expect(try registry.document(of: result.schemas) == JSONValue(parsing: example.schemas))
        #expect(result.losses.map(\.keyword).sorted() == example.lost.sorted(), "\(result.losses)")
    }

    @Test func parentsWithADiscriminatorChooseAmongTheirChildren() throws {
        let contract = ##"""
            {"openapi": "3.0.3", "components": {"schemas": {
              "Pet": {"required": ["type"], "properties": {"type": {"type": "string"}},
                "discriminator": {"propertyName": "type", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}}},
              "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "required": ["lives"],
                "properties": {"type": {"type": "string"}, "lives": {"type": "integer", "nullable": true, "format": "int64"}}}]},
              "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "properties": {}}]}}}}
            """##
        let registry = SchemaRegistry()
        let result = try registry.load(openAPI: Array(contract.utf8))
        #expect(Set(result.losses.map(\.keyword)) == ["discriminator", "type"])
        let adapter = try JSONAdapter(schema: registry.schema(named: "Pet"), registry: registry)
        for (text, name) in [
            (#"{"type":"cat","lives":9}"#, "Cat"), (#"{"type":"dog"}"#, "Dog"), (#"{"type":"bird"}"#, "Pet"),
        ] {
            let model = try adapter.model(from: text)
            #expect(model.schema.name == name)
            #expect(try JSONValue(parsing: adapter.data(from: model)) == JSONValue(parsing: text))
        }
    }

    @Test func definitionsOfSwaggerAreRead() throws {
        let contract = ##"""
            {"swagger": "2.0", "definitions": {"A": {"properties": {"b": {"$ref": "#/parameters/P/schema"},
              "f": {"type": "number", "format": "float", "x-nullable": true}}}},
             "parameters": {"P": {"schema": {"type": "object", "properties": {"x": {"type": "string", "x-nullable": true}}}}}}
            """##
        let registry = SchemaRegistry()
        let result = try registry.load(openAPI: Array(contract.utf8))
        let expected = """
            [{"name": "A", "properties": {"b": {"kind": "model", "model": "AB", "nullable": false}, "f": {"kind": "double"}}},
             {"name": "AB", "properties": {"x": {"kind": "string"}}}]
            """
        #expect(try registry.document(of: result.schemas) == JSONValue(parsing: expected))
    }

    /// References, unions and parts that multiply take no more time than their document's size allows.
    @Test func hostileContracts() throws {
        func contract(_ count: Int, _ definition: (Int) -> String) -> [UInt8] {
            let definitions = (0..<count).map { "\"D\($0)\": \(definition($0))" }
            return Array("{\"$defs\": {\(definitions.joined(separator: ","))}}".utf8)
        }
        let doubling = contract(600) { number in
            let next = "{\"$ref\": \"#/$defs/D\(number + 1)\"}"
            return number == 599
                ? #"{"type": "string"}"# : "{\"allOf\": [\(next), \(next), {\"minLength\": \(number)}]}"
        }
        _ = try SchemaRegistry().load(jsonSchema: doubling)
        let unions = contract(500) { number in
            let next = (1...3).map { "{\"$ref\": \"#/$defs/D\((number + $0) % 500)\"}" }.joined(separator: ",")
            return "{\"oneOf\": [\(next)]}"
        }
        _ = try SchemaRegistry().load(jsonSchema: unions)
        let itself =
            ##"{"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}, "B": {"allOf": [{"$ref": "#/$defs/B"}, {"properties": {}}]}}}"##
        _ = try SchemaRegistry().load(jsonSchema: Array(itself.utf8))
    }
}
