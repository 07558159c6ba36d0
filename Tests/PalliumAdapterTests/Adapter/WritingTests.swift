import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Writing models: section K of the conformance table.
struct WritingTests {
    @Test(.row("C177", "C178", "C191", "C192")) func propertiesAreChosenByKey() throws {
        let adapter = try entrances(TestModel.self)
        let model = try adapter.model(from: #"{"username":"foo","count":"5","nested":{"name":null}}"#)
        #expect(try adapter.text(of: model) == #"{"username":"foo","count":"5","nested":{"name":null}}"#)
        #expect(try adapter.text(of: model, except: ["count", "nestedName"]) == #"{"username":"foo"}"#)
        #expect(try adapter.text(of: model, only: ["count"]) == #"{"count":"5"}"#)
        #expect(try adapter.text(of: model, only: ["count", "name"], except: ["name"]) == #"{"count":"5"}"#)
        #expect(try adapter.text(of: model, only: []) == "{}")
        #expect(try adapter.text(of: model, only: ["weakModel"]) == "{}")
    }

    @Test(.row("C191")) func aKeyThatDoesNotExistIsAnError() throws {
        let adapter = try entrances(TestModel.self)
        let model = try adapter.model(from: "{}")
        for (only, except) in [(["cuont"], []), (["count"], ["cuont"])] as [(PropertySelection, PropertySelection)] {
            let problem = #expect(throws: ModelError.self) { try adapter.text(of: model, only: only, except: except) }
            #expect(problem?.code == .unknownKey)
            #expect(problem?.suggestion == "count")
        }
    }

    @Test func theChoiceDoesNotConcernNestedModels() throws {
        let adapter = try entrances(NestedDefaultModel.self)
        let model = try adapter.model(from: #"{"property":"p","conforming":{"username":"n","count":"5"}}"#)
        #expect(
            try adapter.text(of: model, except: ["property"]) == #"{"conforming":{"username":"n","count":"5"}}"#)
    }

    @Test(.row("C179")) func aValueOfAnotherTypeNeverGetsIn() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = URLModel(registry: registry)
        let problem = #expect(throws: ModelError.self) { try model.setValue("totallyNotAnNSURL", forKey: "URL") }
        #expect(problem?.code == .typeMismatch)
        #expect(try entrances(URLModel.self, registry: registry).text(of: model) == #"{"URL":"http://github.com"}"#)
    }

    @Test(
        .row("C180", "C181", "C182", "C190"),
        arguments: [
            "string": PropertySchema.string, "url": .url, "uuid": .uuid, "date": .date,
            "model": .model(EmptyModel.self),
            "array": .array(of: .string), "enumeration": .enumeration("a"),
            "transformed": .url.transformer(EmptyTextAsNullTransformerName, URLTransformerName), "bool": .bool,
            "json": .jsonValue,
        ])
    func thereIsOneNilPolicyForAllKinds(kind: String, property: PropertySchema) throws {
        for (policy, unset, null) in [
            (PropertySchema.NilPolicy.asParsed, "{}", #"{"a":null}"#), (.omit, "{}", "{}"),
            (.write, #"{"a":null}"#, #"{"a":null}"#),
        ] {
            let adapter = try Plain.adapter(
                [ModelSchema("Plain", ["a": property]), EmptyModel.schema], options: .with { $0.nilPolicy = policy })
            #expect(try adapter.roundTrip("{}") == unset, "\(policy)")
            if kind != "json" { #expect(try adapter.roundTrip(#"{"a":null}"#) == null, "\(policy)") }
        }
    }

    @Test(.row("C183")) func noEmptyParentsAreWritten() throws {
        let adapter = try Plain.adapter(["url": .url.json("nested.deep.url"), "last": .string])
        #expect(try adapter.roundTrip("{}") == "{}")
        #expect(try adapter.roundTrip(#"{"nested":{"deep":{}},"last":"x"}"#) == #"{"last":"x"}"#)
        #expect(try adapter.roundTrip(#"{"nested":{"deep":null}}"#) == #"{"nested":{"deep":{"url":null}}}"#)
    }

    @Test(.row("C184", "C196")) func aTransformerWithoutReverseCannotWrite() throws {
        let adapter = try Plain.adapter(
            ["inner": .integer.json("a.b").transformer("Length")],
            transformers: ["Length": Transformer(from: String.self, to: Int.self) { text, _ in text.utf8.count }])
        let model = try adapter.model(from: #"{"a":{"b":"four"}}"#)
        #expect(model["inner", as: Int.self] == 4)
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .notReversible)
        #expect(problem?.property == "inner")
        #expect(problem?.pointer?.description == "/a/b")
        #expect(try adapter.text(of: model, except: ["inner"]) == "{}")
    }

    @Test(.row("C185", "C196")) func whatAReverseConversionThrowsIsWrappedWithItsPlace() throws {
        let adapter = try Plain.adapter(
            ["list": .array(of: .string.transformer("OneWay"))],
            transformers: [
                "OneWay": Transformer(from: String.self, to: String.self) { text, _ in
                    text
                } reverse: { text, _ in
                    if text == "bad" { throw FixtureError.refused }
                    return text
                }
            ])
        let model = try adapter.model(from: #"{"list":["good","bad"]}"#)
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.underlying as? FixtureError == .refused)
        #expect(problem?.pointer?.description == "/list/1")
        #expect(problem?.property == "list")
    }

    @Test(.row("C186", "C240")) func aForeignModelIsAnError() throws {
        let registry = SchemaRegistry()
        let first = ModelSchema("First", ["a": .string])
        let second = ModelSchema("Second", ["a": .string])
        try registry.register(first, second)
        let adapter = try JSONAdapter(schema: first, registry: registry)
        let problem = #expect(throws: ModelError.self) {
            try adapter.data(from: DynamicModel(schema: second, registry: registry))
        }
        #expect(problem?.code == .unknownModel)
        #expect(
            problem?.description.hasPrefix(
                "expected a model of First or a schema it refers to but found a model of Second") == true)
    }

    @Test(.row("C187")) func aSubclassIsWrittenByItsOwnSchema() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = SubTestModel(registry: registry)
        model.role = "admin"
        #expect(
            try entrances(TestModel.self, registry: registry).text(of: model) == #"{"count":"1","role":"admin"}"#)
    }

    @Test(.row("C189")) func transitoryPropertiesAreWritten() throws {
        let adapter = try Plain.adapter(["a": .string.storage(.transitory)])
        #expect(try adapter.roundTrip(#"{"a":"x"}"#) == #"{"a":"x"}"#)
    }

    @Test(.row("C193")) func leavesOfOneParentShareIt() throws {
        let adapter = try Plain.adapter(["name": .string.json("n.name"), "x": .string, "age": .integer.json("n.age")])
        #expect(try adapter.roundTrip(#"{"x":"y","n":{"age":1,"name":"a"}}"#) == #"{"n":{"name":"a","age":1},"x":"y"}"#)
        #expect(try adapter.roundTrip(#"{"n":{"age":1}}"#) == #"{"n":{"age":1}}"#)
    }

    @Test(.threat(.nonFiniteNumbers), .row("C196"), arguments: [Double.infinity, -.infinity, .nan])
    func whatJSONDoesNotHaveIsRefusedWithItsPlace(number: Double) throws {
        let adapter = try Plain.adapter(["a": .array(of: .double)])
        let model = try adapter.model(from: "{}")
        model["a"] = [1, number]
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem?.code == .notConvertible)
        #expect(problem?.pointer?.description == "/a/1")
        #expect(problem?.property == "a")
    }

