import ModelTestSupport
import Pallium
import Testing

/// Absent, null and given members, against everything a schema can say about them.
struct AbsentValueTests {
    /// The state after decoding nothing, null and 5; an error's code where decoding is refused.
    static let rows: [(PropertySchema, absent: String, null: String, given: String)] = [
        (.integer, "unset", "null", "value"),
        (.integer.nullable, "unset", "null", "value"),
        (.integer.required, "missingProperty", "nullNotAllowed", "value"),
        (.integer.default(7), "defaulted", "defaulted", "value"),
        (.integer.default(7).nullable, "defaulted", "null", "value"),
        (.integer.default(5), "defaulted", "defaulted", "value"),
        (.jsonValue, "unset", "null", "value"),
        (.jsonValue.required, "missingProperty", "nullNotAllowed", "value"),
        (.integer.transformer(NumberOrTextTransformerName), "unset", "null", "value"),
        (.integer.transformer(NumberOrTextTransformerName).required, "missingProperty", "nullNotAllowed", "value"),
        (.integer.transformer(NumberOrTextTransformerName).default(7), "defaulted", "defaulted", "value"),
        (.integer.json("x[0]").readOnly, "unset", "unset", "unset"),
        (.integer.json(firstOf: ["missing", "a"]), "unset", "null", "value"),
        (.integer.json(firstOf: ["missing", "a"]).required, "missingProperty", "nullNotAllowed", "value"),
        (.integer.json(firstOf: ["missing", "a"]).default(7), "defaulted", "defaulted", "value"),
        (.integer.writeOnly, "unset", "unset", "unset"),
        (.integer.writeOnly.default(7), "defaulted", "defaulted", "defaulted"),
        (.integer.local, "unset", "unset", "unset"),
        (.integer.local.default(7), "defaulted", "defaulted", "defaulted"),
    ]

    @Test(arguments: [(0, "null"), (1, "null"), (2, "nullNotAllowed"), (3, "defaulted"), (4, "null"), (5, "defaulted")])
    func aNullBelowAPathIsWhatItIsElsewhere(row: Int, expected: String) throws {
        let property = Self.rows[row].0
        for (path, text) in [("m.a", #"{"m":{"b":1,"a":null}}"#), ("m.n.a", #"{"m":{"b":1,"n":{"a":null}}}"#)] {
            let adapter = try Plain.adapter(["a": property.json(path), "b": .integer.json("m.b")])
            if expected == "nullNotAllowed" {
                #expect(adapter.problem(of: text)?.code == .nullNotAllowed)
            } else {
                #expect(try adapter.model(from: text).state(of: "a").rawValue == expected)
            }
        }
    }

    @Test func aDefaultOfSinglePrecisionIsWhatADocumentGives() throws {
        let adapter = try Plain.adapter(["a": .float.default(json: 0.1)], options: .with { $0.nilPolicy = .write })
        let model = try adapter.model(from: "{}")
        #expect(try adapter.text(of: model) == #"{"a":0.1}"#)
        #expect(model == (try adapter.model(from: #"{"a":0.1}"#)))
        #expect(
            Plain.problems(["a": .float.default(json: 1e39)]) == [
                "Plain.a: the default value does not fit: expected a finite number but found the number 1e+39; "
                    + "change the default"
            ])
    }

    @Test(arguments: rows.indices) func theStateTellsWhatCame(index: Int) throws {
        let row = Self.rows[index]
        let adapter = try Plain.adapter(["a": row.0])
        func state(_ text: String) -> String {
            do throws(ModelError) { return try adapter.model(from: text).state(of: "a").rawValue } catch {
                return error.code.rawValue
            }
        }
        #expect(state("{}") == row.absent)
        #expect(state(#"{"a":null}"#) == row.null)
        #expect(state(#"{"a":5}"#) == row.given)
    }

    @Test(arguments: ["{}", #"{"a":null}"#]) func aDefaultIsReadLikeAValueAndNotWritten(text: String) throws {
        let adapter = try Plain.adapter(["a": .integer.default(7)])
        let model = try adapter.model(from: text)
        #expect(model["a", as: Int.self] == 7)
        #expect(try adapter.text(of: model) == "{}")
        model["a"] = 7
        #expect(try model.state(of: "a") == .value)
        #expect(try adapter.text(of: model) == #"{"a":7}"#)
    }

    @Test func defaultsOfModelsAreNotShared() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["list": .array(of: .integer).default([1, 2])])
        try registry.register(schema)
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: registry))
        let first = try adapter.model(from: "{}")
        let second = try adapter.model(from: "{}")
        first["list"] = [3]
        #expect(second["list", as: [Int].self] == [1, 2])
        #expect(try adapter.model(from: "{}")["list", as: [Int].self] == [1, 2])
    }

    @Test func missingPropertiesAreAllReportedInSchemaOrder() throws {
        let adapter = try Plain.adapter([
            "b": .integer.required, "a": .string.required, "c": .integer.json("x.y").required,
        ])
        #expect(adapter.sentence(of: "{}") == #"expected the member "b" of Plain but found none at the root (1:1)"#)
        #expect(adapter.report(from: "{}").problems.map(\.property) == ["b", "a", "c"])
        #expect(
            adapter.report(from: #"{"a":""}"#).problems.map(\.expected) == [
                #"the member "b" of Plain"#, #"the member "x.y" of Plain"#,
            ])
    }

    @Test func aRequiredPropertyMissingInsideNamesTheInnerObject() throws {
        let adapter = try Plain.adapter([
            ModelSchema("Parent", ["list": .array(of: .model("Child"))]),
            ModelSchema("Child", ["a": .integer.required]),
        ])
        #expect(
            adapter.sentence(of: #"{"list":[{"a":1},{}]}"#)
                == #"expected the member "a" of Child but found none at /list/1 (1:18)"#)
    }
}
