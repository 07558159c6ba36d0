import Foundation
import Pallium
import TestSupport
import Testing

private final class Person: DynamicModel {}
private final class Child: DynamicModel {}
private final class Stranger: DynamicModel {}

private enum State: String, PropertyEnumeration { case open, closed }

/// Schemas of code as documents.
struct DocumentWritingTests {
    private func problems(_ schema: ModelSchema, in registry: SchemaRegistry = SchemaRegistry()) -> [String] {
        do throws(SchemaError) {
            _ = try registry.document(of: schema)
            return []
        } catch { return error.problems.map(\.description) }
    }

    static let defaults: [(PropertySchema, JSONValue)] = [
        (.bool.default(true), true),
        (.integer.default(-7), -7),
        (.unsigned.default(UInt64.max), .number(JSONNumber(UInt64.max))),
        (.integer(as: Int8.self).default(Int8(-128)), -128),
        (.double.default(0.1), 0.1),
        (.float.default(Float(0.5)), 0.5), (.float.default(Float(0.1)), 0.1),
        (.decimal.default(Decimal(string: "12.34") ?? 0), 12.34),
        (.string.default("e\u{301}"), "e\u{301}"),
        (.date.default(Date(timeIntervalSince1970: 1_443_164_400.25)), "2015-09-25T07:00:00.25Z"),
        (.url.default(URL(fileURLWithPath: "/a b")), "file:///a%20b"),
        (
            .uuid.default(UUID(uuid: (74, 39, 95, 189, 130, 23, 67, 151, 150, 75, 64, 63, 76, 43, 133, 69))),
            "4A275FBD-8217-4397-964B-403F4C2B8545"
        ),
        (.data.default(Data([104, 105])), "aGk="),
        (.enumeration(State.self).default(State.closed), "closed"),
        (.array(of: .date).default([Date(timeIntervalSince1970: 0)]), ["1970-01-01T00:00:00Z"]),
        (.set(of: .integer).default([3]), [3]),
        (.dictionary(of: .string).default(["b": "2", "a": "1"]), ["a": "1", "b": "2"]),
        (.jsonValue.default(["x": nil] as JSONValue), ["x": nil]),
        (.date.transformer(UnixSecondsTransformerName).default(Date(timeIntervalSince1970: 7)), 7),
        (.integer.transformer(IntegerTextTransformerName).default(7), "7"),
        (.array(of: .integer.transformer(IntegerTextTransformerName)).default([7]), ["7"]),
        (
            .url.transformer(EmptyTextAsNullTransformerName, URLTransformerName).default(URL(fileURLWithPath: "/a")),
            "file:///a"
        ),
    ]

    @Test(arguments: defaults)
    func defaultsOfCodeAreWrittenAsTheyStandInJSON(property: PropertySchema, json: JSONValue) throws {
        let schema = ModelSchema("A", ["p": property])
        let registry = try SchemaRegistry.of(schema)
        let document = try registry.document(of: schema)
        #expect(document["properties"]?["p"]?["default"] == json)
        // What is read again has the same default and makes the same document.
        let other = SchemaRegistry()
        let copy = try #require(try other.load(registry.document(of: schema).bytes()).first)
        #expect(try other.document(of: copy) == document)
        let original = DynamicModel(schema: schema, registry: registry)
        let reread = DynamicModel(schema: copy, registry: other)
        #expect(original.description == reread.description)
    }

    @Test func defaultsThatJSONCannotHoldAreProblems() {
        let schema = ModelSchema(
            "A",
            [
                "infinite": .double.default(Double.infinity),
                "distant": .date.default(Date(timeIntervalSince1970: 1e15)),
                "wrong": .integer.default("7"),
            ])
        let found = problems(schema)
        #expect(found.count == 3)
        for (problem, key) in zip(found, ["infinite", "distant", "wrong"]) {
            #expect(problem.hasPrefix("A.\(key): has a default value that cannot be written: expected "))
        }
    }

