import Foundation
import Pallium
import PalliumContracts
import Testing

/// The choices of reading a contract, and what becomes of null: the section *Reading contracts* of the article *Contracts*.
@Suite struct ContractChoiceTests {
    private static let contract = #"""
        {"title": "Issue", "type": "object", "required": ["id", "note"],
         "properties": {
           "id": {"type": "integer"}, "note": {"type": ["string", "null"]}, "text": {"type": "string"},
           "both": {"type": ["string", "null"]}, "when": {"type": "string", "format": "date-time"},
           "mail": {"type": "string", "format": "email"}, "mixed": {"type": ["string", "integer"]},
           "other": {"not": {"const": 3}}, "state": {"enum": ["open", "closed"]},
           "author": {"$ref": "#/$defs/author"}},
         "$defs": {"author": {"type": "object", "properties": {"login": {"type": "string"}}},
                   "label": {"type": "object", "properties": {"rest": {"contains": {}, "type": "array"}}}}}
        """#

    private func load(
        _ text: String = contract, _ change: (inout ContractOptions) -> Void = { _ in }
    ) throws -> (schemas: ContractSchemas, registry: SchemaRegistry) {
        var options = ContractOptions()
        change(&options)
        let registry = SchemaRegistry()
        let schemas = try registry.load(jsonSchema: Array(text.utf8), name: "a.json", options: options)
        return (schemas, registry)
    }

    private func verdict(_ registry: SchemaRegistry, _ name: String, _ document: String) throws -> Bool {
        let adapter = try JSONAdapter(schema: registry.schema(named: name), registry: registry)
        return adapter.report(from: document).problems.isEmpty
    }

    // MARK: Losses

    @Test func aContractIsReadAsFarAsItCanBeSaid() throws {
        let (schemas, registry) = try load()
        #expect(schemas.root == "Issue")
        #expect(schemas.losses.map(\.keyword) == ["type", "not", "contains"])
        #expect(schemas.losses.map(\.property) == ["mixed", "other", "rest"])
        #expect(schemas.losses.map(\.schema) == ["Issue", "Issue", "Label"])
        #expect(schemas.losses[0].source == "a.json:5:58" || schemas.losses[0].line == 5)
        #expect(schemas.losses[1].pointer == "/properties/other/not")
        #expect(schemas.propertyCount == 12 && schemas.typedPropertyCount == 10)
        // No document that the contract allows is refused.
        for value in ["1", "\"a\""] {
            #expect(try verdict(registry, "Issue", #"{"id": 1, "note": "", "mixed": \#(value)}"#))
        }
    }

    @Test func aLosslessReadingNamesEveryPlaceAndRegistersNothing() throws {
        let registry = SchemaRegistry()
        var options = ContractOptions()
        options.isLossless = true
        let error = #expect(throws: SchemaError.self) {
            try registry.load(jsonSchema: Array(Self.contract.utf8), name: "a.json", options: options)
        }
        let problems = try #require(error).problems.map(\.description)
        #expect(problems.count == 3 && problems.allSatisfy { $0.hasPrefix("a.json:") }, "\(problems)")
        #expect(registry.schemas.isEmpty)
    }

    /// What losses are not: annotations, and keywords and formats that nobody knows.
    @Test(arguments: [
        #""examples": [1]"#, #""deprecated": true"#, #""$comment": "a""#, #""x-mine": {"a": 1}"#,
        #""format": "unheard-of""#,
        #""title": "A""#, #""description": "a""#, #""default": "x""#, #""readOnly": true"#, #""writeOnly": true"#,
        #""contentMediaType": "text/plain""#,
    ])
    func annotationsAreNoLosses(_ member: String) throws {
        let text = #"{"title": "A", "type": "object", "properties": {"a": {"type": "string", \#(member)}}}"#
        #expect(try load(text).schemas.losses.isEmpty)
        #expect(try load(text) { $0.isLossless = true }.schemas.schemas.map(\.name) == ["A"])
    }

    @Test(arguments: [
        #"{"type": "string", "default": 5}"#, #"{"type": "string", "minLength": 3, "default": "x"}"#,
        #"{"type": "integer", "default": null}"#, #"{"enum": ["a"], "default": "b"}"#,
    ])
    func aDefaultThatDoesNotFitIsDropped(_ property: String) throws {
        let text = #"{"title": "A", "type": "object", "properties": {"a": \#(property)}}"#
        let (schemas, registry) = try load(text)
        #expect(schemas.losses.isEmpty)
        #expect(try verdict(registry, "A", "{}"))
    }

    @Test func aDefaultBesideRequiredIsDropped() throws {
        let text =
            #"{"title": "A", "type": "object", "required": ["a"], "properties": {"a": {"type": "string", "default": "x"}}}"#
        let (schemas, registry) = try load(text) { $0.isLossless = true }
        #expect(schemas.losses.isEmpty)
        #expect(try !verdict(registry, "A", "{}"))
    }

    // MARK: Formats, cases, models

    @Test func formatsAreRulesOrText() throws {
        let (_, rules) = try load()
        #expect(try !verdict(rules, "Issue", #"{"id": 1, "note": null, "when": "yesterday"}"#))
        #expect(try !verdict(rules, "Issue", #"{"id": 1, "note": null, "mail": "a"}"#))
        let (schemas, texts) = try load { $0.readsFormatsAsText = true }
        #expect(schemas.losses.map(\.keyword) == ["type", "not", "contains"])
        #expect(try verdict(texts, "Issue", #"{"id": 1, "note": null, "when": "yesterday", "mail": "a"}"#))
    }

    @Test func formatsOfOpenAPIAreKindsOrText() throws {
        let text = #"""
            {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "components": {"schemas": {
              "Pet": {"type": "object", "required": ["tag"], "properties": {
                "at": {"type": "string", "format": "date-time"}, "day": {"type": "string", "format": "date"},
                "id": {"type": "string", "format": "uuid"}, "link": {"type": "string", "format": "uri"},
                "bytes": {"type": "string", "format": "byte"}, "small": {"type": "integer", "format": "int8"},
                "span": {"type": "string", "format": "duration"}, "real": {"type": "number", "format": "float"},
                "tag": {"type": ["string", "null"]}, "text": {"type": "string"}}}}}}
            """#
        func kinds(_ isText: Bool) throws -> [String: String] {
            var options = ContractOptions()
            options.readsFormatsAsText = isText
            options.isLossless = true
            let schemas = try SchemaRegistry().load(openAPI: Array(text.utf8), name: "a.json", options: options)
            return Dictionary(uniqueKeysWithValues: schemas.schemas[0].properties.map { ($0.key, $0.schema.kind.name) })
        }
        #expect(
            try kinds(false)
                == [
                    "at": "date", "day": "date", "id": "uuid", "link": "url", "bytes": "data", "small": "int8",
                    "span": "string", "real": "double", "tag": "string", "text": "string",
                ])
        #expect(
            try kinds(true)
                == [
                    "at": "string", "day": "string", "id": "string", "link": "string", "bytes": "string",
                    "small": "int8",
                    "span": "string", "real": "double", "tag": "string", "text": "string",
                ])
    }

    @Test func unknownCasesAreKeptIfAsked() throws {
        #expect(try !verdict(load().registry, "Issue", #"{"id": 1, "note": null, "state": "torn"}"#))
        #expect(
            try verdict(
                load { $0.keepsUnknownCases = true }.registry, "Issue", #"{"id": 1, "note": null, "state": "torn"}"#))
        #expect(
            try !verdict(
                load { $0.keepsUnknownCases = true }.registry, "Issue", #"{"id": 1, "note": null, "state": 1}"#))
    }

    @Test(arguments: [("author", ["Author"]), ("label", ["Label"]), ("Whole", ["Whole", "Author"])])
    func aModelIsADefinitionOrTheNameOfTheRoot(name: String, expected: [String]) throws {
        let (schemas, _) = try load { $0.model = name }
        #expect(Set(schemas.schemas.map(\.name)).isSuperset(of: expected))
        #expect(schemas.schemas.count <= expected.count + 1)
        // The places of what is not read are no losses.
        if name == "author" { #expect(schemas.losses.isEmpty && schemas.schemas.count == 1) }
    }

    // MARK: Null

    /// A member, whether it is required, and what becomes of it when it is absent and when it is null.
    @Test(arguments: [
        (#"{"type": "string"}"#, false, true, false), (#"{"type": ["string", "null"]}"#, false, true, true),
        (#"{"type": "string"}"#, true, false, false), (#"{"type": ["null", "string"]}"#, true, false, true),
        (#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#, true, false, true),
        (#"{"enum": ["a", null]}"#, true, false, true),
        (#"{"enum": ["a"]}"#, false, true, false), (#"{"type": "array"}"#, false, true, false),
        (#"{"type": ["object", "null"], "properties": {}}"#, true, false, true),
        (#"{"type": "object", "properties": {"x": {}}}"#, false, true, false),
        (#"{"type": ["array", "null"], "items": {"type": "string"}}"#, false, true, true), (#"{}"#, true, false, true),
        (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, false, true, false),
        (#"{"type": ["string", "integer"]}"#, false, true, false), (#"{"type": "boolean"}"#, true, false, false),
        (#"{"oneOf": [{"type": "null"}, {"type": "string", "format": "date-time"}]}"#, false, true, true),
    ])
    func nullAndAbsenceAreReadAsTheContractSays(property: String, isRequired: Bool, mayBeAbsent: Bool, mayBeNull: Bool)
        throws
    {
        let required = isRequired ? #", "required": ["a"]"# : ""
        let (_, registry) = try load(
            #"{"title": "A", "type": "object", "properties": {"a": \#(property)}\#(required)}"#)
        #expect(try verdict(registry, "A", "{}") == mayBeAbsent)
        #expect(try verdict(registry, "A", #"{"a": null}"#) == mayBeNull)
        // What is written of the schema says the same.
        let again = SchemaRegistry()
        try again.load(jsonSchema: registry.jsonSchema(of: registry.schema(named: "A")).bytes())
        #expect(try verdict(again, "A", "{}") == mayBeAbsent && verdict(again, "A", #"{"a": null}"#) == mayBeNull)
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {"type": ["string", "null"]}}"#, "[null]", true),
        (#"{"type": "array", "items": {"type": "string"}}"#, "[null]", false),
        (#"{"type": "object", "additionalProperties": {"type": ["integer", "null"]}}"#, #"{"k": null}"#, true),
        (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"k": null}"#, false),
        (#"{"type": "array"}"#, "[null]", true), (#"{"type": "array", "items": true}"#, "[null]", true),
    ])
    func elementsMayBeNullIfTheContractSaysSo(property: String, value: String, isAllowed: Bool) throws {
        let (_, registry) = try load(#"{"title": "A", "type": "object", "properties": {"a": \#(property)}}"#)
        #expect(try verdict(registry, "A", #"{"a": \#(value)}"#) == isAllowed)
    }

    @Test func nullableOfOpenAPIIsNull() throws {
        let text = #"""
            {"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {}, "components": {"schemas": {
              "Pet": {"type": "object", "required": ["a", "b"], "properties": {
                "a": {"type": "string", "nullable": true}, "b": {"type": "string"}, "c": {"type": "string", "nullable": true},
                "d": {"type": "string"}}}}}}
            """#
        let registry = SchemaRegistry()
        try registry.load(openAPI: Array(text.utf8), name: "a.json")
        #expect(try verdict(registry, "Pet", #"{"a": null, "b": "", "c": null}"#))
        for document in [#"{"b": ""}"#, #"{"a": "", "b": null}"#, #"{"a": "", "b": "", "d": null}"#] {
            #expect(try !verdict(registry, "Pet", document), "\(document)")
        }
    }
}
