import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Models from values, and values from models")
struct ModelValuesTests {
    /// A text for each value, to compare dictionaries of any values.
    private func texts(_ values: [String: (any PropertyValue)?]) -> [String: String] {
        values.mapValues { value in value.map { String(describing: $0) } ?? "nil" }
    }

    @Test(.row("C001", "C054"))
    func aModelWithoutPropertiesHasNoValues() throws {
        let model = EmptyModel(registry: try .ofFixtures())
        #expect(model.values.isEmpty)
        #expect(model.layout.properties.isEmpty)
    }

    @Test(.row("C002", "C023", "C043"))
    func aNewModelShowsEveryPropertyOnce() throws {
        let model = TestModel(registry: try .ofFixtures())
        #expect(texts(model.values) == ["name": "nil", "count": "1", "nestedName": "nil", "weakModel": "nil"])
        for (key, value) in model.values {
            #expect(try model.value(forKey: key).map { String(describing: $0) } == value.map { String(describing: $0) })
        }
    }

    @Test(.row("C024", "C027"))
    func noValuesGiveANewModel() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(try TestModel(values: [:], registry: registry) == TestModel(registry: registry))
    }

    @Test(.row("C041"))
    func aSchemaWithValuesMakesWhatTheClassWithValuesMakes() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let schema = SubTestModel.subSchema
        let values: [String: (any PropertyValue)?] = ["name": "foo", "role": "r", "nestedName": nil]
        let model = try SubTestModel(schema: schema, values: values, registry: registry)
        #expect(try model == SubTestModel(values: values, registry: registry))
        #expect(texts(model.values)["count"] == "1")
        #expect(texts(model.values)["role"] == "r")
        #expect(try model.state(of: "nestedName") == .null)
        let wrong: [String: (any PropertyValue)?] = ["name": "this is too long a name", "generation": "x", "bogus": 1]
        func problems(_ make: () throws -> DynamicModel) -> [String] {
            let error = #expect(throws: ModelError.self) { try make() }
            return error?.problems.map { "\($0.code) \($0.property ?? "")" } ?? []
        }
        let expected = ["validationFailed name", "typeMismatch generation", "unknownKey "]
        #expect(problems { try SubTestModel(values: wrong, registry: registry) } == expected)
        #expect(problems { try SubTestModel(schema: schema, values: wrong, registry: registry) } == expected)
    }

    @Test(.row("C025", "C043"))
    func valuesGivenAreValuesShown() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let empty = EmptyModel(registry: registry)
        let model = try TestModel(
            values: ["name": "foobar", "count": 5, "nestedName": "fuzzbuzz", "weakModel": empty], registry: registry)
        #expect(model.name == "foobar")
        #expect(model.count == 5)
        #expect(model.nestedName == "fuzzbuzz")
        #expect(model.weakModel === empty)
        #expect(model.values["weakModel"].flatMap { $0 } as? EmptyModel === empty)
        let again = try TestModel(values: model.values, registry: registry)
        #expect(again == model)
        #expect(again.weakModel === empty)
    }

    @Test(.row("C026", "C039"))
    func aValidatorsOwnErrorIsReported() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let error = #expect(throws: ModelError.self) {
            try TestModel(values: ["name": "this is too long a name"], registry: registry)
        }
        #expect(error?.code == .validationFailed)
        #expect(error?.category == .refusedByProgram)
        #expect(error?.underlying as? FixtureError == .nameTooLong)
        #expect(error?.property == "name")
        #expect(error?.schema == "TestModel")
        #expect(error?.pointer?.description == "/name")
    }

    @Test(.row("C028"))
    func absentKeysKeepTheirDefaults() throws {
        #expect(try TestModel(values: ["name": "a"], registry: .ofFixtures()).count == 1)
    }

    @Test(.row("C029"))
    func nullOverridesANullableDefault() throws {
        let model = try URLSubModel(values: ["URL": nil], registry: .ofFixtures())
        #expect(model.url == nil)
        #expect(model.otherURL == URL(string: "http://github.com/Mantle/Mantle"))
    }

    @Test(.row("C030"))
    func nullInsideACollectionStaysNull() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node = registry.node(1)
        let model = try Node(values: ["gaps": [nil, node] as [Node?]], registry: registry)
        #expect(model.gaps?.count == 2)
        #expect(model.gaps?[0] == nil)
        #expect(model.gaps?[1] === node)
    }

    @Test(.row("C031"))
    func nullWhereItIsNotAllowedIsAnError() throws {
        let error = #expect(throws: ModelError.self) { try TestModel(values: ["count": nil], registry: .ofFixtures()) }
        #expect(error?.code == .nullNotAllowed)
        #expect(error?.description == "expected an unsigned integer but found null at /count")
    }

    @Test(.row("C032"))
    func anUnknownKeyIsAnError() throws {
        let error = #expect(throws: ModelError.self) { try TestModel(values: ["bogus": 1], registry: .ofFixtures()) }
        #expect(error?.description == "expected a key of TestModel but found \"bogus\"")
    }

    @Test(.row("C033"))
    func namesOfTheClassThatAreNoKeysAreErrors() throws {
        let error = #expect(throws: ModelError.self) {
            try TestModel(values: ["dynamicName": "a", "description": "b"], registry: .ofFixtures())
        }
        #expect(error?.problems.map(\.code) == [.unknownKey, .unknownKey])
    }

    @Test(.row("C034"))
    func aPropertyThatJSONOnlyReadsIsSettable() throws {
        let model = try StorageModel(values: ["primitive": true], registry: .ofFixtures())
        #expect(try model.value(forKey: "primitive") as? Bool == true)
    }

    @Test(.row("C035"))
    func aValueOfAnotherTypeIsRefused() throws {
        let error = #expect(throws: ModelError.self) {
            try TestModel(values: ["nestedName": 5], registry: .ofFixtures())
        }
        #expect(error?.code == .typeMismatch)
        #expect(error?.description == "expected a string but found a value of the type Int at /nestedName")
    }

    @Test(.row("C036"))
    func aValidatorMayReplaceTheValue() throws {
        #expect(try SelfValidatingModel(values: ["name": nil], registry: .ofFixtures()).name == "foobar")
    }

    @Test(.row("C037"))
    func validatorsOfAbsentKeysDoNotRun() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(try SelfValidatingModel(values: [:], registry: registry).name == nil)
        #expect(try ValidationModel(values: [:], registry: registry).name == nil)
    }

    @Test(.row("C038"))
    func allProblemsAreReportedInSchemaOrderAndUnknownKeysLast() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Plain", ["z": .integer.required, "y": .string, "x": .bool.required, "w": .integer.default(1), "v": .url])
        try registry.register(schema)
        let error = #expect(throws: ModelError.self) {
            try DynamicModel(
                schema: schema, values: ["v": 1, "w": nil, "y": 2, "z": "a", "b": 3, "a": 4], registry: registry)
        }
        #expect(error?.code == .several)
        #expect(
            error?.problems.map(\.description) == [
                "expected an integer but found a value of the type String at /z",
                "expected a string but found a value of the type Int at /y",
                "expected a value for the required property \"x\" but found none",
                "expected an integer but found null at /w",
                "expected a URL but found a value of the type Int at /v",
                "expected a key of Plain but found \"a\"",
                "expected a key of Plain but found \"b\"",
            ])
        #expect(error?.description.hasPrefix("7 problems:\n  expected an integer") == true)
    }

    @Test func requiredKeysMustBeGivenAndNotNull() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["a": .integer.required])
        try registry.register(schema)
        #expect(try DynamicModel(schema: schema, values: ["a": 1], registry: registry).read("a", as: Int.self) == 1)
        let missing = #expect(throws: ModelError.self) {
            try DynamicModel(schema: schema, values: [:], registry: registry)
        }
        #expect(missing?.code == .missingProperty)
        #expect(missing?.property == "a")
        let null = #expect(throws: ModelError.self) {
            try DynamicModel(schema: schema, values: ["a": nil], registry: registry)
        }
        #expect(null?.code == .nullNotAllowed)
    }

    @Test(.row("C044"))
    func nestedModelsAreShownAsThemselves() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let child = registry.node(2)
        let model = registry.node(1, next: child)
        model.children = [child]
        #expect(model.values["next"].flatMap { $0 } as? Node === child)
        #expect((model.values["children"].flatMap { $0 } as? [Node])?.first === child)
    }

    @Test func aClassWithoutASchemaIsAnErrorNotItsParent() throws {
        final class Stranger: TestModel {}
        let registry = try SchemaRegistry.ofFixtures()
        let error = #expect(throws: ModelError.self) { try Stranger(values: [:], registry: registry) }
        #expect(error?.code == .unknownSchema)
        #expect(error?.description == "expected a schema registered for the class Stranger but found none")
    }

    @Test func aSchemaOfAnotherClassOrRegistryIsAnError() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(throws: ModelError.self) { try EmptyModel(schema: TestModel.schema, values: [:], registry: registry) }
        #expect(throws: ModelError.self) {
            try DynamicModel(schema: TestModel.schema, values: [:], registry: SchemaRegistry())
        }
        let changed = ModelSchema(TestModel.self, ["name": .string])
        #expect(throws: ModelError.self) { try DynamicModel(schema: changed, values: [:], registry: registry) }
        #expect(
            try DynamicModel(schema: TestModel.schema, values: ["count": 2], registry: registry)["count"] as? UInt == 2)
    }

    @Test func defaultsOfDocumentsBecomeValuesOfTheirKind() throws {
        let model = try SchemaRegistry.plainModel([
            "date": .date.default(json: "2001-01-01T00:00:01Z"),
            "uuid": .uuid.default(json: "00000000-0000-0000-0000-00000000000A"),
            "data": .data.default(json: "AQI="), "decimal": .decimal.default(json: 1.25),
            "color": .enumeration(Color.self).default(json: "green"),
            "list": .array(of: .integer.nullable).default(json: [1, nil]),
            "tags": .set(of: .string).default(json: ["a", "b", "a"]),
            "map": .dictionary(of: .bool).default(json: ["t": true]),
            "any": .jsonValue.default(json: ["x": [1]]),
            "number": .integer.default(json: "12").transformer(IntegerTextTransformerName),
            "flag": .bool.default(json: true), "unsigned": .unsigned.default(json: 7),
            "double": .double.default(json: 0.5), "url": .url.default(json: "http://a/b"),
            "level": .enumeration(Level.self).default(json: 10),
            "none": .string.nullable.default(json: nil), "text": .string.default(json: "t"),
        ])
        #expect(model.read("date", as: Date.self).timeIntervalSinceReferenceDate == 1)
        #expect(model.read("uuid", as: UUID.self).uuidString.hasSuffix("A"))
        #expect(model.read("data", as: Data.self) == Data([1, 2]))
        #expect(model.read("decimal", as: Decimal.self) == Decimal(string: "1.25"))
        #expect(model.read("color", as: Color.self) == .green)
        #expect(model.read("list", as: [Int?].self) == [1, nil])
        #expect(model.read("tags", as: [String].self) == ["a", "b"])
        #expect(model.read("map", as: [String: Bool].self) == ["t": true])
        #expect(model.read("any", as: JSONValue.self) == ["x": [1]])
        #expect(model.read("number", as: Int.self) == 12)
        #expect(model.read("flag", as: Bool.self))
        #expect(model.read("unsigned", as: UInt.self) == 7)
        #expect(model.read("double", as: Double.self) == 0.5)
        #expect(model.read("url", as: URL.self) == URL(string: "http://a/b"))
        #expect(model.read("level", as: Level.self) == .high)
        #expect(try model.state(of: "none") == .null)
        #expect(model.read("text", as: String.self) == "t")
    }

    @Test func defaultsOfDocumentsGoThroughTheTransformersOfTheirProperties() throws {
        let transformers = try TransformerRegistry.ofFixtures()
        let words = Transformer(from: String.self, to: JSONValue.self) { text, _ in
            .array(text.split(separator: " ").map { .string(String($0)) })
        }
        try transformers.register(words, as: "words")
        try transformers.register(
            Transformer(from: Double.self, to: Int.self) { half, _ in Int(half * 2) }, as: "twice")
        try transformers.register(Transformer(from: Bool.self, to: Int.self) { flag, _ in flag ? 1 : 0 }, as: "bit")
        try transformers.register(
            Transformer(from: JSONValue.self, to: String.self) { json, _ in json.description }, as: "text")
        try transformers.register(
            Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in text ?? "none" }, as: "named")
        let registry = SchemaRegistry(transformers: transformers)
        let schema = ModelSchema(
            "Plain",
            [
                "point": .custom(Point.self, transformer: "Point").default(json: "1,2"),
                "range": .custom(Range.self, transformer: "Range").default(json: ["location": 3, "length": 4]),
                "numbers": .array(of: .integer.transformer(IntegerTextTransformerName)).transformer("words")
                    .default(json: "1 2 3"),
                "words": .jsonValue.transformer("words").default(json: "a b"),
                "twice": .integer.transformer("twice").default(json: 1.5),
                "bit": .integer.transformer("bit")
                    .default(json: true),
                "text": .string.transformer("text").default(json: [1, nil]),
                "chain": .string.transformer("words", "text").default(json: "a b"),
                "null": .string.nullable.transformer("words", "text").default(json: nil),
                "named": .string.transformer("named").default(json: nil),
            ])
        try registry.register(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        #expect(model.read("point", as: Point.self) == Point(x: 1, y: 2))
        #expect(model.read("range", as: Range.self) == Range(location: 3, length: 4))
        #expect(model.read("numbers", as: [Int].self) == [1, 2, 3])
        #expect(model.read("words", as: JSONValue.self) == ["a", "b"])
        #expect(model.read("twice", as: Int.self) == 3)
        #expect(model.read("bit", as: Int.self) == 1)
        #expect(model.read("text", as: String.self) == "[1,null]")
        #expect(model.read("chain", as: String.self) == #"["a","b"]"#)
        #expect(try model.state(of: "null") == .null)
        #expect(model.read("named", as: String.self) == "none")
    }

    @Test func modelsDoNotShareWhatTheyChangeInTheirDefaults() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["names": .array(of: .string).default(["a"])])
        try registry.register(schema)
        let (left, right) = (
            DynamicModel(schema: schema, registry: registry), DynamicModel(schema: schema, registry: registry)
        )
        left.set(["b"], "names")
        #expect(right.read("names", as: [String].self) == ["a"])
    }
}
