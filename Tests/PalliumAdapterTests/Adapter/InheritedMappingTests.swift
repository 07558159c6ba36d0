import ModelTestSupport
import Pallium
import Testing

/// Descendants: the names and classes they take from their ancestors.
struct InheritedMappingTests {
    private static let parent = ModelSchema("Parent", ["htmlURL": .string, "createdAt": .string.required])

    @Test(
        arguments: [
            (ModelSchema.KeyStrategy.identity, "ownKey"), (.snakeCase, "own_key"), (.explicit, nil),
        ] as [(ModelSchema.KeyStrategy, String?)])
    func whatIsInheritedKeepsTheNamesOfItsSchema(keys: ModelSchema.KeyStrategy, own: String?) throws {
        let child = ModelSchema("Child", ["ownKey": .string], extends: "Parent", keys: keys)
        let adapter = try Plain.adapter([child, Self.parent])
        let model = try adapter.model(from: #"{"htmlURL":"u","createdAt":"c","ownKey":"1","own_key":"2"}"#)
        #expect(model["htmlURL"] as? String == "u")
        #expect(model["ownKey"] as? String == own.flatMap { ["ownKey": "1", "own_key": "2"][$0] })
        model["ownKey"] = "o"
        let members = #""htmlURL":"u","createdAt":"c""#
        #expect(try adapter.text(of: model) == "{\(members)\(own.map { #","\#($0)":"o""# } ?? "")}")
        #expect(adapter.problem(of: "{}")?.expected == #"the member "createdAt" of Child"#)
    }

    @Test func aParentInSnakeCaseKeepsItsNamesBelowAnother() throws {
        let parent = ModelSchema("Parent", ["htmlURL": .string, "userName": .string], keys: .snakeCase)
        let child = ModelSchema("Child", ["ownKey": .string, "userName": .string.required], extends: "Parent")
        let adapter = try Plain.adapter([child, parent])
        let text = #"{"html_url":"u","userName":"n","ownKey":"o"}"#
        let model = try adapter.model(from: text)
        #expect(model["htmlURL"] as? String == "u")
        // What the child declares again is its own.
        #expect(try adapter.text(of: model) == text)
    }

    @Test func namesThatDifferByStrategyDoNotCollide() throws {
        try SchemaRegistry().register(
            ModelSchema("Parent", ["htmlURL": .string]),
            ModelSchema("Child", ["html_url": .string], extends: "Parent", keys: .snakeCase))
        let problems = Plain.problems([
            ModelSchema("Parent", ["html_url": .string]),
            ModelSchema("Child", ["htmlURL": .string], extends: "Parent", keys: .snakeCase),
        ])
        #expect(
            problems == [
                "Child.htmlURL: would be written over html_url: both claim html_url; "
                    + "change a key path, or make one of them readOnly"
            ])
    }

    @Test func keysThatLookLikeOtherNotationsAreNames() throws {
        let adapter = try Plain.adapter(["/a/b": .string, "#/c": .string, "$.d": .string, "$[0]": .string])
        let text = ##"{"/a/b":"1","#/c":"2","$.d":"3","$[0]":"4"}"##
        #expect(try adapter.text(of: adapter.model(from: text)) == text)
    }

    // MARK: Classes

    private class Animal: DynamicModel {
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
    }
    private final class Dog: Animal {
        var loud: Bool? { value() }
    }

    private static let animals: [ModelSchema] = [
        ModelSchema(
            Animal.self, ["name": .string],
            cluster: .discriminator(
                "kind", ["cat": "Cat", "dog": .modelClass(Dog.self), "?": .modelClass(Animal.self)])),
        ModelSchema("Cat", ["lives": .integer], extends: .modelClass(Animal.self)),
        ModelSchema("Tom", [:], extends: "Cat"),
        ModelSchema(Dog.self, ["loud": .bool], extends: "Tom"),
        ModelSchema("House", ["animals": .array(of: .model(Animal.self))]),
    ]

    @Test func aSchemaWithoutAClassMakesModelsOfItsAncestorsClass() throws {
        let registry = try SchemaRegistry.of(Self.animals)
        let adapter = JSONAdapter(Animal.self, registry: registry)
        let text =
            #"[{"kind":"cat","name":"Tom","lives":9},{"kind":"dog","name":"Rex","loud":true},{"kind":"?","name":"?"}]"#
        let models = try adapter.models(from: text.utf8.map { $0 })
        #expect(models.map(\.name) == ["Tom", "Rex", "?"])
        #expect(models.map(\.schema.name) == ["Cat", "Dog", "Animal"])
        #expect(models.map { type(of: $0) == Animal.self } == [true, false, true])
        #expect(models[0]["lives", as: Int.self] == 9)
        #expect((models[1] as? Dog)?.loud == true)
        #expect(String(decoding: try adapter.data(from: models), as: UTF8.self) == text)
        let cat = models[0]
        cat.name = "Kater"
        #expect(cat.copy() == cat && cat.copy() != models[2])
        let back = try ModelUnarchiver(registry: registry).unarchive(Animal.self, from: ModelArchiver().archive(cat))
        #expect(back == cat && back.name == "Kater" && back["lives"] as? Int == 9)
        let house = DynamicModel(schema: try registry.schema(named: "House"), registry: registry)
        try house.setValue(models, forKey: "animals")
        #expect(house["animals", as: [Animal].self]?.map(\.name) == ["Kater", "Rex", "?"])
    }

