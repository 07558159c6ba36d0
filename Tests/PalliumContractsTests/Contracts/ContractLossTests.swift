import Pallium
import PalliumContracts
import Testing

/// A contract with places that schemas cannot express, and the beginnings of the messages about them.
struct RefusedContract: CustomTestStringConvertible, Sendable {
    let contract: String
    let problems: [String]

    init(_ contract: String, _ problems: String...) {
        self.contract = contract
        self.problems = problems
    }

    var testDescription: String { contract }
}

/// Contracts that schemas cannot express as a whole.
///
/// *Contracts*: such a place is named as a loss, and refused if the import shall lose nothing.
@Suite struct ContractLossTests {
    static let refused = [
        RefusedContract("[]", "c:1:1: expected a schema"),
        RefusedContract("{", "c:1:2: the document is not valid JSON"),
        RefusedContract(#"{"type": "array"}"#, "c:1:1: C: root: is neither an object nor a list"),
        RefusedContract(
            #"{"title": "A", "type": "object", "properties": {}, "patternProperties": {"a": {}}, "requird": []}"#,
            "c:1:74: A: patternProperties: "),
        RefusedContract(
            #"{"title": "A", "properties": {}}"#, "c:1:1: A: root: may be null", "c:1:1: A: type: is absent"),
        RefusedContract(
            #"{"title": "A", "type": "object", "required": ["b"], "properties": {"a": {"type": "text"}}}"#,
            "c:1:82: A.a: type: \"text\" is no type"),
        RefusedContract(
            #"{"title": "A", "type": "object", "properties": {"a": {"minimum": 1}, "b": {"type": "string"}}}"#,
            "c:1:66: A.a: minimum: a schema without a type"),
        RefusedContract(
            #"{"title": "A", "type": "object", "properties": {"a": {"properties": {"b": {"type": "string"}, "c": {}}}}}"#,
            "c:1:70: A.a: properties: a schema without a type"),
        RefusedContract(
            #"{"title": "A", "type": "object", "properties": {"a": {"type": ["string", "null"], "pattern": "("}}}"#,
            "c:1:94: A.a: pattern: "),
        RefusedContract(
            #"{"title": "A", "type": "object", "properties": {"a": {"enum": ["a", 1, null]}, "b": {"enum": [true, null]}}}"#,
            "c:1:55: A.a: enum: the values are of several kinds", "c:1:86: A.b: enum: true and false"),
        RefusedContract(
            ##"{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}"##,
            "c:1:17: A: $ref: leads to itself"
        ),
        RefusedContract(
            ##"{"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}}"##,
            "c:1:17: A: $ref: leads to itself"
        ),
        RefusedContract(
            ##"{"$defs": {"Abc": {"$ref": "#/$defs/Abd"}}}"##,
            "c:1:28: Abc: $ref: \"#/$defs/Abd\" is not followed: it leads nowhere"),
        RefusedContract(
            #"{"$defs": {"A": {"$ref": "https://example.org/a"}}}"#,
            "c:1:26: A: $ref: \"https://example.org/a\" is not followed: it leads to another document"),
        RefusedContract(
            #"{"$defs": {"A": {"type": "integer", "minimum": 1e99999}, "B": {"const": 12345678901234567890}}}"#,
            "c:1:48: A: minimum: ", "c:1:64: B: enum: the values are of several kinds"),
        RefusedContract(
            #"{"$defs": {"A": {"type": "string", "nullable": true, "type": "string"}}}"#,
            "c:1:54: A: type: occurs twice"),
    ]

    @Test(arguments: refused)
    func whatSchemasCannotSayIsRefusedWithItsPlace(example: RefusedContract) {
        let registry = SchemaRegistry()
        var options = ContractOptions()
        options.isLossless = true
        let error = #expect(throws: SchemaError.self) {
            try registry.load(jsonSchema: Array(example.contract.utf8), name: "c", options: options)
        }
        let problems = error?.problems.map(\.description) ?? []
        #expect(problems.count == example.problems.count, "\(problems)")
        for (problem, expected) in zip(problems, example.problems) {
            #expect(problem.hasPrefix(expected), "\(problem)")
        }
        #expect(registry.schemas.isEmpty)
    }

    @Test(arguments: refused.dropFirst(2))
    func whatSchemasCannotSayIsNamed(example: RefusedContract) throws {
        let result = try SchemaRegistry().load(jsonSchema: Array(example.contract.utf8), name: "c")
        #expect(result.losses.count == example.problems.count)
        for (loss, expected) in zip(result.losses, example.problems) {
            #expect(loss.description.hasPrefix(expected), "\(loss)")
        }
    }

    @Test func manyAndDeepDefinitions() throws {
        func contract(_ count: Int, _ definition: (Int) -> String) -> [UInt8] {
            let definitions = (0..<count).map { "\"D\($0)\": \(definition($0))" }
            return Array("{\"$defs\": {\(definitions.joined(separator: ","))}}".utf8)
        }
        let objects = contract(10_000) { _ in #"{"type": "object", "properties": {"a": {"type": ["string", "null"]}}}"#
        }
        #expect(try SchemaRegistry().load(jsonSchema: objects).schemas.count == 10_000)
        let chain = contract(10_000) { number in
            number < 9999
                ? "{\"$ref\": \"#/$defs/D\(number + 1)\"}" : #"{"type": "object", "properties": {}}"#
        }
        #expect(try SchemaRegistry().load(jsonSchema: chain).schemas.map(\.name) == ["D9999"])
        let lists = contract(10_000) { number in
            "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/D\((number + 9999) % 10_000)\"}}"
        }
        #expect(try !SchemaRegistry().load(jsonSchema: lists).losses.isEmpty)
        let cases = (0..<10_000).map { "\"t\($0)\"" }.joined(separator: ",")
        let uses = (0..<5_000).map { "\"p\($0)\": {\"anyOf\": [{\"$ref\": \"#/$defs/E\"}, {\"type\": \"null\"}]}" }
        let repeated = """
            {"$defs": {"E": {"enum": [\(cases)]}, "M": {"type": "object", "properties": {\(uses.joined(separator: ","))}}}}
            """
        #expect(try SchemaRegistry().load(jsonSchema: Array(repeated.utf8)).losses.map(\.keyword) == ["$ref"])
        let deep = String(repeating: #"{"items": "#, count: 1000) + "{}" + String(repeating: "}", count: 1000)
        #expect(throws: SchemaError.self) { try SchemaRegistry().load(jsonSchema: Array(deep.utf8)) }
    }
}
