import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What is written of the models of a cluster is read back as the same class, or not written at all.
@Suite(.row("C188", "C216"))
struct WrittenClusterTests {
    /// Writes a model, expects that it is read back as what it is, and returns the text.
    private func passed(
        _ model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let data = try adapter.data(from: model)
        let again = try adapter.model(from: data)
        #expect(again.schema.name == model.schema.name, sourceLocation: sourceLocation)
        return String(decoding: data, as: UTF8.self)
    }

    private func refusal(
        _ model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>, sourceLocation: SourceLocation = #_sourceLocation
    ) -> ModelError? {
        let error = #expect(throws: ModelError.self, sourceLocation: sourceLocation) { try adapter.data(from: model) }
        #expect(error?.code == .unknownModel, sourceLocation: sourceLocation)
        return error
    }

    private struct Made {
        let registry: SchemaRegistry
        let schemas: [ModelSchema]

        init(_ schemas: [ModelSchema]) throws {
            registry = try .of(schemas)
            self.schemas = schemas
        }

        func adapter(_ name: String, nilPolicy: PropertySchema.NilPolicy = .asParsed) throws -> JSONAdapter<
            DynamicModel
        > {
            try JSONAdapter(
                schema: registry.schema(named: name), registry: registry, options: .with { $0.nilPolicy = nilPolicy })
        }

        func model(_ name: String, _ values: [String: any PropertyValue] = [:]) throws -> DynamicModel {
            let model = DynamicModel(schema: try registry.schema(named: name), registry: registry)
            for (key, value) in values { try model.setValue(value, forKey: key) }
            return model
        }
    }

    // MARK: Discriminators

    private static let flavors = [
        ModelSchema(
            "Ice", ["flavor": .string],
            cluster: .discriminator("flavor", ["chocolate": "Chocolate", "cacao": "Chocolate", "berry": "Berry"])),
        ModelSchema("Chocolate", ["bitter": .integer], extends: "Ice"), ModelSchema("Berry", [:], extends: "Ice"),
        ModelSchema("Dark", [:], extends: "Chocolate"),
        ModelSchema("Bowl", ["best": .model("Ice"), "all": .array(of: .model("Ice")), "dark": .model("Dark")]),
    ]

    @Test func aTextOfAnotherMemberIsNotWritten() throws {
        let made = try Made(Self.flavors)
        for asked in ["Ice", "Chocolate"] {
            let adapter = try made.adapter(asked)
            let chocolate = try made.model("Chocolate", ["flavor": "berry"])
            #expect(refusal(chocolate, adapter)?.pointer?.description == "/flavor")
            chocolate["flavor"] = "mint"
            #expect(refusal(chocolate, adapter)?.pointer?.description == "/flavor")
            chocolate["flavor"] = "cacao"
            #expect(try passed(chocolate, adapter) == #"{"flavor":"cacao"}"#)
            try chocolate.unset("flavor")
            #expect(try passed(chocolate, adapter) == #"{"flavor":"chocolate"}"#)
        }
        let bowl = try made.model(
            "Bowl", ["all": [try made.model("Berry"), made.model("Chocolate", ["flavor": "berry"])]])
        #expect(refusal(bowl, try made.adapter("Bowl"))?.pointer?.description == "/all/1/flavor")
    }

    /// Of several texts that lead to a leaf the one that names it is written, also behind one that names its parent.
    @Test func theTextOfTheLeafItselfIsWritten() throws {
        let made = try Made([
            ModelSchema("Ice", [:], cluster: .discriminator("flavor", ["chocolate": "Chocolate", "dark": "Dark"])),
            ModelSchema(
                "Chocolate", [:], extends: "Ice",
                cluster: .discriminator("kind", ["milk": "Milk", "noir": "Dark"], default: "Chocolate")),
            ModelSchema("Milk", [:], extends: "Chocolate"), ModelSchema("Dark", [:], extends: "Chocolate"),
        ])
        let ice = try made.adapter("Ice")
        #expect(try passed(made.model("Dark"), ice).contains(#""flavor":"dark""#))
        #expect(try passed(made.model("Milk"), ice).contains(#""flavor":"chocolate""#))
    }