    @Test func aModelOfASchemaIsAnInstanceOfItsClass() throws {
        let registry = try SchemaRegistry.of(Self.animals)
        let dog = DynamicModel(schema: try registry.schema(named: "Dog"), registry: registry)
        #expect(type(of: dog) == Dog.self)
        let tom = try DynamicModel(
            schema: registry.schema(named: "Tom"), values: ["name": "Tom", "lives": 9], registry: registry)
        #expect(type(of: tom) == Animal.self && (tom as? Animal)?.name == "Tom")
        let rex = try Animal(schema: registry.schema(named: "Dog"), values: ["name": "Rex"], registry: registry)
        #expect(rex is Dog && rex.name == "Rex")
        #expect(throws: ModelError.self) {
            try Dog(schema: registry.schema(named: "Cat"), values: [:], registry: registry)
        }
        #expect(throws: ModelError.self) {
            try Animal(schema: registry.schema(named: "House"), values: [:], registry: registry)
        }
    }

    // MARK: Open clusters

    @Test(arguments: [
        ModelCluster.discriminator("kind", ["circle": "Circle", "square": "Square"]),
        .rules(
            [.init([.equals("kind", "circle")], "Circle"), .init([.equals("kind", "square")], "Square")], default: nil),
    ])
    func schemasOfAnOpenClusterMayBeRegisteredLater(cluster: ModelCluster) throws {
        let base = ModelSchema("Shape", ["kind": .string], cluster: cluster, isOpen: true)
        let registry = try SchemaRegistry.of(base, ModelSchema("Circle", ["radius": .double], extends: "Shape"))
        let before = Entrances(try JSONAdapter(schema: base, registry: registry))
        let (circle, square) = (#"{"kind":"circle","radius":1}"#, #"{"kind":"square","side":2}"#)
        #expect(try before.model(from: circle).schema.name == "Circle")
        #expect(before.problem(of: square)?.code == .unknownModel)
        #expect(throws: SchemaError.self) { try registry.register(ModelSchema("Square", ["side": .double])) }
        try registry.register(ModelSchema("Square", ["side": .double], extends: "Shape"))
        let after = Entrances(try JSONAdapter(schema: base, registry: registry))
        #expect(try after.model(from: square).schema.name == "Square")
        #expect(try after.text(of: after.model(from: square)) == square)
        #expect(before.problem(of: square)?.code == .unknownModel)
    }

    @Test func whatAnOpenClusterCannotChooseYetIsItsDefault() throws {
        let base = ModelSchema(
            "Shape", ["kind": .string],
            cluster: .discriminator("kind", ["square": "Square", "shape": "Shape"], default: "Shape"), isOpen: true)
        let adapter = try Plain.adapter([base])
        #expect(try adapter.model(from: #"{"kind":"square"}"#).schema.name == "Shape")
    }

    @Test func onlyAClusterThatNamesSchemasCanBeOpen() throws {
        let problem =
            "S: is open, but its cluster names no schemas that could be registered later; drop isOpen"
        #expect(Plain.problems([ModelSchema("S", [:], isOpen: true)]) == [problem])
        #expect(Plain.problems([ModelSchema("S", [:], cluster: .resolver { _ in nil }, isOpen: true)]) == [problem])
    }

    // MARK: Suggestions

    @Test func aDiscriminatorAndACaseThatAreSpelledAlmostRightAreSuggested() throws {
        let registry = try SchemaRegistry.of(Self.animals)
        let adapter = Entrances(JSONAdapter(Animal.self, registry: registry))
        #expect(adapter.problem(of: #"{"kind":"cta"}"#)?.suggestion == "cat")
        #expect(adapter.sentence(of: #"{"kind":"dgo","name":"x"}"#)?.hasSuffix(#"; did you mean "dog"?"#) == true)
        #expect(adapter.problem(of: #"{"kind":"elephant"}"#)?.suggestion == nil)
        let plain = try Plain.adapter(["state": .enumeration("open", "closed"), "secret": .enumeration("open").secret])
        #expect(plain.problem(of: #"{"state":"opne"}"#)?.suggestion == "open")
        #expect(plain.problem(of: #"{"state":"Closed"}"#)?.suggestion == "closed")
        #expect(plain.problem(of: #"{"state":"x"}"#)?.suggestion == nil)
        #expect(plain.problem(of: #"{"secret":"opne"}"#)?.suggestion == nil)
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00", "the zone is missing (the transformer LocalISO8601Date reads such dates)"),
        ("2026-01-31T12:00:00.25", "the zone is missing (the transformer LocalISO8601Date reads such dates)"),
        ("2026-01-31", "the time is missing (the transformer DateOnly reads such dates)"),
    ])
    func aDateWithoutAZoneOrTimeSaysWhatIsMissing(text: String, missing: String) throws {
        for property in [
            PropertySchema.date, .date.transformer(EmptyTextAsNullTransformerName, ISO8601DateTransformerName),
        ] {
            let adapter = try Plain.adapter(["at": property])
            #expect(adapter.problem(of: #"{"at":"\#(text)"}"#)?.found == "\"\(text)\", \(missing)")
        }
        let secret = try Plain.adapter(["at": .date.secret])
        #expect(secret.problem(of: #"{"at":"\#(text)"}"#)?.found == "a masked value")
    }
}
