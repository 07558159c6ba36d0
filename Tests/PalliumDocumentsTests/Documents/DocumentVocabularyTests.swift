import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Everything a document can say: what it means as a schema, and that it comes back as it was.
struct DocumentVocabularyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let schema: PropertySchema

        init(_ document: String, _ schema: PropertySchema) {
            self.document = document
            self.schema = schema
        }

        var testDescription: String { document }
    }

    static let properties = [
        Row(#"{"kind": "bool"}"#, .bool),
        Row(#"{"kind": "integer"}"#, .integer),
        Row(#"{"kind": "unsigned"}"#, .unsigned),
        Row(#"{"kind": "int8"}"#, .integer(as: Int8.self)),
        Row(#"{"kind": "int16"}"#, .integer(as: Int16.self)),
        Row(#"{"kind": "int32"}"#, .integer(as: Int32.self)),
        Row(#"{"kind": "uint8"}"#, .integer(as: UInt8.self)),
        Row(#"{"kind": "uint16"}"#, .integer(as: UInt16.self)),
        Row(#"{"kind": "uint32"}"#, .integer(as: UInt32.self)),
        Row(#"{"kind": "double"}"#, .double),
        Row(#"{"kind": "float"}"#, .float),
        Row(#"{"kind": "decimal"}"#, .decimal),
        Row(#"{"kind": "string"}"#, .string),
        Row(#"{"kind": "date"}"#, .date),
        Row(#"{"kind": "duration"}"#, .duration),
        Row(#"{"kind": "url"}"#, .url),
        Row(#"{"kind": "uuid"}"#, .uuid),
        Row(#"{"kind": "data"}"#, .data),
        Row(#"{"kind": "json"}"#, .jsonValue),
        Row(#"{"kind": "Point"}"#, .custom(Point.self, transformer: "Point")),
        Row(#"{"kind": "model", "model": "A"}"#, .model("A")),
        Row(#"{"kind": "array", "of": {"kind": "string", "nullable": true}}"#, .array(of: .string.nullable)),
        Row(#"{"kind": "set", "of": {"kind": "url", "transformer": "URL"}}"#, .set(of: .url.transformer("URL"))),
        Row(
            #"{"kind": "dictionary", "of": {"kind": "array", "of": {"kind": "model", "model": "A"}}}"#,
            .dictionary(of: .array(of: .model("A")))),
        Row(
            #"{"kind": "enumeration", "cases": ["a", "b"]}"#,
            .enumeration(EnumerationSchema(cases: [.init(.text("a")), .init(.text("b"))]))),
        Row(
            #"{"kind": "enumeration", "cases": [1, -2], "unknown": "keep"}"#,
            .enumeration(EnumerationSchema(cases: [.init(.number(1)), .init(.number(-2))], unknown: .keep))),
        Row(
            #"{"kind": "enumeration", "cases": [1, 2], "unknown": {"fallback": 2}}"#,
            .enumeration(
                EnumerationSchema(cases: [.init(.number(1)), .init(.number(2))], unknown: .fallback(.number(2))))),
        Row(
            #"{"kind": "enumeration", "cases": {"a": ["a", "A"], "b": ["b"]}, "unknown": {"fallback": "b"}}"#,
            .enumeration(
                EnumerationSchema(
                    cases: [.init(.text("a"), aliases: [.text("A")]), .init(.text("b"))],
                    unknown: .fallback(.text("b"))))),
        Row(#"{"kind": "bool", "required": true}"#, .bool.required),
        Row(#"{"kind": "bool", "nullable": true, "default": true}"#, .bool.nullable.default(json: true)),
        Row(#"{"kind": "model", "model": "A", "weak": true}"#, .model("A").weak),
        Row(#"{"kind": "bool", "labels": ["secret"]}"#, .bool.secret),
        Row(#"{"kind": "bool", "labels": ["email", "pii"]}"#, .bool.labels("pii", "email")),
        Row(#"{"kind": "bool", "index": "ordinary"}"#, .bool.indexed()),
        Row(#"{"kind": "string", "index": "unique"}"#, .string.indexed(.unique)),
        Row(#"{"kind": "string", "index": "caseInsensitive"}"#, .string.indexed(.caseInsensitive)),
        Row(#"{"kind": "model", "model": "A", "deleteRule": "keep"}"#, .model("A").deleteRule(.keep)),
        Row(#"{"kind": "bool", "readOnly": true}"#, .bool.readOnly),
        Row(#"{"kind": "bool", "only": "input"}"#, .bool.only(.input)),
        Row(#"{"kind": "bool", "only": "output"}"#, .bool.only(.output)),
        Row(#"{"kind": "bool", "writeOnly": true}"#, .bool.writeOnly),
        Row(
            #"{"kind": "json", "default": {"b": [1, 2.5, "x"], "a": null}}"#,
            .jsonValue.default(json: ["b": [1, 2.5, "x"], "a": nil])),
        Row(#"{"kind": "bool", "json": "a.b\\.c"}"#, .bool.json("a.b\\.c")),
        Row(#"{"kind": "bool", "json": null}"#, .bool.local),
        Row(#"{"kind": "bool", "json": {"firstOf": ["a", "b"]}}"#, .bool.json(firstOf: ["a", "b"])),
        Row(#"{"kind": "json", "json": {"allOf": ["a", "b"]}}"#, .jsonValue.json(allOf: ["a", "b"])),
        Row(#"{"kind": "url", "transformer": "URL"}"#, .url.transformer("URL")),
        Row(#"{"kind": "url", "transformer": ["EmptyTextAsNull", "URL"]}"#, .url.transformer("EmptyTextAsNull", "URL")),
        Row(#"{"kind": "bool", "nil": "asParsed"}"#, .bool.nilPolicy(.asParsed)),
        Row(#"{"kind": "bool", "nil": "omit"}"#, .bool.nilPolicy(.omit)),
        Row(#"{"kind": "bool", "nil": "write"}"#, .bool.nilPolicy(.write)),
        Row(
            #"{"kind": "bool", "storage": "transitory", "archive": "included"}"#,
            .bool.storage(.transitory).archive(.included)),
        Row(#"{"kind": "bool", "storage": "notStored"}"#, .bool.storage(.notStored)),
        Row(#"{"kind": "bool", "archive": "excluded"}"#, .bool.archive(.excluded)),
        Row(
            #"{"kind": "array", "of": {"kind": "model", "model": "A"}, "archive": "conditional"}"#,
            .array(of: .model("A")).archive(.conditional)),
        Row(
            #"{"kind": "array", "of": {"kind": "model", "model": "A"}, "inverse": "parent"}"#,
            .array(of: .model("A")).inverse("parent")),
        Row(#"{"kind": "integer", "merge": "replace"}"#, .integer.merge(MergePolicy("replace"))),
        Row(
            #"{"kind": "array", "of": {"kind": "model", "model": "A"}, "merge": {"policy": "byIdentifier", "by": "p", "missing": "remove"}}"#,
            .array(of: .model("A")).merge(.byIdentifier("p", missing: .remove))),
        Row(
            #"{"kind": "set", "of": {"kind": "model", "model": "A"}, "merge": {"policy": "byIdentifier", "by": "p", "identifiers": "required"}}"#,
            .set(of: .model("A")).merge(.byIdentifier("p", identifiers: .required))),
        Row(
            #"{"kind": "array", "of": {"kind": "model", "model": "A"}, "merge": {"policy": "byIdentifier", "by": "p", "missing": "keep", "identifiers": "optional"}}"#,
            .array(of: .model("A")).merge(.byIdentifier("p", missing: .keep, identifiers: .optional))),
        Row(
            #"{"kind": "dictionary", "of": {"kind": "model", "model": "A"}, "merge": "recurse"}"#,
            .dictionary(of: .model("A")).merge(.recurse)),
        Row(
            #"{"kind": "dictionary", "of": {"kind": "model", "model": "A"}, "merge": {"policy": "recurse", "missing": "remove"}}"#,
            .dictionary(of: .model("A")).merge(.recurse(missing: .remove))),
        Row(#"{"kind": "integer", "merge": {"policy": "newest", "by": "p"}}"#, .integer.merge(.newest(by: "p"))),
        Row(#"{"kind": "bool", "doc": "Whether."}"#, .bool.doc("Whether.")),
        Row(
            #"{"kind": "string", "minLength": 2, "messages": {"maxLength": "Too long.", "minLength": "Too short."}}"#,
            .string.rules(.minLength(2)).messages(["minLength": "Too short.", "maxLength": "Too long."])),
        Row(
            #"{"kind": "array", "of": {"kind": "integer", "minimum": 0, "messages": {"minimum": "Negative."}}}"#,
            .array(of: .integer.rules(.minimum(0)).messages(["minimum": "Negative."]))),
    ]

    private func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.transformers.register(Point.transformer, as: "Point")
        try registry.register(PropertyKind.Custom(Point.self, transformer: "Point"))
        return registry
    }

    @Test(arguments: properties)
    func everyMemberOfAPropertyHasItsMeaningAndComesBack(row: Row) throws {
        let registry = try registry()
        let text =
            #"{"name": "A", "properties": {"parent": {"kind": "model", "model": "A", "weak": true}, "p": \#(row.document)}}"#
        let schema = try #require(try registry.load(Array(text.utf8)).first)
        #expect(schema.property("p") == row.schema)
        // Compared as text, so that the order of members counts.
        let original = try JSONValue(parsing: text).text()
        #expect(try registry.document(of: schema).text() == original)
    }

    @Test(arguments: [("int64", PropertySchema.integer), ("uint64", .unsigned)])
    func otherNamesOfKindsAreRead(kind: String, property: PropertySchema) throws {
        let text = #"{"name": "A", "properties": {"p": {"kind": "\#(kind)"}}}"#
        #expect(try SchemaRegistry().load(Array(text.utf8)).first?.property("p") == property)
    }

    @Test func namedCasesAreReadByTheirTextsAndFallBackByTheirName() throws {
        let text = """
            {"name": "A", "properties": {"p": {"kind": "enumeration", "unknown": {"fallback": "other"},
             "cases": {"yes": ["Y", "y"], "other": ["?"]}}}}
            """
        let expected = EnumerationSchema(
            cases: [.init(.text("Y"), aliases: [.text("y")]), .init(.text("?"))], unknown: .fallback(.text("?")))
        #expect(try SchemaRegistry().load(Array(text.utf8)).first?.property("p") == .enumeration(expected))
    }

    static let schemas = [
        #"{"name": "A"}"#,
        #"{"name": "A", "version": 4, "doc": "What it is.", "extends": "Base", "keys": "snakeCase", "identity": "id"}"#,
        #"{"name": "A", "keys": "explicit"}"#,
        #"{"name": "A", "identity": ["a", "b"], "properties": {"b": {"kind": "bool"}, "a": {"kind": "bool"}}}"#,
        #"{"name": "A", "identity": "id", "observed": true, "properties": {"id": {"kind": "integer"}}, "ignored": ["x"]}"#,
        #"{"name": "A", "ignored": ["_links", "user.id"]}"#,
        #"{"name": "A", "properties": {"a": {"kind": "date"}, "b": {"kind": "date"}}, "#
            + #""rules": [{"before": ["a", "b"], "message": "In order."}, {"exactlyOneOf": ["a", "b"]}]}"#,
        #"{"name": "A", "cluster": {"discriminator": "meta.type", "models": {"z": "A", "1": "A"}, "default": "A"}}"#,
        #"{"name": "A", "cluster": {"discriminator": "type", "models": {"": "A"}}}"#,
        #"{"name": "A", "cluster": {"discriminator": "type", "models": {"": "A", "b": "Later"}, "open": true}}"#,
        #"{"name": "A", "cluster": {"rules": [{"present": "x", "model": "A"}, {"equals": {"y.z": [null]}, "model": "A"}, "#
            + #"{"kind": {"k": "object"}, "model": "A"}], "default": "A"}}"#,
        #"{"name": "A", "properties": {"a": {"kind": "bool"}, "b": {"kind": "bool"}, "c": {"kind": "json"}}, "#
            + #""profiles": {"short": {"a": "x", "b": null, "c": {"allOf": ["y", "z"]}}, "empty": {}}}"#,
        #"{"name": "A", "version": 4, "properties": {"b": {"kind": "json"}, "d": {"kind": "json"}, "f": {"kind": "json"}, "#
            + #""g": {"kind": "json"}, "h": {"kind": "json"}, "i": {"kind": "json"}}, "#
            + #""upgrades": [{"from": 1, "rename": {"a": "b", "c": "d"}, "remove": ["e", "m"], "#
            + #""default": {"f": [1], "g": null}, "transform": {"h": "URL", "i": ["Boolean", "URL"]}, "#
            + #""renameSchema": "Old", "when": {"k": 1, "l": null}}, {"from": 2}, "#
            + #"{"from": 3, "remove": ["x", "y"]}]}"#,
    ]

    @Test(arguments: schemas)
    func everyMemberOfASchemaComesBack(text: String) throws {
        let registry = try SchemaRegistry.of(ModelSchema("Base", ["id": .integer]))
        let schema = try #require(try registry.load(Array(text.utf8)).first)
        let document = try registry.document(of: schema)
        #expect(try document.text() == JSONValue(parsing: text).text())
        let other = try SchemaRegistry.of(ModelSchema("Base", ["id": .integer]))
        #expect(try other.load(registry.document(of: schema).bytes()) == [schema])
    }

    @Test func structureHasItsMeaning() throws {
        let registry = try SchemaRegistry.of(ModelSchema("Base", ["id": .integer]))
        var expected = ModelSchema(
            "A", ["a": .bool], extends: "Base", keys: .snakeCase, identity: ["id"], ignored: ["x"],
            cluster: .discriminator("t", ["a": "A"], default: "A"), isObserved: true, version: 2, doc: "Text.")
        expected.profiles = [ModelSchema.Profile("p", ["a": .path("b"), "id": PropertySchema.JSONMapping.none])]
        expected.upgrades = [
            SchemaUpgrade(
                from: 1, renamed: ["x": "a"], removed: ["y"], defaults: ["a": true],
                transformed: ["a": ["Boolean"]],
                oldSchemaName: "B")
        ]
        let text = """
            {"name": "A", "version": 2, "doc": "Text.", "extends": "Base", "keys": "snakeCase", "identity": "id",
             "observed": true, "properties": {"a": {"kind": "bool"}}, "ignored": ["x"],
             "cluster": {"discriminator": "t", "models": {"a": "A"}, "default": "A"},
             "profiles": {"p": {"a": "b", "id": null}},
             "upgrades": [{"from": 1, "rename": {"x": "a"}, "remove": ["y"], "default": {"a": true},
                           "transform": {"a": "Boolean"}, "renameSchema": "B"}]}
            """
        #expect(try registry.load(Array(text.utf8)) == [expected])
    }

    @Test func theStrictPolicyForUnknownCasesCanBeSpelledOut() throws {
        let document =
            #"{"name": "A", "properties": {"p": {"kind": "enumeration", "cases": ["a"], "unknown": "fail"}}}"#
        let schema = try #require(try SchemaRegistry().load(Array(document.utf8)).first)
        #expect(schema.property("p") == .enumeration("a", unknown: .fail))
    }
}