    @Test func aTextThatNobodyKnowsIsRefusedWhereALeafIsAskedFor() throws {
        let adapter = Entrances(try Made(Self.flavors).adapter("Chocolate"))
        let problem = adapter.problem(of: #"{"flavor":"mint"}"#)
        #expect(problem?.code == .unknownModel)
        #expect(problem?.pointer?.description == "/flavor")
        for text in [#"{"flavor":"mint"}"#, #"{"flavor":"berry"}"#] {
            #expect(adapter.report(from: text).models.isEmpty)
            #expect(adapter.report(from: "[{},\(text)]").models.count == 1)
        }
        #expect(try adapter.model(from: "{}").schema.name == "Chocolate")
        #expect(try adapter.model(from: #"{"flavor":"cacao"}"#).schema.name == "Chocolate")
    }

    @Test func aMemberThatTheClusterCannotNameIsNotWrittenWhereItIsAsked() throws {
        let made = try Made(Self.flavors)
        for name in ["Dark", "Ice"] {
            let model = try made.model(name)
            #expect(refusal(model, try made.adapter("Ice"))?.pointer?.description == "")
            let bowl = try made.model("Bowl", ["all": [model]])
            let problem = try #require(refusal(bowl, try made.adapter("Bowl")))
            #expect(problem.pointer?.description == "/all/0")
            #expect(problem.expected == "a model that the cluster of Ice names" && problem.found == "a \(name)")
        }
        // Where nobody asks the cluster, it comes back.
        let bowl = try made.model("Bowl", ["dark": made.model("Dark", ["bitter": 1])])
        _ = try passed(bowl, made.adapter("Bowl"))
        _ = try passed(made.model("Dark"), made.adapter("Dark"))
    }

    @Test(.row("C215")) func everyClusterOnTheWayIsToldWhatItLooksAt() throws {
        let made = try Made([
            ModelSchema("Shape", [:], cluster: .discriminator("kind", ["round": "Round", "square": "Square"])),
            ModelSchema("Square", [:], extends: "Shape"),
            ModelSchema(
                "Round", [:], extends: "Shape", cluster: .discriminator("form", ["circle": "Circle", "round": "Round"])),
            ModelSchema("Circle", ["radius": .integer], extends: "Round"),
        ])
        let adapter = try made.adapter("Shape")
        let circle = try JSONValue(parsing: passed(made.model("Circle", ["radius": 1]), adapter))
        #expect(circle == ["radius": 1, "kind": "round", "form": "circle"])
        #expect(
            try JSONValue(parsing: passed(made.model("Round"), adapter)) == ["kind": "round", "form": "round"])
    }

    @Test func aModelThatTheClusterCannotNameIsRefusedBeforeAnythingOfItIsWritten() throws {
        let made = try Made([
            ModelSchema("Shape", [:], cluster: .discriminator("kind", ["round": "Round"])),
            ModelSchema("Round", [:], extends: "Shape"), ModelSchema("Square", ["side": .integer], extends: "Shape"),
        ])
        let problem = try #require(refusal(made.model("Square", ["side": 1]), made.adapter("Shape")))
        #expect(problem.expected == "a model that the cluster of Shape names" && problem.found == "a Square")
    }

    @Test func theSameMemberMayTellTwoClusters() throws {
        let made = try Made([
            ModelSchema(
                "Event", [:], cluster: .discriminator("type", ["push": "Push", "issue": "Issue", "closed": "Issue"])),
            ModelSchema("Push", [:], extends: "Event"),
            ModelSchema(
                "Issue", [:], extends: "Event", cluster: .discriminator("type", ["closed": "Closed"], default: "Issue")),
            ModelSchema("Closed", [:], extends: "Issue"),
        ])
        let adapter = try made.adapter("Event")
        #expect(try passed(made.model("Closed"), adapter) == #"{"type":"closed"}"#)
        #expect(try passed(made.model("Issue"), adapter) == #"{"type":"issue"}"#)
    }

    @Test(arguments: [("a1", true), ("a2", false), ("b", false)])
    func aPropertyThatTellsTwoClustersIsCheckedByBoth(kind: String, isWritten: Bool) throws {
        let made = try Made([
            ModelSchema("Base", [:], cluster: .discriminator("kind", ["a1": "A", "a2": "A", "b": "B"])),
            ModelSchema(
                "A", ["kind": .string], extends: "Base", cluster: .discriminator("kind", ["a1": "A1", "a2": "A2"])),
            ModelSchema("A1", [:], extends: "A"), ModelSchema("A2", [:], extends: "A"),
            ModelSchema("B", [:], extends: "Base"),
        ])
        let model = try made.model("A1", ["kind": kind])
        if isWritten {
            #expect(try passed(model, made.adapter("Base")) == #"{"kind":"a1"}"#)
        } else {
            #expect(refusal(model, try made.adapter("Base"))?.pointer?.description == "/kind")
        }
    }

