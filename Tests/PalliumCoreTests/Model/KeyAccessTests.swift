import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Properties by key")
struct KeyAccessTests {
    @Test(.row("C023", "C025"))
    func aValueSetByKeyIsReadByAccessorAndTheOtherWayRound() throws {
        let model = TestModel(registry: try .ofFixtures())
        try model.setValue("foobar", forKey: "name")
        #expect(model.name == "foobar")
        model.nestedName = "fuzzbuzz"
        #expect(try model.value(forKey: "nestedName") as? String == "fuzzbuzz")
        model["count"] = 7
        #expect(model.count == 7)
        #expect(model["count"] as? UInt == 7)
        #expect(model["name", as: String.self] == "foobar")
        #expect(model["nestedName", as: String?.self] == "fuzzbuzz")
    }

    @Test(.threat(.numericTraps)) func integersOfAnyTypeAreAcceptedWithinTheRange() throws {
        let model = try SchemaRegistry.plainModel(["small": .integer(as: Int8.self), "large": .unsigned])
        try model.setValue(Int64(-128), forKey: "small")
        #expect(model.read("small", as: Int8?.self) == -128)
        try model.setValue(UInt64(127), forKey: "small")
        #expect(model.read("small", as: Int?.self) == 127)
        try model.setValue(Int8(5), forKey: "large")
        #expect(model.read("large", as: UInt?.self) == 5)
    }