    @Test(.row("C198")) func optionsHoldForModelsOfOtherSchemas() throws {
        let adapter = try entrances(Group.self, options: .with { $0.nilPolicy = .write })
        #expect(
            try adapter.roundTrip(#"{"owner":{}}"#) == #"{"owner":{"name":null,"groups":null},"users":null}"#)
    }

    @Test func readOnlyIsNotWrittenAndWriteOnlyNotRead() throws {
        let adapter = try Plain.adapter(["id": .integer.readOnly, "password": .string.writeOnly])
        let model = try adapter.model(from: #"{"id":1,"password":"x"}"#)
        #expect(model["id", as: Int.self] == 1)
        #expect(try model.state(of: "password") == .unset)
        model["password"] = "secret"
        #expect(try adapter.text(of: model) == #"{"password":"secret"}"#)
    }

    @Test(.threat(.cycles)) func aCycleIsRefusedWithItsPath() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node = Node(registry: registry)
        node.next = node
        defer { node.next = nil }
        let problem = #expect(throws: ModelError.self) {
            try JSONAdapter(Node.self, registry: registry).data(from: node)
        }
        #expect(problem?.code == .cycle)
        #expect(
            problem?.description
                == "expected a tree of models but found the Node at the root again at /next")
        let inner = Node(registry: registry)
        let head = Node(registry: registry)
        (head.next, inner.next) = (inner, node)
        node.next = inner
        let deeper = #expect(throws: ModelError.self) {
            try JSONAdapter(Node.self, registry: registry).data(from: [head])
        }
        #expect(deeper?.found == "the Node at /0/next again")
        #expect(deeper?.pointer?.description == "/0/next/next/next")
        inner.next = nil
    }

    @Test(.threat(.cycles)) func aCycleThroughPathsListsAndDictionariesNamesWhereItCloses() throws {
        let schema = ModelSchema(
            "Loop",
            [
                "path": .model("Loop").json("a.b"), "list": .array(of: .model("Loop")),
                "named": .dictionary(of: .array(of: .model("Loop"))),
            ])
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let loop = DynamicModel(schema: schema, registry: registry)
        let values: [(String, any PropertyValue, String)] = [
            ("path", loop, "/a/b"), ("list", [loop], "/list/0"), ("named", ["k": [loop]], "/named/k/0"),
        ]
        for (key, value, pointer) in values {
            try loop.setValue(value, forKey: key)
            let problem = #expect(throws: ModelError.self) { try adapter.data(from: loop) }
            #expect(problem?.code == .cycle && problem?.pointer?.description == pointer)
            try loop.unset(key)
        }
    }

    @Test func aNumberThatFoundationCannotHoldIsRefusedWithItsPlace() throws {
        let adapter = try Plain.adapter(["a": .jsonValue]).withoutFoundation
        for (text, pointer) in [("1e400", "/a"), ("[1,{\"x\":-1e999}]", "/a/1/x")] {
            let model = try adapter.model(from: #"{"a":\#(text)}"#)
            let problem = #expect(throws: ModelError.self) { try adapter.adapter.jsonObject(from: model) }
            #expect(problem?.code == .notConvertible)
            #expect(problem?.pointer?.description == pointer)
        }
    }
}
