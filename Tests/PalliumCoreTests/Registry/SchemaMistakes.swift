import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// One mistake in a set of schemas and everything that is reported for it.
struct SchemaMistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schemas: [ModelSchema]
    let problems: [String]

    init(_ name: String, _ schemas: ModelSchema..., problems: String...) {
        self.init(name, schemas: schemas, problems: problems)
    }

    init(_ name: String, schemas: [ModelSchema], problems: [String]) {
        testDescription = name
        self.schemas = schemas
        self.problems = problems
    }

    /// A mistake in one property of a schema called `S`.
    init(_ name: String, _ property: PropertySchema, _ problem: String) {
        testDescription = name
        schemas = [
            ModelSchema("S", ["p": property]), ModelSchema("Other", ["back": .model("S").weak, "name": .string]),
        ]
        problems = ["S.p: " + problem]
    }

    /// With those of its parent, more properties than a schema may have.
    private static var wide: ModelSchema {
        var schema = ModelSchema.named("S", properties: (0..<4001).map { .init("b\($0)", .bool) })
        schema.parent = "P"
        return schema
    }

    static let names: [SchemaMistake] = [
        SchemaMistake("no name", ModelSchema("", [:]), problems: ": a schema needs a name"),
        SchemaMistake(
            "two values of one name", ModelSchema("S", [:]), ModelSchema("S", ["a": .bool]),
            problems: "S: another schema of this name is registered; choose another name, or register the same value"),
        SchemaMistake(
            "a class with two schemas", ModelSchema(EmptyModel.self, [:]), ModelSchema(EmptyModel.self, [:], name: "S"),
            problems: "S: the class EmptyModel already belongs to the schema EmptyModel; bind the class to one schema"),
        SchemaMistake(
            "the base class", ModelSchema(DynamicModel.self, [:], name: "S"),
            problems: "S: DynamicModel itself cannot be bound; give the schema a name only"),
        SchemaMistake(
            "an unknown parent", ModelSchema("S", [:], extends: "Nowhere"),
            problems: "S: extends Nowhere, which is not registered; register it in the same call"),
        SchemaMistake(
            "a misspelled parent", ModelSchema("S", [:], extends: "Shap"), ModelSchema("Shape", [:]),
            problems: "S: extends Shap, which is not registered; did you mean Shape?"),
        SchemaMistake(
            "an unregistered parent class", ModelSchema(SubTestModel.self, [:], extends: .modelClass(TestModel.self)),
            problems: "SubTestModel: extends TestModel, which is not registered; register it in the same call"),
        SchemaMistake(
            "its own parent", ModelSchema("S", [:], extends: "S"),
            problems: "S: extends itself through S; break the cycle"),
        SchemaMistake(
            "a cycle of parents", ModelSchema("A", [:], extends: "B"), ModelSchema("B", [:], extends: "A"),
            problems: "A: extends itself through B; break the cycle", "B: extends itself through A; break the cycle"),
        SchemaMistake(
            "a class that is no subclass", ModelSchema(EmptyModel.self, [:], extends: "TestModel"), TestModel.schema,
            problems: "EmptyModel: extends TestModel, but the class EmptyModel is no subclass of TestModel; "
                + "bind a subclass of TestModel"),
        SchemaMistake(
            "a class that inherits accessors, but not their properties", ModelSchema(SubTestModel.self, [:]),
            ModelSchema(TestModel.self, [:]),
            problems: "SubTestModel: does not extend TestModel, but SubTestModel inherits the accessors of its class "
                + "TestModel; add extends: \"TestModel\""),
        SchemaMistake(
            "a class that is no subclass of the grandparent's", TestModel.schema,
            ModelSchema("Between", [:], extends: "TestModel"), ModelSchema(EmptyModel.self, [:], extends: "Between"),
            problems: "EmptyModel: extends Between, but the class EmptyModel is no subclass of TestModel; "
                + "bind a subclass of TestModel"),
    ]

    static let properties: [SchemaMistake] = [
        SchemaMistake("an empty key", ModelSchema("S", ["": .bool]), problems: "S.: a key cannot be empty"),
        SchemaMistake(
            "a key twice", ModelSchema("S", ["a": .bool, "a": .bool]), problems: "S.a: the key occurs twice; keep one"),
        SchemaMistake(
            "an unknown model", .model("Nowhere"),
            "names the model Nowhere, which is not registered; register it in the same call"),
        SchemaMistake(
            "a misspelled model", .model("Othr"), "names the model Othr, which is not registered; did you mean Other?"),
        SchemaMistake(
            "an unknown model with a validator", .model("Nowhere").validate { (_: inout DynamicModel?, _) in },
            "names the model Nowhere, which is not registered; register it in the same call"),
        SchemaMistake(
            "an unknown model in a list", .array(of: .dictionary(of: .model("Nowhere"))),
            "names the model Nowhere, which is not registered; register it in the same call"),
        SchemaMistake(
            "an unregistered class", .model(User.self),
            "names the model User, which is not registered; register it in the same call"),
        SchemaMistake(
            "an unknown transformer", .url.transformer("Nothing"),
            "names the transformer \"Nothing\", which is not registered; register it before the schema"),
        SchemaMistake(
            "a misspelled transformer", .url.transformer("URI"),
            "names the transformer \"URI\", which is not registered; did you mean URL?"),
        SchemaMistake(
            "an unknown transformer of a custom kind", .custom(Point.self, transformer: "Point"),
            "names the transformer Point, which is not registered; register it before the schema"),
        SchemaMistake(
            "a transformer that gives another type", .integer.transformer(URLTransformerName),
            "the transformer URL gives URL, which does not fit an integer; choose a transformer or a kind that fits"),
        SchemaMistake(
            "an unknown transformer behind another", .integer.transformer(URLTransformerName, "Nothing"),
            "names the transformer \"Nothing\", which is not registered; register it before the schema"),
        SchemaMistake(
            "transformers that do not follow each other",
            .url.transformer(IntegerTextTransformerName, URLTransformerName),
            "the transformer URL takes String, but the one before it gives Int64"),
        SchemaMistake(
            "a transformer that gives no case",
            ModelSchema("S", ["p": .enumeration("a", "b").transformer(URLTransformerName)]),
            problems: "S.p: the transformer URL gives URL, which does not fit one of \"a\", \"b\"; "
                + "choose a transformer or a kind that fits"),
        SchemaMistake(
            "a transformer for a fallback that is no case",
            ModelSchema("S", ["p": .enumeration("a", unknown: .fallback("z")).transformer(URLTransformerName)]),
            problems: "S.p: the fallback z is no case",
            "S.p: the transformer URL gives URL, which does not fit one of \"a\"; "
                + "choose a transformer or a kind that fits"),
        SchemaMistake(
            "weak models in a set", .set(of: .model("Other").weak),
            "elements of a collection have a kind, null, rules, transformers and byIdentity only; put the other modifiers on the property"
        ),
        SchemaMistake(
            "an unknown model instead of the parent's", ModelSchema("P", ["m": .model("P")]),
            ModelSchema("S", ["m": .model("Nowhere")], extends: "P"),
            problems: "S.m: names the model Nowhere, which is not registered; register it in the same call"),
        SchemaMistake(
            "more properties than there may be",
            ModelSchema.named("P", properties: (0..<6000).map { .init("a\($0)", .bool) }), wide,
            problems: "S: has more than 10000 properties"),
        SchemaMistake("no cases", .enumeration(EnumerationSchema(cases: [])), "an enumeration needs a case"),
        SchemaMistake(
            "a case twice", .enumeration("a", "b", "a"), "the case a occurs twice; give each text to one case"),
        SchemaMistake(
            "a fallback that is no case", .enumeration("a", unknown: .fallback("z")), "the fallback z is no case"),
        SchemaMistake("a weak text", .string.weak, "only a model can be weak"),
        SchemaMistake(
            "a weak required model", .model("Other").weak.required,
            "a weak property cannot be required or have a default: its model may be gone"),
        SchemaMistake(
            "a default in an element", .array(of: .integer.default(1)),
            "elements of a collection have a kind, null, rules, transformers and byIdentity only; put the other modifiers on the property"
        ),
        SchemaMistake(
            "a key path in an element", .dictionary(of: .integer.json("a")),
            "elements of a collection have a kind, null, rules, transformers and byIdentity only; put the other modifiers on the property"
        ),
        SchemaMistake(
            "a weak element", .array(of: .model("Other").weak),
            "elements of a collection have a kind, null, rules, transformers and byIdentity only; put the other modifiers on the property"
        ),
        SchemaMistake(
            "required with a default", .integer.required.default(1),
            "is required and has a default; drop one: a default is never missing"),
        SchemaMistake(
            "required and not null", .integer.required.notNull, "is required, and so never null; drop notNull"),
        SchemaMistake(
            "required but not archived", .integer.required.archive(.excluded),
            "is required, but archives leave it out; archive it, or make it nullable"),
        SchemaMistake(
            "required but archived perhaps", .model("Other").required.archive(.conditional),
            "is required, but archives leave it out; archive it, or make it nullable"),
        SchemaMistake(
            "required but transitory", .integer.required.storage(.transitory),
            "is required, but transitory properties are not archived; add .archive(.included), or make it nullable"),
        SchemaMistake("required but not stored", .integer.required.storage(.notStored), "is required but not stored"),
        SchemaMistake(
            "required but never read", .integer.required.writeOnly,
            "is required, but never read from JSON; drop writeOnly, or make it nullable"),
        SchemaMistake("an inverse of a text", .string.inverse("back"), "has an inverse but holds no models"),
        SchemaMistake(
            "an inverse that is no weak link", .array(of: .model("Other")).inverse("name"),
            "names the inverse name, which is no weak model property of Other; declare it there as .model(\"S\").weak"),
        SchemaMistake(
            "an unknown inverse", .model("Other").inverse("bak"),
            "names the inverse bak, which is no weak model property of Other; did you mean back?"),
        SchemaMistake(
            "an unknown identity key", ModelSchema("S", ["name": .string], identity: ["nam"]),
            problems: "S.nam: the identity names a key that does not exist; did you mean name?"),
        SchemaMistake(
            "a text by its identity", .string.byIdentity,
            "is given by its identity, which only a model without transformers can be; drop it"),
        SchemaMistake(
            "a list by its identity", .array(of: .model("Other")).byIdentity,
            "is given by its identity, which only a model without transformers can be; put byIdentity on the models"),
        SchemaMistake(
            "a weak model by its identity", .model("Other").weak.byIdentity,
            "is given by its identity, which only a model without transformers can be; put byIdentity on the models"),
        SchemaMistake(
            "a model without an identity by its identity", .model("Other").byIdentity,
            "is given by its identity, but that of Other is not declared; declare one property as the identity of Other"
        ),
        identified(
            "several properties by their identity", ["a": .string, "b": .string], ["a", "b"],
            "is given by its identity, but that of T is several properties; declare one property as the identity of T"),
        identified(
            "a Boolean by its identity", ["a": .bool], ["a"],
            "is given by its identity, but T.a is no text or number in documents; choose another identity"),
        identified(
            "an object by its identity", ["a": .jsonValue], ["a"],
            "is given by its identity, but T.a is no text or number in documents; choose another identity"),
        identified(
            "what is in no document by its identity", ["a": .string.local], ["a"],
            "is given by its identity, but T.a is read from no member of documents; map it, or choose another identity"),
        identified(
            "a model that requires more by its identity", ["a": .string, "z": .string.required, "b": .bool.required],
            ["a"], "is given by its identity, but T requires b; add allowsStubs to the schema T"),
        SchemaMistake(
            "stubs without an identity", ModelSchema("S", ["a": .string.required], allowsStubs: true),
            problems: "S: allows stubs, but declares no identity; declare it here, or allow stubs where it is declared"),
        SchemaMistake(
            "stubs that lack what is inherited", ModelSchema("P", ["a": .string.required, "id": .string.required]),
            ModelSchema("S", ["b": .string], extends: "P", identity: ["id"], allowsStubs: true),
            problems: "S.a: is inherited and required, but stubs lack it; "
                + "declare identity and stubs in the schema of the property, or repeat it here"),
        SchemaMistake(
            "an identity key without storage",
            ModelSchema("S", ["name": .string.storage(.notStored)], identity: ["name"]),
            problems: "S.name: the identity names a key that does not exist"),
    ]

    /// A mistake in a property whose model is given by its identity.
    private static func identified(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, _ identity: [String], _ problem: String
    ) -> SchemaMistake {
        SchemaMistake(
            name, ModelSchema("S", ["p": .model("T").byIdentity]), ModelSchema("T", properties, identity: identity),
            problems: "S.p: " + problem)
    }

    private static let huge = (try? JSONValue(parsing: "1e400")) ?? .null

    private static func document(
        _ name: String, _ property: PropertySchema, _ json: JSONValue, _ problem: String
    ) -> SchemaMistake {
        SchemaMistake(
            "a document's default: " + name, property.default(json: json),
            "the default value does not fit: expected \(problem); change the default")
    }

    static let defaults: [SchemaMistake] = [
        SchemaMistake(
            "a default of another kind", .integer.default("a"),
            "the default value does not fit: expected an integer but found String; change the default"),
        SchemaMistake(
            "a default out of range", .integer(as: Int8.self).default(200),
            "the default value does not fit: expected an integer of 8 bits but found 200; change the default"),
        SchemaMistake(
            "a default that is no case", .enumeration("a").default("b"),
            "the default value does not fit: expected one of \"a\" but found \"b\"; change the default"),
        SchemaMistake(
            "a document's default of another kind", .bool.default(json: 1),
            "the default value does not fit: expected a bool but found the number 1; change the default"),
        SchemaMistake(
            "a document's default that is no date", .date.default(json: "yesterday"),
            "the default value does not fit: expected a date but found \"yesterday\"; change the default"),
        SchemaMistake(
            "a wrong element in a default", .array(of: .integer).default(json: [1, "a"]),
            "the default value does not fit: expected an integer but found \"a\" at /1; change the default"),
        document("-1 for an unsigned integer", .unsigned, -1, "an unsigned integer of 64 bits but found the number -1"),
        document("a fraction for an integer", .integer, 1.5, "an integer but found the number 1.5"),
        document("more than a double", .double, huge, "a finite number but found the number 1e400"),
        document("more than a decimal", .decimal, huge, "a decimal number but found the number 1e400"),
        document("a fraction for a case", .enumeration(Level.self), 1.5, "one of 1, 10 but found the number 1.5"),
        document("no URL", .url, "http://[", "a URL but found \"http://[\""),
        document("no UUID", .uuid, "a", "a UUID but found \"a\""),
        document("no Base64", .data, "a", "data but found \"a\""),
        document("an array for a dictionary", .dictionary(of: .bool), [], "a dictionary but found an array"),
        document(
            "a wrong member", .dictionary(of: .array(of: .bool)), ["k": [true, 1]],
            "a bool but found the number 1 at /k/1"),
        document("null where it is not allowed", .array(of: .string), [nil], "a string but found null at /0"),
        SchemaMistake(
            "a wrong member in a default", .dictionary(of: .integer).default(json: ["k": 1, "l": "a"]),
            "the default value does not fit: expected an integer but found \"a\" at /l; change the default"),
        SchemaMistake(
            "a secret default", .integer.secret.default("hunter2"),
            "the default value does not fit: expected an integer but found a masked value; change the default"),
        SchemaMistake(
            "a validator of another type", .integer.validate { (_: inout String?, _) in },
            "a validator of Optional<String> cannot read an integer; declare its value as Int?"),
        SchemaMistake(
            "a validator that cannot see nil", .integer.validate { (_: inout Int, _) in },
            "a validator of Int cannot read an integer; declare its value as Int?"),
        SchemaMistake(
            "a validator that cannot see unknown cases",
            .enumeration(Color.self, unknown: .keep).required.validate { (_: inout Color, _) in },
            "a validator of Color cannot read one of \"red\", \"green\", \"blue\"; declare its value as String"),
    ]
}
