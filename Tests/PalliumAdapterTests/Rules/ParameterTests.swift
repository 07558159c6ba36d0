import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// Each code and each rule has the parameters that the table in *Errors* lists, in Swift and in JSON.
struct ParameterTests {
    /// A property, a value that is refused, and the parameters of the problem.
    struct Row: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let value: String
        let parameters: ModelError.Parameters
        let json: JSONValue

        init(_ property: PropertySchema, _ value: String, _ parameters: ModelError.Parameters, _ json: JSONValue) {
            self.property = property
            self.value = value
            self.parameters = parameters
            self.json = json
        }

        var testDescription: String { "\(property.kind.name) \(property.rules) \(value)" }
    }

    private static func rule(
        _ property: PropertySchema, _ rule: PropertySchema.Rule, _ value: String, limit: JSONValue, found: JSONValue
    ) -> Row {
        Row(
            property.rules(rule), value, .rule(rule, found: found),
            ["rule": .string(rule.name), "limit": limit, "found": found])
    }

    private static func kind(_ property: PropertySchema, _ value: String, _ expected: String, _ found: String) -> Row {
        Row(
            property, value, .kind(expected: expected, found: found),
            ["kind": .string(expected), "found": .string(found)])
    }

    static let rows: [Row] = [
        rule(.integer, .minimum(3), "1", limit: 3, found: 1),
        rule(.double, .maximum(3), "4.5", limit: 3, found: 4.5),
        rule(.integer, .exclusiveMinimum(3), "3", limit: 3, found: 3),
        rule(.integer, .exclusiveMaximum(3), "3", limit: 3, found: 3),
        rule(.integer, .multipleOf(3), "4", limit: 3, found: 4),
        rule(.string, .minLength(3), #""ä""#, limit: 3, found: 1),
        rule(.string, .maxLength(3), #""long""#, limit: 3, found: 4),
        rule(.string, .pattern("^a"), #""b""#, limit: "^a", found: "b"),
        rule(.string, .format("email"), #""b""#, limit: "email", found: "b"),
        rule(.array(of: .integer), .minCount(2), "[1]", limit: 2, found: 1),
        rule(.array(of: .integer), .maxCount(2), "[1,2,3]", limit: 2, found: 3),
        rule(.array(of: .integer), .unique, "[1,2,1]", limit: true, found: 0),
        Row(
            .enumeration("open", "closed"), #""torn""#, .cases([.text("open"), .text("closed")], found: "torn"),
            ["cases": ["open", "closed"], "found": "torn"]),
        kind(.integer, #""7""#, "integer", "string"), kind(.integer, "1.5", "integer", "number"),
        kind(.string, "7", "string", "number"), kind(.bool, "[]", "bool", "array"),
        kind(.url, "{}", "url", "object"), kind(.date, "true", "date", "boolean"),
        kind(.date, #""yesterday""#, "date", "string"), kind(.array(of: .string), "7", "array", "number"),
        kind(.string.required, "null", "string", "null"), kind(.integer(as: Int8.self), "300", "int8", "number"),
    ]

    @Test(arguments: rows) func aProblemHasTheParametersOfItsCode(row: Row) throws {
        let schema = ModelSchema("Row", ["value": row.property.required])
        let adapter = try JSONAdapter(schema: schema, registry: SchemaRegistry.of([schema]))
        let text = #"{"value":\#(row.value)}"#
        let error = try #require(throws: ModelError.self) { try adapter.model(from: text) }
        #expect(error.parameters == row.parameters)
        #expect(try members(of: error)["parameters"] == row.json)
        let problems = adapter.report(from: text).problems
        #expect(problems.map(\.parameters) == [row.parameters])
        #expect(problems.first?.byProperty.keys.sorted() == ["value"])
    }

    private func members(of error: ModelError) throws -> JSONObject {
        let encoder = JSONEncoder()
        let text = try [UInt8](encoder.encode(error))
        return try #require(try JSONValue(parsing: text).objectValue)
    }

    @Test(arguments: rows) func aValueWithALabelIsNotInTheParameters(row: Row) throws {
        let schema = ModelSchema("Row", ["value": row.property.required.labels("secret")])
        let adapter = try JSONAdapter(schema: schema, registry: SchemaRegistry.of([schema]))
        let error = try #require(throws: ModelError.self) { try adapter.model(from: #"{"value":\#(row.value)}"#) }
        let found: JSONValue? =
            switch error.parameters {
            case .rule(_, let found), .cases(_, let found): found
            case .kind(_, let found): found.map { .string($0) }
            default: "parameters of another kind"
            }
        #expect(found == nil)
    }

    // MARK: Missing members and rules over several properties

    private static let booking = ModelSchema(
        "Booking",
        [
            "name": .string.required.json("guest.name"), "email": .string.rules(.format("email")), "from": .date,
            "to": .date,
        ]
    ).rules(.before("from", "to"))

    private func bookings() throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: Self.booking, registry: SchemaRegistry.of([Self.booking]))
    }

    @Test func aMissingMemberHasItsOwnPointer() throws {
        let problems = try bookings().report(from: #"[{"guest":{"name":"A"}},{"guest":{}},{}]"#).problems
        #expect(
            problems.map(\.parameters) == [
                .member(JSONPointer(tokens: ["1", "guest", "name"])),
                .member(JSONPointer(tokens: ["2", "guest", "name"])),
            ])
    }

    @Test func aRuleOverSeveralPropertiesTellsItsKeys() throws {
        let text = #"{"guest":{"name":"A"},"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}"#
        let error = try #require(throws: ModelError.self) { try bookings().model(from: text) }
        #expect(error.parameters == .modelRule(.before("from", "to")))
        #expect(try members(of: error)["parameters"] == ["rule": "before", "keys": ["from", "to"]])
    }

    /// Members of a booking whose dates are in the wrong order, and the codes of its problems.
    @Test(arguments: [
        (#""email":"x""#, ["ruleBroken", "ruleBroken"]), (#""email":7"#, ["typeMismatch", "ruleBroken"]),
        (#""guest":{}"#, ["missingProperty", "ruleBroken"]), (#""guest":{"name":1}"#, ["typeMismatch", "ruleBroken"]),
        (#""from":"x""#, ["invalidValue"]), (#""to":true"#, ["typeMismatch"]),
    ]) func aReportHasTheRulesOverSoundProperties(member: String, codes: [String]) throws {
        var members = [
            #""guest":{"name":"A"}"#, #""from":"2026-02-01T00:00:00Z""#, #""to":"2026-01-01T00:00:00Z""#,
        ]
        let name = member.prefix { $0 != ":" }
        members.removeAll { $0.hasPrefix(name) }
        let report = try bookings().report(from: "{\((members + [member]).joined(separator: ","))}")
        #expect(report.problems.map(\.code.rawValue) == codes)
    }

    @Test func validateTellsTheRulesOverSoundProperties() throws {
        let registry = try SchemaRegistry.of([Self.booking])
        let model = try DynamicModel(
            schema: registry.schema(named: "Booking"), values: ["name": "A"], registry: registry)
        try model.setValue("x", forKey: "email")
        try model.setValue(Date(timeIntervalSince1970: 2), forKey: "from")
        try model.setValue(Date(timeIntervalSince1970: 1), forKey: "to")
        let error = try #require(throws: ModelError.self) { try model.validate() }
        #expect(
            error.problems.map(\.parameters) == [
                .rule(.format("email"), found: "x"), .modelRule(.before("from", "to")),
            ])
        #expect(error.byProperty.keys.sorted() == ["email", "from"])
    }

    @Test func theAppWritesTheSentencesItKnows() throws {
        let error = try #require(throws: ModelError.self) { try bookings().model(from: "{}") }
        #expect(error.message { _ in "fehlt" } == "fehlt")
        #expect(error.message { _ in nil }.hasPrefix("expected the member"))
    }
}