    @Test func aModelByKeyHasItsOwnClass() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let holder = ModelSchema("Holder", ["model": .model(TestModel.self), "plain": .model("Bare")])
        let bare = ModelSchema("Bare", [:])
        try registry.register(holder, bare)
        let model = DynamicModel(schema: holder, registry: registry)
        let child = SubTestModel(registry: registry)
        try model.setValue(child, forKey: "model")
        #expect(try model.value(forKey: "model") as? SubTestModel === child)
        try model.setValue(DynamicModel(schema: bare, registry: registry), forKey: "plain")
        #expect(try model.value(forKey: "plain") as? DynamicModel != nil)
    }

    @Test(.threat(.normalization)) func keysAreComparedAsBytes() throws {
        let model = try SchemaRegistry.plainModel(["caf\u{E9}": .integer, "cafe\u{301}": .string])
        try model.setValue(1, forKey: "caf\u{E9}")
        try model.setValue("a", forKey: "cafe\u{301}")
        #expect(try model.value(forKey: "caf\u{E9}") as? Int == 1)
        #expect(try model.value(forKey: "cafe\u{301}") as? String == "a")
    }

    @Test(.threat(.normalization)) func textsThatDifferOnlyInNormalisationStayAsTheyAre() throws {
        let model = try SchemaRegistry.plainModel(["text": .string])
        for text in ["caf\u{E9}", "cafe\u{301}"] {
            try model.setValue(text, forKey: "text")
            let read = try #require(try model.value(forKey: "text") as? String)
            #expect(Array(read.utf8) == Array(text.utf8))
        }
    }

    @Test(.threat(.normalization)) func dictionaryKeysAreComparedAsBytes() throws {
        let registry = SchemaRegistry()
        let json: JSONValue = ["caf\u{E9}": 1, "cafe\u{301}": 2]
        let schema = ModelSchema("Plain", ["counts": .dictionary(of: .integer).default(json: json)])
        try registry.register(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        #expect(try model.value(forKeyPath: "counts.caf\u{E9}") as? Int == 1)
        #expect(try model.value(forKeyPath: "counts.cafe\u{301}") as? Int == 2)
        // A Swift dictionary cannot hold both; the accessor shows the last and does not trap.
        #expect(model.read("counts", as: [String: Int].self) == ["caf\u{E9}": 2])
    }

    // MARK: Key paths

    private func graph() throws -> DynamicModel {
        let registry = try SchemaRegistry.ofFixtures()
        let root = registry.node(1, next: registry.node(2, next: registry.node(3)))
        root.children = [registry.node(10), registry.node(11)]
        root.named = ["a.b": registry.node(20), "": registry.node(21)]
        root.gaps = [nil, registry.node(31)]
        root.friends = [registry.node(40)]
        root.owner = root
        return root
    }

    @Test(arguments: [
        ("label", 1), ("next.label", 2), ("next.next.label", 3), ("children[0].label", 10), ("children[1].label", 11),
        (#"named.a\.b.label"#, 20), ("gaps[1].label", 31), ("friends[0].label", 40), ("owner.owner.next.label", 2),
        // Paths that end early.
        ("next.next.next.label", nil), ("children[2].label", nil), ("named.c.label", nil), ("gaps[0].label", nil),
        ("children[0].children[5]", nil), ("next.next.next", nil),
    ])
    func keyPathsWalkModelsAndCollections(_ path: String, _ expected: Int?) throws {
        #expect(try graph().value(forKeyPath: path) as? Int == expected)
    }

    @Test(arguments: [
        ("labell", "expected a key of Node but found \"labell\"; did you mean \"label\"?"),
        ("next.labell", "expected a key of Node but found \"labell\"; did you mean \"label\"?"),
        ("children[0].lebel", "expected a key of Node but found \"lebel\"; did you mean \"label\"?"),
        ("label.next", "expected a value with parts but found an integer"),
        ("children.label", "expected a value with parts but found an array"),
        ("next[0]", "expected a value with parts but found a model of Node"),
        ("named[0]", "expected a value with parts but found a dictionary"),
        ("", "expected a key path but found key path \"\" has an empty step"),
        ("next.", "expected a key path but found key path \"next.\" has an empty step"),
        (
            "children[x]",
            "expected a key path but found key path \"children[x]\" has a bracket without an element number"
        ),
    ])
    func keyPathsThatLeadNowhereAreErrors(_ path: String, _ message: String) throws {
        let root = try graph()
        let error = #expect(throws: ModelError.self) { try root.value(forKeyPath: path) }
        #expect(error?.description == message)
        #expect(error?.code == .unknownKey)
    }

    /// A graph whose values are all missing, so that only the schemas know the keys.
    private func bare() throws -> DynamicModel {
        let registry = SchemaRegistry()
        let schemas = [
            ModelSchema(
                "Holder",
                [
                    "friend": .model("Person"), "boss": .model("Person").weak, "friends": .array(of: .model("Person")),
                    "byName": .dictionary(of: .model("Person")), "a.b": .integer, "title": .string,
                ]),
            ModelSchema("Person", ["name": .string, "friend": .model("Person"), "x[0]": .string]),
            ModelSchema("Employee", ["salary": .integer], extends: "Person"),
        ]
        try registry.register(schemas)
        return DynamicModel(schema: schemas[0], registry: registry)
    }

    @Test(arguments: [
        ("friend.nme", #"expected a key of Person but found "nme"; did you mean "name"?"#),
        ("boss.nme", #"expected a key of Person but found "nme"; did you mean "name"?"#),
        ("friends[3].nme", #"expected a key of Person but found "nme"; did you mean "name"?"#),
        ("byName.ada.friend.friend.nme", #"expected a key of Person but found "nme"; did you mean "name"?"#),
        ("friend.name.first", "expected a value with parts but found a string"),
        ("friends.name", "expected a value with parts but found an array"),
        ("title.x", "expected a value with parts but found a string"),
        // A key with a dot or a bracket is escaped.
        ("a.b", #"expected a key of Holder but found "a.b"; did you mean "a\.b"?"#),
        ("friend.x[0]", #"expected a key of Person but found "x[0]"; did you mean "x\[0]"?"#),
        ("a_b", #"expected a key of Holder but found "a_b"; did you mean "a\.b"?"#),
    ]) func anUnknownKeyBehindAMissingValueIsAnError(_ path: String, _ message: String) throws {
        let model = try bare()
        let error = #expect(throws: ModelError.self) { try model.value(forKeyPath: path) }
        #expect(error?.description == message)
        #expect(error?.code == .unknownKey)
    }

    /// A missing model may be of any descendant of its schema.
    @Test(arguments: [
        "friend.name", "friend.salary", "friend.friend.salary", "friends[0].salary", "byName.ada.name", #"a\.b"#,
        #"friend.x\[0]"#,
    ]) func aKnownKeyBehindAMissingValueIsNil(_ path: String) throws {
        #expect(try bare().value(forKeyPath: path) == nil)
    }

    @Test func aSuggestionForAKeyPathLeadsToTheValue() throws {
        let model = try bare()
        model["a.b"] = 7
        let error = #expect(throws: ModelError.self) { try model.value(forKeyPath: "a.b") }
        #expect(try model.value(forKeyPath: #require(error?.suggestion)) as? Int == 7)
    }

    // MARK: Refused values

    private struct Refusal: Sendable, CustomTestStringConvertible {
        let key: String
        let value: @Sendable () -> (any PropertyValue)?
        let code: ModelError.Code
        let message: String
        var testDescription: String { message }
    }

    private static let refusals: [Refusal] = [
        Refusal(
            key: "titel", value: { "x" }, code: .unknownKey,
            message: "expected a key of Plain but found \"titel\"; did you mean \"title\"?"),
        Refusal(
            key: "bogus key", value: { "x" }, code: .unknownKey,
            message: "expected a key of Plain but found \"bogus key\""),
        Refusal(
            key: "title", value: { 5 }, code: .typeMismatch,
            message: "expected a string but found a value of the type Int at /title"),
        Refusal(
            key: "flag", value: { 1 }, code: .typeMismatch,
            message: "expected a bool but found a value of the type Int at /flag"),
        Refusal(
            key: "number", value: { 1.5 }, code: .typeMismatch,
            message: "expected an integer of 16 bits but found 1.5 at /number"),
        Refusal(
            key: "number", value: { "5" }, code: .typeMismatch,
            message: "expected an integer of 16 bits but found a value of the type String at /number"),
        Refusal(
            key: "number", value: { 40_000 }, code: .numberOutOfRange,
            message: "expected an integer of 16 bits but found 40000 at /number"),
        Refusal(
            key: "number", value: { UInt64.max }, code: .numberOutOfRange,
            message: "expected an integer of 16 bits but found 18446744073709551615 at /number"),
        Refusal(
            key: "natural", value: { -1 }, code: .numberOutOfRange,
            message: "expected an unsigned integer of 64 bits but found -1 at /natural"),
        Refusal(
            key: "number", value: { nil }, code: .nullNotAllowed,
            message: "expected an integer of 16 bits but found null at /number"),
        Refusal(
            key: "preset", value: { nil }, code: .nullNotAllowed, message: "expected a string but found null at /preset"
        ),
        Refusal(
            key: "single", value: { 1e300 }, code: .numberOutOfRange,
            message: "expected a number that a float holds exactly but found 1e+300 at /single"),
        Refusal(
            key: "single", value: { 0.1 }, code: .numberOutOfRange,
            message: "expected a number that a float holds exactly but found 0.1 at /single"),
        Refusal(
            key: "exact", value: { Decimal.nan }, code: .numberOutOfRange,
            message: "expected a number that a decimal holds exactly but found NaN at /exact"),
        Refusal(
            key: "color", value: { "mauve" }, code: .unknownCase,
            message: "expected one of \"red\", \"green\", \"blue\" but found \"mauve\" at /color"),
        Refusal(
            key: "names", value: { ["a", nil] }, code: .nullNotAllowed,
            message: "expected a string but found null at /names/1"),
        Refusal(
            key: "names", value: { [1, 2] }, code: .typeMismatch,
            message: "expected an array but found a value of the type Array<Int> at /names"),
        Refusal(
            key: "counts", value: { ["a": 1, "b": 300] }, code: .numberOutOfRange,
            message: "expected an unsigned integer of 8 bits but found 300 at /counts/b"),
        Refusal(
            key: "password", value: { 12345 }, code: .typeMismatch,
            message: "expected a string but found a masked value at /password"),
        Refusal(
            key: "pin", value: { 70_000 }, code: .numberOutOfRange,
            message: "expected an unsigned integer of 16 bits but found a masked value at /pin"),
    ]

    @Test(.row("C032", "C033", "C035", "C368", "C369"), arguments: refusals)
    private func aRefusedValueLeavesTheModelUnchanged(_ refusal: Refusal) throws {
        let model = try SchemaRegistry.plainModel([
            "title": .string, "flag": .bool, "number": .integer(as: Int16.self).required, "natural": .unsigned,
            "preset": .string.default("given"), "single": PropertySchema(.float), "exact": .decimal,
            "color": .enumeration(Color.self), "names": .array(of: .string),
            "counts": .dictionary(of: .integer(as: UInt8.self)),
            "password": .string.secret, "pin": .integer(as: UInt16.self).secret,
        ])
        let values: [String: (any PropertyValue)?] = [
            "title": "t", "flag": true, "number": 3, "natural": 4, "preset": "other", "single": Float(0.5),
            "exact": Decimal(2),
            "color": Color.red, "names": ["n"], "counts": ["c": 1], "password": "p", "pin": 6,
        ]
        for (key, value) in values { try model.setValue(value, forKey: key) }
        let before = model.copy()
        let error = #expect(throws: ModelError.self) { try model.setValue(refusal.value(), forKey: refusal.key) }
        #expect(error?.code == refusal.code)
        #expect(error?.description == refusal.message)
        #expect(model == before)
    }

    @Test func aModelOfAnotherSchemaIsRefused() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let holder = ModelSchema("Holder", ["model": .model(TestModel.self), "models": .array(of: .model(Node.self))])
        try registry.register(holder)
        let model = DynamicModel(schema: holder, registry: registry)
        let single = #expect(throws: ModelError.self) { try model.setValue(registry.node(1), forKey: "model") }
        #expect(single?.description == "expected a model of TestModel but found a model of Node (Node) at /model")
        let wrong: [DynamicModel] = [registry.node(1), EmptyModel(registry: registry)]
        let many = #expect(throws: ModelError.self) { try model.setValue(wrong, forKey: "models") }
        #expect(
            many?.description == "expected a model of Node but found a model of EmptyModel (EmptyModel) at /models/1")
        #expect(try model.state(of: "model") == .unset)
        #expect(try model.state(of: "models") == .unset)
    }

    @Test func aModelMadeOfItsSchemaMayStandWhereItsClassIsAskedFor() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node = registry.node(1)
        let next = DynamicModel(schema: Node.schema, registry: registry)
        try node.setValue(next, forKey: "next")
        #expect(node["next", as: Node.self] === next)
    }

    @Test(.threat(.secretsInErrors)) func reportedTextIsShortAndHarmless() throws {
        let model = try SchemaRegistry.plainModel(["title": .string])
        let key = "\u{1B}[31m\n" + String(repeating: "x", count: 100_000)
        let error = #expect(throws: ModelError.self) { try model.setValue("a", forKey: key) }
        let text = try #require(error?.description)
        #expect(text.utf8.count < 200)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
