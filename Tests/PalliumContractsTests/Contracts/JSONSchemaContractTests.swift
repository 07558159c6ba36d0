import Foundation
import Pallium
import PalliumContracts
import TestSupport
import Testing

/// A property, and the description that the JSON Schema specification and the article *Contracts* ask for.
struct ContractCase: CustomTestStringConvertible, Sendable {
    let property: String
    let expected: String
    let isRequired: Bool

    init(_ property: String, _ expected: String, required isRequired: Bool = false) {
        self.property = property
        self.expected = expected
        self.isRequired = isRequired
    }

    var testDescription: String { property }
}

@Suite struct JSONSchemaContractTests {
    static let properties = [
        ContractCase(#""kind": "bool""#, #"{"type": ["boolean", "null"]}"#),
        ContractCase(#""kind": "bool", "required": true"#, #"{"type": "boolean"}"#, required: true),
        ContractCase(#""kind": "int8""#, #"{"type": ["integer", "null"], "minimum": -128, "maximum": 127}"#),
        ContractCase(#""kind": "uint16""#, #"{"type": ["integer", "null"], "minimum": 0, "maximum": 65535}"#),
        ContractCase(
            #""kind": "integer", "required": true"#,
            #"{"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}"#, required: true),
        ContractCase(#""kind": "decimal""#, #"{"type": ["number", "null"]}"#),
        ContractCase(
            #""kind": "string", "doc": "A name.", "default": "x""#,
            #"{"description": "A name.", "type": ["string", "null"], "default": "x"}"#),
        ContractCase(#""kind": "json""#, "{}"),
        // Null is no value of a required property, whatever its kind.
        ContractCase(#""kind": "json", "required": true"#, #"{"not": {"type": "null"}}"#, required: true),
        ContractCase(
            #""kind": "date""#, ##"{"anyOf": [{"$ref": "#/$defs/date"}, {"type": "null"}]}"##),
        ContractCase(#""kind": "uuid", "required": true"#, ##"{"$ref": "#/$defs/uuid"}"##, required: true),
        ContractCase(
            #""kind": "enumeration", "cases": ["a", "b"]"#,
            #"{"type": ["string", "null"], "enum": ["a", "b", null]}"#),
        ContractCase(
            #""kind": "enumeration", "cases": {"a": ["a", "A"]}, "required": true"#,
            #"{"type": "string", "enum": ["a", "A"]}"#, required: true),
        ContractCase(
            #""kind": "enumeration", "cases": [1, 2], "required": true"#, #"{"type": "integer", "enum": [1, 2]}"#,
            required: true),
        ContractCase(
            #""kind": "enumeration", "cases": ["a", "b"], "unknown": "keep", "required": true"#,
            #"{"description": "One of \"a\", \"b\". Others are kept.", "type": "string", "examples": ["a", "b"]}"#,
            required: true),
        ContractCase(
            #""kind": "enumeration", "cases": ["a", "b"], "unknown": {"fallback": "b"}, "required": true"#,
            #"{"description": "One of \"a\", \"b\". Others are read as \"b\".", "type": ["string", "integer"],"#
                + #" "examples": ["a", "b"]}"#, required: true),
        ContractCase(
            #""kind": "array", "of": {"kind": "string", "nullable": true}"#,
            #"{"type": ["array", "null"], "items": {"type": ["string", "null"]}}"#),
        // A set drops repeated elements when it is read, so they are allowed.
        ContractCase(
            #""kind": "set", "of": {"kind": "string"}, "minCount": 1, "maxCount": 3"#,
            #"{"description": "At most 3 elements.", "type": ["array", "null"], "items": {"type": "string"},"#
                + #" "minItems": 1}"#),
        ContractCase(
            #""kind": "dictionary", "of": {"kind": "bool"}, "minCount": 1, "maxCount": 2"#,
            #"{"type": ["object", "null"], "additionalProperties": {"type": "boolean"}, "minProperties": 1,"#
                + #" "maxProperties": 2}"#),
        ContractCase(
            #""kind": "array", "of": {"kind": "json"}, "unique": true, "minCount": 1"#,
            #"{"type": ["array", "null"], "items": {"not": {"type": "null"}}, "uniqueItems": true, "minItems": 1}"#),
        ContractCase(
            #""kind": "int8", "minimum": 3, "exclusiveMaximum": 5.5, "multipleOf": 2"#,
            #"{"type": ["integer", "null"], "minimum": 3, "maximum": 127, "exclusiveMaximum": 5.5, "multipleOf": 2}"#),
        ContractCase(
            #""kind": "int8", "minimum": -1000"#,
            #"{"type": ["integer", "null"], "minimum": -128, "maximum": 127}"#),
        ContractCase(
            #""kind": "string", "minLength": 1, "maxLength": 2, "format": "email""#,
            #"{"description": "Text of the format email.", "type": ["string", "null"], "minLength": 1,"#
                + #" "maxLength": 2}"#),
        ContractCase(
            #""kind": "string", "format": "ipv4""#, #"{"type": ["string", "null"], "format": "ipv4"}"#),
        ContractCase(
            #""kind": "integer", "transformer": "IntegerText", "required": true, "minimum": 1"#,
            ##"{"description": "After conversion: At least 1.", "$ref": "#/$defs/integerText"}"##, required: true),
        ContractCase(
            #""kind": "bool", "transformer": "Boolean", "required": true"#, #"{"enum": [true, false, 0, 1]}"#,
            required: true),
        ContractCase(
            #""kind": "date", "transformer": "UnixSeconds", "required": true"#,
            #"{"type": "number", "description": "Seconds since 1970-01-01T00:00:00Z."}"#, required: true),
        ContractCase(
            #""kind": "string", "transformer": "EmptyTextAsNull", "required": true"#,
            #"{"type": "string", "minLength": 1}"#, required: true),
        ContractCase(#""kind": "string", "readOnly": true"#, #"{"type": ["string", "null"], "readOnly": true}"#),
    ]

    @Test(arguments: properties) func propertyIsDescribed(_ item: ContractCase) throws {
        let found = try #require(
            try definition(of: "A", in: #"{"name": "A", "properties": {"p": {\#(item.property)}}}"#))
        #expect(try found["properties"]?["p"] == json(item.expected))
        #expect(found["required"] == (item.isRequired ? ["p"] : nil))
    }

    static let unmapped = [
        #""kind": "string", "writeOnly": true"#, #""kind": "string", "json": null"#,
        #""kind": "string", "storage": "notStored""#,
    ]

    @Test(arguments: unmapped) func propertyThatIsNotReadIsNotDescribed(_ property: String) throws {
        let found = try definition(of: "A", in: #"{"name": "A", "properties": {"p": {\#(property)}}}"#)
        #expect(try found == json(#"{"title": "A", "type": "object"}"#))
    }

    @Test func keyPathsBecomeNestedObjects() throws {
        let found = try definition(
            of: "A",
            in: """
                {"name": "A", "properties": {
                  "login": {"kind": "string", "json": "user.login", "required": true},
                  "age": {"kind": "uint8", "json": "user.age"},
                  "tag": {"kind": "bool", "json": "tags[1]", "readOnly": true},
                  "note": {"kind": "bool", "json": "meta.note"}}}
                """)
        let expected = """
            {"title": "A", "type": "object", "properties": {
              "user": {"type": "object", "required": ["login"], "properties": {
                "login": {"type": "string"},
                "age": {"type": ["integer", "null"], "minimum": 0, "maximum": 255}}},
              "tags": {"type": ["array", "null"],
                "prefixItems": [true, {"type": ["boolean", "null"], "readOnly": true}]},
              "meta": {"type": ["object", "null"], "properties": {"note": {"type": ["boolean", "null"]}}}},
             "required": ["user"]}
            """
        #expect(try found == json(expected))
    }

    @Test func theFirstOfSeveralPathsCounts() throws {
        let found = try definition(
            of: "A",
            in: """
                {"name": "A", "properties": {
                  "p": {"kind": "bool", "json": {"firstOf": ["a", "b.c"]}, "required": true}}}
                """)
        let expected = """
            {"title": "A", "type": "object", "properties": {"a": {"type": "boolean"}},
             "allOf": [{"anyOf": [
               {"required": ["a"]},
               {"required": ["b"], "properties": {
                 "b": {"type": "object", "required": ["c"], "properties": {"c": {"type": "boolean"}}}}}]}]}
            """
        #expect(try found == json(expected))
    }

    @Test func rulesAboutSeveralPropertiesAreConditions() throws {
        let found = try definition(
            of: "A",
            in: """
                {"name": "A", "properties": {
                  "state": {"kind": "enumeration", "cases": {"open": ["open"], "closed": ["closed", "shut"]},
                    "default": "closed"},
                  "by": {"kind": "bool"}, "mail": {"kind": "string"}, "phone": {"kind": "string"},
                  "from": {"kind": "date"}, "to": {"kind": "date"}},
                 "rules": [{"required": ["by"], "when": {"state": "closed"}},
                   {"exactlyOneOf": ["mail", "phone"]}, {"before": ["from", "to"]}]}
                """)
        let notNull = #"{"required": ["KEY"], "properties": {"KEY": {"not": {"type": "null"}}}}"#
        // Without the state it is closed, by default.
        let expected = """
            [{"if": {"anyOf": [
                {"required": ["state"], "properties": {"state": {"enum": ["closed", "shut"]}}},
                {"not": \(notNull.replacing("KEY", with: "state"))}]},
              "then": \(notNull.replacing("KEY", with: "by"))},
             {"oneOf": [\(notNull.replacing("KEY", with: "mail")), \(notNull.replacing("KEY", with: "phone"))]}]
            """
        #expect(try found?["allOf"] == json(expected))
        #expect(found?["description"] == "from is before to.")
    }

    private static let shapes = """
        [{"name": "Shape", "doc": "A shape.", "properties": {"kind": {"kind": "string", "required": true}},
          "cluster": {"discriminator": "kind", "models": {"circle": "Circle", "4": "Square", "round": "Circle"}
            DEFAULT}},
         {"name": "Circle", "extends": "Shape", "properties": {"radius": {"kind": "double", "required": true}}},
         {"name": "Square", "extends": "Shape"}, {"name": "Other", "extends": "Shape"}]
        """

    @Test func clustersChooseByConditions() throws {
        let closed = Self.shapes.replacing("DEFAULT", with: "")
        let circle = #"{"required": ["kind"], "properties": {"kind": {"enum": ["circle", "round"]}}}"#
        let square = #"{"required": ["kind"], "properties": {"kind": {"const": "4"}}}"#
        let all = #"{"required": ["kind"], "properties": {"kind": {"enum": ["circle", "round", "4"]}}}"#
        let conditions = """
            {"if": \(circle), "then": {"$ref": "#/$defs/Circle"}},
            {"if": \(square), "then": {"$ref": "#/$defs/Square"}}
            """
        let expected = try json(
            #"{"title": "Shape", "description": "A shape.", "type": "object", "allOf": [\#(conditions)], "#
                + all.dropFirst())
        #expect(try definition(of: "Shape", in: closed) == expected)
        #expect(
            try definition(of: "Circle", in: closed)?["properties"]?["kind"]
                == json(#"{"type": "string", "enum": ["circle", "round"]}"#))
        let open = Self.shapes.replacing("DEFAULT", with: #", "default": "Other""#)
        let choice = try definition(of: "Shape", in: open)?["allOf"]?.arrayValue
        #expect(try choice?.dropFirst(2).first == json(##"{"if": \##(all), "else": {"$ref": "#/$defs/Other"}}"##))
        #expect(
            try definition(of: "Other", in: open)?["properties"]?["kind"]
                == json(#"{"type": "string", "not": {"enum": ["circle", "4", "round"]}}"#))
    }

    /// Without a property for it, the discriminator of a chosen model may be of any type that the cluster does not read.
    @Test func discriminatorsWithoutPropertyAreChecked() throws {
        let found = try definition(
            of: "B",
            in: #"[{"name": "A", "cluster": {"discriminator": "x.t", "models": {"b": "B"}}}, "#
                + #"{"name": "B", "extends": "A"}]"#)
        let limit = """
            {"if": {"type": ["string", "number", "boolean"]}, "then": {"enum": ["b"]}}
            """
        #expect(
            try found
                == json(
                    #"{"title": "B", "type": "object", "properties": {"x": {"properties": {"t": \#(limit)}}}}"#))
    }

    @Test func clusterRulesAreTriedInTurn() throws {
        let found = try definition(
            of: "A",
            in: """
                [{"name": "A", "cluster": {"rules": [{"equals": {"t": 1}, "model": "B"},
                    {"kind": {"u.v": "bool"}, "model": "C"}], "default": "A"}},
                 {"name": "B", "extends": "A"}, {"name": "C", "extends": "A"}]
                """)
        let expected = """
            {"title": "A", "type": "object",
             "if": {"required": ["t"], "properties": {"t": {"const": 1}}}, "then": {"$ref": "#/$defs/B"},
             "else": {"if": {"required": ["u"], "properties": {"u": {"type": "object", "required": ["v"],
                 "properties": {"v": {"type": "boolean"}}}}},
               "then": {"$ref": "#/$defs/C"}, "else": {"$ref": "#/$defs/A_itself"}}}
            """
        #expect(try found == json(expected))
    }

    @Test func writtenDocumentsAreDescribed() throws {
        let found = try definition(
            of: "A",
            in: """
                {"name": "A", "properties": {
                  "read": {"kind": "bool", "readOnly": true}, "written": {"kind": "bool", "writeOnly": true},
                  "always": {"kind": "bool", "nil": "write"}, "never": {"kind": "bool", "nil": "omit"},
                  "standard": {"kind": "bool", "default": true},
                  "spelling": {"kind": "enumeration", "cases": {"a": ["a", "A"]}, "required": true},
                  "first": {"kind": "bool", "json": {"firstOf": ["x", "y"]}}}}
                """, direction: .output)
        let expected = """
            {"title": "A", "type": "object", "properties": {
               "written": {"type": ["boolean", "null"], "writeOnly": true},
               "always": {"type": ["boolean", "null"]}, "never": {"type": "boolean"},
               "standard": {"type": "boolean"}, "spelling": {"type": "string", "enum": ["a"]},
               "x": {"type": ["boolean", "null"]}},
             "required": ["always", "spelling"]}
            """
        #expect(try found == json(expected))
    }

    @Test func profilesMoveProperties() throws {
        let documents = """
            {"name": "A", "properties": {"p": {"kind": "bool"}}, "profiles": {"old": {"p": "q"}}}
            """
        #expect(
            try definition(of: "A", in: documents, profile: "old")
                == json(#"{"title": "A", "type": "object", "properties": {"q": {"type": ["boolean", "null"]}}}"#))
        let registry = try loaded(documents)
        let error = #expect(throws: SchemaError.self) { try registry.jsonSchema(profile: "odl") }
        #expect(error?.problems.map(\.description) == [#"no schema has the profile "odl"; did you mean "old"?"#])
    }

    @Test func theContractRestoresTheSchemas() throws {
        let registry = SchemaRegistry()
        let schemas = try registry.load(contentsOf: SharedData.repository.appendingPathComponent("Schemas/github"))
        let contract = try registry.jsonSchema(of: registry.schema(named: "Event"))
        let documents = try #require(contract["x-pallium"])
        let restored = SchemaRegistry()
        let copies = try restored.load(documents.bytes())
        #expect(!copies.isEmpty)
        for copy in copies { #expect(schemas.contains(copy)) }
        #expect(try restored.jsonSchema(of: restored.schema(named: "Event")) == contract)
    }

    @Test func theContractKeepsWhetherModelsAreObserved() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Top", ["id": .integer], isObserved: true), ModelSchema("Low", ["a": .string], extends: "Top"),
            ModelSchema("Other", ["top": .model("Top")]))
        let restored = SchemaRegistry()
        try restored.load(jsonSchema: registry.jsonSchema().bytes())
        #expect(Set(restored.schemas) == Set(registry.schemas))
        #expect(restored.schemas.filter(\.isObserved).map(\.name) == ["Top"])
    }

    /// Of what Swift code converts, the type that it reads is known; of what it chooses, only that it is one of some.
    @Test func swiftCodeIsLeftOpen() throws {
        let transformers = TransformerRegistry()
        try transformers.register(
            Transformer(from: Double.self, to: Int.self) { amount, _ in Int(amount * 100) }, as: "Cents")
        try transformers.register(
            Transformer(from: JSONValue.self, to: String.self) { value, _ in value.description }, as: "Text")
        let registry = SchemaRegistry(transformers: transformers)
        try registry.register(
            ModelSchema(
                "A",
                [
                    "price": .integer.transformer("Cents").readOnly,
                    "text": .string.transformer("Text").readOnly.required,
                    "port": .integer.transformer(.validating(Int.self) { $0 > 0 }).default(80),
                ], cluster: .resolver { _ in "B" }),
            ModelSchema("B", [:], extends: "A"))
        let contract = try registry.jsonSchema()
        let choice = try json(
            ##"{"title": "A", "type": "object", "anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A_itself"}]}"##)
        #expect(contract["$defs"]?["A"] == choice)
        let properties = """
            {"price": {"description": "Converted by the transformer Cents.", "type": ["number", "null"],
               "readOnly": true},
             "text": {"description": "Converted by the transformer Text.", "not": {"type": "null"}, "readOnly": true},
             "port": {"description": "Converted from Int to Int.", "type": ["integer", "null"],
               "minimum": -9223372036854775808, "maximum": 9223372036854775807, "default": 80}}
            """
        #expect(try contract["$defs"]?["A_itself"]?["properties"] == json(properties))
        // No document holds the schema with the code.
        #expect(contract["x-pallium"]?.arrayValue?.map { $0["name"] } == ["B"])
    }

    /// Names with other characters, and names that become equal without them, have definitions of their own.
    @Test func definitionsHaveNamesThatAreIdentifiers() throws {
        let registry = try loaded(
            #"[{"name": "a b"}, {"name": "a-b"}, {"name": "é"}, {"name": "1"}, {"name": "date", "#
                + #""properties": {"d": {"kind": "date"}}}]"#)
        let names = try registry.jsonSchema()["$defs"]?.objectValue?.keys
        #expect(names == ["a_b", "a_b_2", "_", "_1", "date_2", "date"])
    }

    @Test func unregisteredSchemasAreRefused() throws {
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().jsonSchema(of: ModelSchema("A", [:])) }
        #expect(error?.problems.map(\.description) == ["A: is not registered; register it before"])
    }

    /// The models of a large cluster do not each list the texts of all others.
    @Test func largeClustersTakeLinearSpace() throws {
        let count = 500
        let entries = (0..<count).map { ModelCluster.Entry(.string("text\($0)"), .named("M\($0)")) }
        let base = ModelSchema(
            "Base", ["t": .string], cluster: .discriminator(path: "t", models: entries, default: "Base"))
        let registry = SchemaRegistry()
        try registry.register([base] + (0..<count).map { ModelSchema("M\($0)", [:], extends: "Base") })
        let text = try registry.jsonSchema()["$defs"]?.text()
        #expect((text?.utf8.count ?? .max) < count * 400)
        let components = try registry.openAPI(title: "")["components"]?["schemas"]
        #expect(components?["M7"]?["properties"]?["t"] == ["type": "string", "const": "text7"])
    }

    /// The longest key paths and lists of paths neither overflow the stack nor take quadratic space.
    @Test func endlessPathsAreLeftOpen() throws {
        let path = Array(repeating: "a", count: SchemaLimits.stepsOfPath).joined(separator: ".")
        let many = (0..<SchemaLimits.pathsOfProperty).map { "p\($0)" }
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "A",
                [
                    "long": .bool.json(path), "far": .bool.json("x[999999999]").readOnly,
                    "many": .bool.json(firstOf: many),
                ]))
        let text = try registry.jsonSchema()["$defs"]?.text()
        #expect((text?.utf8.count ?? .max) < 10_000)
    }
}