    @Test func theDefaultOfAClusterKeepsATextThatNobodyKnows() throws {
        let made = try Made([
            ModelSchema(
                "Base", ["kind": .string, "n": .integer],
                cluster: .discriminator("kind", ["a": "A", "other": "B"], default: "Other")),
            ModelSchema("A", [:], extends: "Base"), ModelSchema("B", [:], extends: "Base"),
            ModelSchema("Other", [:], extends: "Base"),
        ])
        for asked in ["Base", "Other"] {
            let adapter = try made.adapter(asked)
            #expect(try passed(made.model("Other", ["kind": "mint"]), adapter) == #"{"kind":"mint"}"#)
            #expect(try passed(made.model("Other"), adapter) == "{}")
            #expect(refusal(try made.model("Other", ["kind": "a"]), adapter)?.pointer?.description == "/kind")
        }
        #expect(try made.adapter("Other").model(from: #"{"kind":"mint"}"#)["kind", as: String.self] == "mint")
        #expect(throws: ModelError.self) { try made.adapter("A").model(from: #"{"kind":"mint"}"#) }
    }

    @Test(arguments: [PropertySchema.NilPolicy.asParsed, .omit, .write]) func aNullIsNoDiscriminator(
        policy: PropertySchema.NilPolicy
    ) throws {
        let made = try Made([
            ModelSchema(
                "Base", ["kind": .string.json("meta.kind"), "n": .integer],
                cluster: .discriminator("meta.kind", ["a": "A"], default: "Other")),
            ModelSchema("A", [:], extends: "Base"), ModelSchema("Other", [:], extends: "Base"),
        ])
        for isNull in [false, true] {
            for name in ["A", "Other"] {
                let model = try made.model(name)
                if isNull { try model.setValue(nil as String?, forKey: "kind") }
                _ = try passed(model, made.adapter("Base", nilPolicy: policy))
            }
        }
    }

    @Test(arguments: [
        ("kind", #"{"n":1,"kind":null}"#), ("meta.kind", #"{"n":1,"meta":{"kind":null}}"#),
    ]) func anUnsetDiscriminatorIsWrittenAsNullIfThePolicySaysSo(path: String, text: String) throws {
        let made = try Made([
            ModelSchema(
                "Base", ["n": .integer, "kind": .string.json(path)],
                cluster: .discriminator(path, ["a": "A"], default: "Other")),
            ModelSchema("A", [:], extends: "Base"), ModelSchema("Other", [:], extends: "Base"),
        ])
        let model = try made.model("Other", ["n": 1])
        #expect(try passed(model, made.adapter("Base")) == #"{"n":1}"#)
        #expect(try passed(model, made.adapter("Base", nilPolicy: .write)) == text)
    }

    /// What the property holds stands in the place of the object of the discriminator.
    @Test func aPropertyAroundADiscriminatorIsAskedForIt() throws {
        let made = try Made([
            ModelSchema("Base", ["meta": .jsonValue], cluster: .discriminator("meta.kind", ["a": "A"])),
            ModelSchema("A", [:], extends: "Base"),
        ])
        let adapter = try made.adapter("Base")
        let meta: JSONValue = ["kind": "a", "x": 1]
        #expect(try passed(made.model("A", ["meta": meta]), adapter) == #"{"meta":{"kind":"a","x":1}}"#)
        for other in [["x": 1], ["kind": "b"]] as [JSONValue] {
            #expect(refusal(try made.model("A", ["meta": other]), adapter) != nil)
        }
    }

    // MARK: Rules and resolvers

    private static let rules =
        [
            ModelSchema(
                "Base", ["id": .integer, "type": .string, "size": .integer],
                cluster: .rules(
                    [
                        .init([.equals("type", "x"), .present("extra")], "Both"),
                        .init([.equals("type", "x")], "Equal"),
                        .init([.equals("meta.version", 2), .equals("meta.on", true)], "Deep"),
                        .init([.kind("none", .null)], "Null"), .init([.present("size")], "Sized"),
                    ], default: "Rest"))
        ] + ["Both", "Equal", "Deep", "Null", "Sized", "Rest", "Nobody"].map { ModelSchema($0, [:], extends: "Base") }

    @Test func whatARuleChoseIsWrittenWithWhatTheRuleLooksAt() throws {
        let made = try Made(Self.rules)
        let adapter = try made.adapter("Base")
        #expect(try passed(made.model("Equal"), adapter) == #"{"type":"x"}"#)
        #expect(try passed(made.model("Equal", ["type": "x", "id": 1]), adapter) == #"{"id":1,"type":"x"}"#)
        #expect(
            try JSONValue(parsing: passed(made.model("Deep"), adapter)) == ["meta": ["version": 2, "on": true]])
        #expect(try passed(made.model("Null"), adapter) == #"{"none":null}"#)
        #expect(try passed(made.model("Sized", ["size": 1]), adapter) == #"{"size":1}"#)
        #expect(try passed(made.model("Rest", ["type": "y"]), adapter) == #"{"type":"y"}"#)
        #expect(try passed(adapter.model(from: #"{"meta":{"version":2,"on":true,"x":1}}"#), adapter).isEmpty == false)
    }

