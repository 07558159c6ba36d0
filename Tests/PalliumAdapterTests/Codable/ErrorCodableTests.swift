import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What a server answers with an error: one line.
@Suite("Errors through Codable")
struct ErrorCodableTests {
    private func encoded(_ error: some Encodable) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try JSONValue(parsing: [UInt8](encoder.encode(error)))
    }

    @Test func anErrorIsAnObject() throws {
        let adapter = try Plain.adapter(["n": .array(of: .integer)])
        let error = try #require(adapter.problem(of: "{\"n\":\n [\"x\"]}"))
        #expect(
            try encoded(error) == [
                "code": "typeMismatch", "category": "unexpectedData", "schema": "Plain", "property": "n",
                "pointer": "/n/0", "line": 2, "column": 3, "offset": 8, "expected": "an integer", "found": "\"x\"",
                "parameters": ["kind": "integer", "found": "string"], "ruleMessage": nil,
                "message": "expected an integer but found \"x\" at /n/0",
            ])
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test func whatDoesNotApplyIsNull() throws {
        let error = ModelError(.unknownProfile, expected: "a", found: "b")
        #expect(
            try encoded(error) == [
                "code": "unknownProfile", "category": "misuse", "schema": nil, "property": nil, "pointer": nil,
                "line": nil, "column": nil, "offset": nil, "expected": "a", "found": "b",
                "parameters": nil, "ruleMessage": nil, "message": "expected a but found b",
            ])
    }

    @Test func severalProblemsAreListed() throws {
        let schema = ModelSchema("Two", ["a": .integer.required, "b": .integer.required])
        let registry = try SchemaRegistry.of(schema)
        let error = try #require(throws: ModelError.self) {
            try DynamicModel(schema: schema, values: [:], registry: registry)
        }
        let value = try encoded(error)
        #expect(value["code"] == "several")
        #expect(value["problems"]?.arrayValue?.map { $0["property"] } == ["a", "b"])
        #expect(value["problems"]?.arrayValue?.first?["code"] == "missingProperty")
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test func aSchemaErrorListsItsProblems() throws {
        let error = SchemaError([
            .init(schema: "A", property: "b", message: "is wrong", fix: "mend it", source: "a.json:1:2"),
            .init(message: "no"),
        ])
        #expect(
            try encoded(error) == [
                "message": .string(error.description),
                "problems": [
                    ["schema": "A", "property": "b", "message": "is wrong", "fix": "mend it", "source": "a.json:1:2"],
                    ["schema": nil, "property": nil, "message": "no", "fix": nil, "source": nil],
                ],
            ])
        #expect((error as any Error).localizedDescription == error.description)
    }
}
