import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// The section *Tables* of the article *Contracts*.
@Suite struct TableContractTests {
    /// A kind, its types for Spark, Avro, PostgreSQL and DuckDB, and for which of them rows hold less.
    struct Row: Sendable, CustomTestStringConvertible {
        let property: PropertySchema
        let types: [String]
        let lossy: Set<TableNotation>

        init(_ property: PropertySchema, _ types: String..., lossy: Set<TableNotation> = []) {
            self.property = property
            self.types = types
            self.lossy = lossy
        }

        var testDescription: String { property.kind.name }
    }

    static let notations: [TableNotation] = [.spark, .avro, .postgres, .duckdb]

    static let rows = [
        Row(.bool, #""boolean""#, #""boolean""#, "boolean", "boolean"),
        Row(PropertySchema(.integer(.bits8)), #""byte""#, #""int""#, "smallint", "tinyint"),
        Row(PropertySchema(.integer(.bits16)), #""short""#, #""int""#, "smallint", "smallint"),
        Row(PropertySchema(.integer(.bits32)), #""integer""#, #""int""#, "integer", "integer"),
        Row(.integer, #""long""#, #""long""#, "bigint", "bigint"),
        Row(PropertySchema(.unsigned(.bits8)), #""short""#, #""int""#, "smallint", "smallint"),
        Row(PropertySchema(.unsigned(.bits16)), #""integer""#, #""int""#, "integer", "integer"),
        Row(PropertySchema(.unsigned(.bits32)), #""long""#, #""long""#, "bigint", "bigint"),
        Row(.unsigned, #""decimal(20,0)""#, #""long""#, "numeric(20)", "ubigint", lossy: [.avro]),
        Row(.float, #""float""#, #""float""#, "real", "real"),
        Row(.double, #""double""#, #""double""#, "double precision", "double precision"),
        Row(
            .decimal, #""decimal(38,18)""#, #""double""#, "numeric", "decimal(38,18)",
            lossy: [.spark, .avro, .duckdb]),
        Row(
            .date, #""timestamp""#, #""string""#, "timestamp with time zone", "timestamp with time zone",
            lossy: [.spark, .postgres, .duckdb]),
        Row(
            .date.transformer(UnixSecondsTransformerName), #""double""#, #""double""#, "double precision",
            "double precision"),
        Row(.date.transformer(UnixMillisecondsTransformerName), #""long""#, #""long""#, "bigint", "bigint"),
        Row(.date.transformer(DateOnlyTransformerName), #""string""#, #""string""#, "text", "varchar"),
        Row(.integer.transformer(IntegerTextTransformerName), #""string""#, #""string""#, "text", "varchar"),
        Row(.string, #""string""#, #""string""#, "text", "varchar"),
        Row(.url, #""string""#, #""string""#, "text", "varchar"),
        Row(.duration, #""string""#, #""string""#, "text", "varchar"),
        Row(.enumeration("a", "b"), #""string""#, #""string""#, "text", "varchar"),
        Row(
            .enumeration(EnumerationSchema(cases: [.init(.number(1)), .init(.number(2))])), #""long""#, #""long""#,
            "bigint", "bigint"),
        Row(.jsonValue, #""string""#, #""string""#, "json", "json", lossy: [.spark, .avro]),
        Row(
            .array(of: .string.nullable), #"{"type":"array","elementType":"string","containsNull":true}"#,
            #"{"type":"array","items":["null","string"]}"#, "text[]", "varchar[]"),
        Row(
            .array(of: .array(of: .bool)),
            #"{"type":"array","elementType":{"type":"array","elementType":"boolean","containsNull":false},"containsNull":false}"#,
            #"{"type":"array","items":{"type":"array","items":"boolean"}}"#, "json", "boolean[][]"),
        Row(
            .dictionary(of: .integer),
            #"{"type":"map","keyType":"string","valueType":"long","valueContainsNull":false}"#,
            #"{"type":"map","values":"long"}"#, "json", "map(varchar, bigint)"),
        Row(
            .model("Inner"),
            #"{"type":"struct","fields":[{"name":"x","type":"string","nullable":false,"metadata":{}}]}"#,
            #"{"type":"record","name":"Inner","fields":[{"name":"x","type":"string"}]}"#, "json",
            #"struct("x" varchar)"#),
        Row(
            .model("Inner").byIdentity, #""string""#, #""string""#, "json", "json",
            lossy: [.spark, .avro, .postgres, .duckdb]),
    ]

    private func registry(_ schemas: ModelSchema...) throws -> SchemaRegistry { try .of(schemas) }

    @Test(arguments: rows) func aKindHasTheTypeOfTheTable(row: Row) throws {
        let inner = ModelSchema("Inner", ["x": .string.required], identity: ["x"])
        for (required, property) in [(false, row.property), (true, row.property.required)] {
            let schema = ModelSchema("M", ["p": property])
            let registry = try registry(schema, inner)
            for (notation, type) in zip(Self.notations, row.types) {
                let table = try registry.table(of: schema, for: notation)
                let expected: String
                switch notation {
                case .spark:
                    expected =
                        #"{"type":"struct","fields":[{"name":"p","type":\#(type),"nullable":\#(!required),"metadata":{}}]}"#
                case .avro:
                    let field = required ? #""type":\#(type)"# : #""type":["null",\#(type)],"default":null"#
                    expected = #"{"type":"record","name":"M","fields":[{"name":"p",\#(field)}]}"#
                case .postgres, .duckdb:
                    expected = "CREATE TABLE \"M\" (\n    \"p\" \(type)\(required ? " NOT NULL" : "")\n);\n"
                }
                let text =
                    notation == .spark || notation == .avro
                    ? try JSONValue(parsing: table.text).text() : table.text
                #expect(text == expected, "\(notation)")
                #expect(!table.losses.isEmpty == row.lossy.contains(notation), "\(notation): \(table.losses)")
                #expect(table.losses.allSatisfy { $0.path.first?.hasPrefix("p") == true })
            }
        }
    }

    @Test func keyPathsAreNestedAndWrittenOnce() throws {
        let schema = ModelSchema(
            "M",
            [
                "a": .string.required.json("x.y"), "b": .integer.json("x.z"),
                "c": .bool.json(firstOf: ["first", "second"]), "d": .string.readOnly, "e": .string.local,
                "f": .string.required.nullable,
            ])
        let table = try registry(schema).table(of: schema, for: .duckdb)
        #expect(
            table.text == """
                CREATE TABLE "M" (
                    "x" struct("y" varchar, "z" bigint) NOT NULL,
                    "first" boolean,
                    "f" varchar
                );

                """)
        #expect(table.losses.isEmpty)
    }

    @Test func aClusterHasTheColumnsOfAllItsModels() throws {
        let shape = ModelSchema(
            "Shape", ["id": .integer.required],
            cluster: .discriminator("kind", ["round": "Round", "square": "Square"]))
        let round = ModelSchema("Round", ["r": .double.required, "x": .string], extends: "Shape")
        let square = ModelSchema("Square", ["side": .double, "x": .integer], extends: "Shape")
        let table = try registry(shape, round, square).table(of: shape, for: .duckdb)
        #expect(
            table.text == """
                CREATE TABLE "Shape" (
                    "id" bigint NOT NULL,
                    "kind" varchar,
                    "r" double precision,
                    "x" json,
                    "side" double precision
                );

                """)
        #expect(table.losses.map(\.path) == [["x"]])
    }

    /// Every model has `meta`, two have `meta.in`, and each of its members is of one model.
    @Test func membersThatSomeModelsOfAClusterLackAreNotRequired() throws {
        let shape = ModelSchema(
            "Shape", ["id": .integer.required.json("meta.id")],
            cluster: .discriminator("kind", ["round": "Round", "square": "Square"]))
        let round = ModelSchema("Round", ["r": .double.required.json("meta.in.r")], extends: "Shape")
        let square = ModelSchema("Square", ["side": .double.required.json("meta.in.side")], extends: "Shape")
        let registry = try registry(shape, round, square)
        let spark = try JSONValue(parsing: registry.table(of: shape, for: .spark).text)
        func column(_ name: JSONValue, _ type: JSONValue, isNullable: Bool) -> JSONValue {
            ["name": name, "type": type, "nullable": .bool(isNullable), "metadata": [:]]
        }
        func structure(_ fields: JSONValue...) -> JSONValue { ["type": "struct", "fields": .array(fields)] }
        let inner = structure(
            column("r", "double", isNullable: true), column("side", "double", isNullable: true))
        let meta = structure(column("id", "long", isNullable: false), column("in", inner, isNullable: true))
        #expect(
            spark
                == structure(column("meta", meta, isNullable: false), column("kind", "string", isNullable: true)))
        let avro = try registry.table(of: shape, for: .avro)
        #expect(avro.text.contains(#""name":"r","type":["null","double"]"#) && avro.losses.isEmpty)
    }

    /// Both members are "é", as one scalar and as two.
    @Test func membersOfAClusterDifferByBytes() throws {
        let one = ModelSchema(
            "One", ["a": .string.required.json("\u{E9}")], cluster: .discriminator("kind", ["two": "Two"]))
        let two = ModelSchema("Two", ["b": .integer.required.json("e\u{301}")], extends: "One")
        let table = try registry(one, two).table(of: one, for: .duckdb)
        let lines = [#""\#u{E9}" varchar NOT NULL"#, #""kind" varchar"#, #""e\#u{301}" bigint"#]
        let text = "CREATE TABLE \"One\" (\n    \(lines.joined(separator: ",\n    "))\n);\n"
        #expect(Array(table.text.utf8) == Array(text.utf8), "\(table.text)")
        #expect(table.losses.isEmpty)
    }

    @Test func aColumnIsRequiredIfEveryRowHasAValue() throws {
        let schema = ModelSchema(
            "M",
            [
                "always": .integer.required, "null": .integer.required.nullable, "in": .integer.required.only(.input),
                "out": .integer.required.only(.output), "parts": .jsonValue.required.json(allOf: ["p", "q.r"]),
            ])
        let table = try registry(schema).table(of: schema, for: .duckdb)
        #expect(
            table.text == """
                CREATE TABLE "M" (
                    "always" bigint NOT NULL,
                    "null" bigint,
                    "in" bigint,
                    "out" bigint,
                    "p" json,
                    "q" struct("r" json)
                );

                """)
    }

    @Test(
        arguments: [
            (.spark, ["parts: any JSON is kept as its text"]), (.avro, ["parts: any JSON is kept as its text"]),
            (.postgres, []), (.duckdb, []),
        ] as [(TableNotation, [String])])
    func partsOfAPropertyAreJSONWhateverItsKind(notation: TableNotation, losses: [String]) throws {
        let schema = ModelSchema("M", ["parts": .dictionary(of: .decimal).json(allOf: ["p", "q"])])
        let table = try registry(schema).table(of: schema, for: notation)
        #expect(table.losses.map(\.description) == losses)
    }

    /// A stub is written in place of a model, or not at all, so no row lacks what its schema requires.
    @Test func columnsOfModelsThatMayBeStubsAreRequired() throws {
        let user = ModelSchema(
            "User", ["id": .integer.required, "name": .string.required], identity: ["id"], allowsStubs: true)
        let note = ModelSchema("Note", ["author": .model("User").byIdentity, "editor": .model("User")])
        let registry = try registry(user, note)
        #expect(
            try registry.table(of: note, for: .avro).text.contains(
                #""fields":[{"name":"id","type":"long"},{"name":"name","type":"string"}]"#))
        let notes = try JSONAdapter(schema: note, registry: registry)
        let model = try notes.model(from: #"{"author":7}"#)
        let author = try #require(model["author", as: DynamicModel.self])
        model["editor"] = author
        let error = #expect(throws: ModelError.self) { try notes.data(from: model) }
        #expect(error?.code == .missingProperty)
    }

    @Test func identitiesArePrimaryKeysOfPostgres() throws {
        let schema = ModelSchema("M", ["a": .string.required, "b\"c": .integer.required], identity: ["b\"c", "a"])
        let table = try registry(schema).table(of: schema, for: .postgres)
        #expect(table.text.hasSuffix(",\n    PRIMARY KEY (\"b\"\"c\", \"a\")\n);\n"))
        let optional = ModelSchema("N", ["a": .string], identity: ["a"])
        #expect(try !registry(optional).table(of: optional, for: .postgres).text.contains("PRIMARY"))
    }

    @Test func namesOfAvroAreLettersDigitsAndUnderscores() throws {
        let schema = ModelSchema("My-Model", ["a-b": .string.required, "a.b": .string.required, "1": .string.required])
        let table = try registry(schema).table(of: schema, for: .avro)
        #expect(
            try JSONValue(parsing: table.text) == [
                "type": "record", "name": "My_Model",
                "fields": [
                    ["name": "a_b", "type": "string", "aliases": ["a-b"]],
                    ["name": "a_b_2", "type": "string", "aliases": ["a.b"]],
                    ["name": "_1", "type": "string", "aliases": ["1"]],
                ],
            ])
    }

    @Test func modelsInsideOfThemselvesAreJSON() throws {
        let node = ModelSchema("Node", ["left": .model("Node"), "all": .array(of: .model("Node"))])
        let table = try registry(node).table(of: node, for: .duckdb)
        #expect(table.text == "CREATE TABLE \"Node\" (\n    \"left\" json,\n    \"all\" json[]\n);\n")
        #expect(table.losses.map(\.path) == [["left"], ["all[]"]])
    }

    /// Every schema holds the next two, which would double the columns at each level.
    @Test func manyModelsInsideOfOneAnotherStayBounded() throws {
        let schemas = (0..<60).map { number in
            number == 59
                ? ModelSchema("M59", ["x": .string])
                : ModelSchema(
                    "M\(number)", ["a": .model("M\(number + 1)"), "b": .model("M\(min(number + 2, 59))")])
        }
        let registry = try SchemaRegistry.of(schemas)
        for notation in Self.notations {
            let table = try registry.table(of: schemas[0], for: notation)
            #expect(table.losses.contains { $0.message.contains("levels") })
            #expect(table.text.utf8.count < 4 << 20)
        }
    }

    @Test func aSchemaWithoutMembersIsRefused() throws {
        let schema = ModelSchema("M", ["a": .string.local])
        #expect(throws: SchemaError.self) { try registry(schema).table(of: schema, for: .spark) }
    }
}