    @Test func whatTheRulesReadAsSomethingElseIsNotWritten() throws {
        let made = try Made(Self.rules)
        let adapter = try made.adapter("Base")
        for (name, values) in [
            ("Equal", ["type": "y"]), ("Both", [:]), ("Sized", [:]), ("Sized", ["size": 1, "type": "x"]),
            ("Rest", ["type": "x"]), ("Rest", ["size": 1]), ("Nobody", [:]), ("Base", [:]),
        ] as [(String, [String: any PropertyValue])] {
            #expect(refusal(try made.model(name, values), adapter)?.pointer?.description == "", "\(name) \(values)")
        }
        // A leaf that is asked for by itself comes back as what it is.
        _ = try passed(made.model("Sized"), made.adapter("Sized"))
    }

    @Test func aPlaceInsideIsToldToo() throws {
        let made = try Made(
            [
                ModelSchema(
                    "Holder",
                    [
                        "one": .model("Base").json("a.b"), "map": .dictionary(of: .array(of: .model("Base"))),
                        "open": .model("Sized"),
                    ])
            ] + Self.rules)
        let adapter = try made.adapter("Holder")
        let (good, bad) = (try made.model("Equal"), try made.model("Sized"))
        let holder = try made.model("Holder", ["one": good, "map": ["k": [good, good]], "open": bad])
        _ = try passed(holder, adapter)
        holder["map"] = ["k": [good, bad]]
        #expect(refusal(holder, adapter)?.pointer?.description == "/map/k/1")
        holder["one"] = bad
        #expect(refusal(holder, adapter)?.pointer?.description == "/a/b")
        let list = #expect(throws: ModelError.self) { try adapter.data(from: [try made.model("Holder"), holder]) }
        #expect(list?.pointer?.description == "/1/a/b")
    }

    @Test func aResolverIsAskedAboutWhatIsWritten() throws {
        let made = try Made([
            ModelSchema(
                "Base", ["sides": .array(of: .integer), "inner": .model("Base")],
                cluster: .resolver { object in
                    switch object["sides"]?.arrayValue?.count {
                    case 3: "Triangle"
                    case 4: "Square"
                    case 0: throw FixtureError.refused
                    default: nil
                    }
                }), ModelSchema("Triangle", [:], extends: "Base"), ModelSchema("Square", [:], extends: "Base"),
        ])
        let adapter = try made.adapter("Base")
        let inner = try made.model("Square", ["sides": [1, 2, 3, 4]])
        let outer = try made.model("Triangle", ["sides": [1, 2, 3], "inner": inner])
        #expect(try passed(outer, adapter) == #"{"sides":[1,2,3],"inner":{"sides":[1,2,3,4]}}"#)
        inner["sides"] = [1, 2, 3]
        #expect(refusal(outer, adapter)?.pointer?.description == "/inner")
        inner["sides"] = [Int]()
        let thrown = #expect(throws: ModelError.self) { try adapter.data(from: outer) }
        #expect(thrown?.underlying as? FixtureError == .refused)
        #expect(thrown?.pointer?.description == "/inner")
    }

    @Test func deepChainsOfSuchModelsAreWrittenInLinearTime() throws {
        let made = try Made([
            ModelSchema(
                "Base", ["child": .model("Base"), "text": .string],
                cluster: .rules([.init([.equals("kind", "a")], "A")], default: nil)),
            ModelSchema("A", [:], extends: "Base"),
        ])
        let filler = String(repeating: "x", count: 4000)
        var model = try made.model("A")
        for _ in 0..<500 { model = try made.model("A", ["child": model, "text": filler]) }
        #expect(try made.adapter("Base").data(from: model).count > 2_000_000)
    }

    @Test func changedModelsAreSentInPart() throws {
        let made = try Made(Self.rules)
        let adapter = try made.adapter("Base")
        let model = try made.model("Sized")
        model.trackChanges()
        model["id"] = 5
        #expect(try adapter.mergePatch(for: model).jsonValue == ["id": 5])
    }
}