    @Test func partsInSwiftAreNamedAllAtOnce() {
        let schema = ModelSchema(
            "A",
            ["name": .string.validate { (_: inout String?, _) in }, "size": .integer.unarchived { _ in nil }],
            cluster: .resolver { _ in nil }
        ).validate { _ in }.didDecode { _ in }
        #expect(
            problems(schema) == [
                "A.name: has a validator, which is Swift code; keep the schema in code, or move it into the class",
                "A.size: has an unarchived hook, which is Swift code; keep the schema in code, or write an upgrade",
                "A: has a cluster that is resolved by Swift code; use a discriminator or rules",
                "A: has rules or hooks over the whole model (validate, didDecode), which are Swift code; "
                    + "keep the schema in code, or move them into the class",
            ])
    }

    @Test func aResolverIsOneProblem() {
        let schema = ModelSchema("A", [:], cluster: .resolver { _ in nil })
        #expect(
            problems(schema) == [
                "A: has a cluster that is resolved by Swift code; use a discriminator or rules"
            ])
    }

    @Test func classesAreWrittenByTheNamesOfTheirSchemas() throws {
        let registry = SchemaRegistry()
        let person = ModelSchema(Person.self, ["self": .model(Person.self)], name: "Human")
        try registry.register(person)
        let plain = ModelSchema(
            "Team", ["members": .array(of: .model(Person.self))],
            cluster: .discriminator("type", [:], default: .modelClass(Person.self)))
        #expect(try registry.document(of: person)["properties"]?["self"]?["model"] == "Human")
        #expect(
            problems(plain, in: registry) == ["Team: cannot be written: models: the cluster lists no models"])
        let child = ModelSchema("Child", [:], extends: .modelClass(Person.self))
        #expect(try registry.document(of: child) == ["name": "Child", "extends": "Human"])
    }

    @Test func schemasThatAreWrittenTogetherKnowOneAnother() throws {
        let schemas = [
            ModelSchema(Person.self, ["child": .model(Child.self)]), ModelSchema(Child.self, ["name": .string]),
        ]
        let text = try SchemaRegistry().document(of: schemas).text()
        let loaded = try SchemaRegistry().load(Array(text.utf8), classes: [Person.self, Child.self])
        #expect(loaded.map(\.name) == ["Person", "Child"])
        #expect(loaded.first?.property("child") == .model("Child"))
        #expect(loaded.last == schemas.last)
    }

    @Test func classesWithoutSchemaAndUnknownKindsAreProblems() {
        let schema = ModelSchema(
            "A", ["a": .model(Stranger.self), "b": .custom(Point.self, transformer: "Point")],
            extends: .modelClass(Stranger.self))
        #expect(
            problems(schema) == [
                "A: names the class Stranger, for which no schema is registered; register it, or name a schema",
                "A.a: names the class Stranger, for which no schema is registered; register it, or name a schema",
                #"A.b: has the custom kind "Point", which is not registered; "#
                    + "register it, and before the document is loaded as well",
            ])
    }

    @Test func whatTheFormatCannotSayIsAProblem() {
        var schema = ModelSchema(
            "A",
            [
                "twice": .bool, "twice": .string,
                "numbers": .enumeration(EnumerationSchema(cases: [.init(.number(1), aliases: [.number(2)])])),
            ],
            cluster: .rules([.init([.present("a"), .present("b")], "A")], default: nil))
        schema.profiles = [ModelSchema.Profile("p", ["twice": .ownKey]), ModelSchema.Profile("p", [:])]
        #expect(
            problems(schema) == [
                "A.twice: the key occurs twice; keep one",
                "A.numbers: has numbers as cases with several spellings; only texts can have them in a document",
                "A: has a cluster rule with 2 conditions; a rule in a document has one",
                #"A: the profile "p" maps twice to its own key; name the key path"#,
                #"A: the profile "p" occurs twice; keep one"#,
            ])
    }

    @Test func whatCouldNotBeLoadedAgainIsAProblem() {
        let long = String(repeating: "x", count: 257)
        var deep = PropertySchema.bool
        for _ in 0..<1_000 { deep = .array(of: deep) }
        #expect(problems(ModelSchema("A", ["deep": deep])) == ["A.deep: has more than 59 levels of elements"])
        #expect(
            problems(ModelSchema("A", ["p": .model(long)])) == [
                "A.p: cannot be written: model: the name \"\(String(repeating: "x", count: 64))…\" has 257 characters; "
                    + "256 are allowed"
            ])
        var levels = PropertySchema.bool
        for _ in 0..<59 { levels = .array(of: levels) }
        #expect(problems(ModelSchema("A", ["p": levels])) == [])
    }

    @Test func membersComeInTheOrderOfTheFormat() throws {
        let schema = ModelSchema("A", ["id": .integer.required], identity: ["id"])
        #expect(
            try SchemaRegistry().document(of: schema).text()
                == #"{"name":"A","identity":"id","properties":{"id":{"kind":"integer","required":true}}}"#)
    }

    @Test func defaultsGoBackThroughTheirTransformers() throws {
        let transformers = TransformerRegistry()
        try transformers.register(Point.transformer, as: "Point")
        try transformers.register(
            Transformer(from: Date.self, to: String.self) { date, _ in
                "\(Int(date.timeIntervalSince1970))"
            } reverse: { text, _ in
                Date(timeIntervalSince1970: Double(text) ?? 0)
            }, as: "Seconds")
        try transformers.register(
            Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
                text ?? "none"
            } reverse: { text, _ in
                text == "none" ? nil : text
            }, as: "None")
        try transformers.register(
            Transformer(from: String.self, to: String.self) { text, _ in
                text.uppercased()
            } reverse: { text, _ in
                text.lowercased()
            }, as: "Upper")
        try transformers.register(
            Transformer(from: Point.self, to: String.self) { _, _ in
                ""
            } reverse: { _, _ in
                Point(x: 0, y: 0)
            }, as: "Points")
        try transformers.register(transformers.transformer(named: URLTransformerName).each(), as: "URLs")
        let registry = SchemaRegistry(transformers: transformers)
        if case .custom(let kind) = PropertySchema.custom(Point.self, transformer: "Point").kind {
            try registry.register(kind)
        }
        let defaults: [(PropertySchema, JSONValue?)] = [
            (.custom(Point.self, transformer: "Point").default(Point(x: 1, y: 2)), "1,2"),
            (.array(of: .custom(Point.self, transformer: "Point")).default([Point(x: 1, y: 2)]), ["1,2"]),
            (
                .array(of: .custom(Point.self, transformer: "Point").nullable).default(
                    [Point(x: 1, y: 2), nil] as [Point?]),
                ["1,2", nil]
            ),
            (.array(of: .url).transformer("URLs").default([URL(fileURLWithPath: "/a")]), ["file:///a"]),
            (.string.transformer("None").default("none"), .null), (.string.transformer("Upper").default("AB"), "ab"),
            (.array(of: .integer.nullable).default([1, nil] as [Int?]), [1, nil]),
            (.enumeration(EnumerationSchema(cases: [.init(.number(5))])).default(5), 5),
            (.dictionary(of: .array(of: .uuid)).default(["k": [UUID]()]), ["k": []]),
            (.data.default(Data([1, 2])), "AQI="), (.unsigned.default(UInt.max), .number(JSONNumber(UInt.max))),
            // What does not come back is no default that a document can hold.
            (.string.transformer("Seconds").default("60"), nil), (.string.transformer("Upper").default("Ab"), nil),
            (.string.transformer("Points").default("x"), nil),
        ]
        for (property, expected) in defaults {
            let schema = ModelSchema("A", ["p": property])
            if let expected {
                #expect(try registry.document(of: schema)["properties"]?["p"]?["default"] == expected)
            } else {
                let found = problems(schema, in: registry)
                #expect(
                    found.count == 1
                        && found[0].hasPrefix("A.p: has a default value that cannot be written: expected "), "\(found)")
            }
        }
    }

    @Test func aStepThatTransformsByNothingIsAProblem() {
        var schema = ModelSchema("A", ["p": .string], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, transformed: ["p": []])]
        #expect(problems(schema) == ["A: cannot be written: transform: the list is empty; leave it out"])
    }

    @Test func casesOfOneNameAreAProblem() {
        let schema = ModelSchema(
            "A",
            [
                "p": .enumeration(
                    EnumerationSchema(cases: [.init(.text("a"), aliases: [.text("b")]), .init(.text("a"))]))
            ])
        #expect(problems(schema) == [#"A.p: the case "a" occurs twice; keep one"#])
    }

    @Test func textThatIsDeepIsAProblem() {
        let deep = (0..<600).reduce(JSONValue.null) { value, _ in [value] }
        let schema = ModelSchema("A", ["p": .jsonValue.default(json: deep)])
        #expect(problems(schema).allSatisfy { $0.hasPrefix("A") } && !problems(schema).isEmpty)
    }

    @Test func aRuleWithoutConditionsIsAProblem() {
        let schema = ModelSchema("A", [:], cluster: .rules([.init([], "A")], default: nil))
        #expect(
            problems(schema) == ["A: has a cluster rule with 0 conditions; a rule in a document has one"])
    }
}
