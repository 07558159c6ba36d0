import Foundation
import ModelTestSupport
import Pallium
import PalliumStore
import Testing

/// The classes of the objects in a partial document: those of the models that they are merged into, unless the objects say
/// something else.
@Suite("Classes of merged objects")
struct TargetClassTests {
    /// How a cluster of animals chooses.
    static let clusters: [(name: String, cluster: ModelCluster?)] = [
        ("a discriminator", .discriminator("kind", ["dog": "Dog", "cat": "Cat"], default: "Animal")),
        ("a discriminator without a default", .discriminator("kind", ["dog": "Dog", "cat": "Cat"])),
        ("a discriminator inside", .discriminator("meta.kind", ["dog": "Dog", "cat": "Cat"], default: "Animal")),
        (
            "rules",
            .rules(
                [.init([.equals("kind", "dog")], "Dog"), .init([.equals("kind", "cat")], "Cat")], default: "Animal")
        ),
        (
            "a resolver",
            .resolver { object in
                switch object["kind"] {
                case "dog"?: "Dog"
                case "cat"?: "Cat"
                default: nil
                }
            }
        ),
        ("nothing", nil),
    ]

    typealias Place = (
        name: String, document: @Sendable (String) -> String, animal: @Sendable (DynamicModel) -> DynamicModel?
    )

    /// Where an animal stands: the document of a holder with an object in its place, and the animal there.
    static let places: [Place] = [
        ("a model", { #"{"star":{\#($0)}}"# }, { $0.model("star") }),
        ("an element", { #"{"animals":[{"id":1,\#($0)}]}"# }, { $0.models("animals").first }),
        ("an element that is told last", { #"{"animals":[{\#($0),"id":1}]}"# }, { $0.models("animals").first }),
        ("an element of a set", { #"{"pack":[{"id":1,\#($0)}]}"# }, { $0["pack", as: Set<DynamicModel>.self]?.first }),
        ("an entry", { #"{"named":{"a":{\#($0)}}}"# }, { $0["named", as: [String: DynamicModel].self]?["a"] }),
        ("a path", { #"{"a":{"b":{\#($0)}}}"# }, { $0.model("deep") }),
        ("a model in a model", { #"{"inner":{"star":{\#($0)}}}"# }, { $0.model("inner")?.model("star") }),
        (
            "a model of an element", { #"{"animals":[{"friend":{\#($0)},"id":1}]}"# },
            { $0.models("animals").first?.model("friend") }
        ),
    ]

    private func schemas(_ cluster: ModelCluster?, identity: [String] = []) -> [ModelSchema] {
        [
            ModelSchema(
                "Zoo",
                [
                    "star": .model("Animal").merge(.recurse), "plain": .model("Animal"),
                    "animals": .array(of: .model("Animal")).merge(.byIdentifier("id", missing: .remove)),
                    "pack": .set(of: .model("Animal")).merge(.byIdentifier("id")),
                    "named": .dictionary(of: .model("Animal")).merge(.recurse),
                    "inner": .model("Zoo").merge(.recurse), "deep": .model("Animal").json("a.b").merge(.recurse),
                    "number": .integer,
                ], identity: identity.isEmpty ? [] : ["number"]),
            ModelSchema(
                "Animal", ["id": .integer, "name": .string, "friend": .model("Animal").merge(.recurse)],
                identity: identity, cluster: cluster),
            ModelSchema("Dog", ["bark": .integer], extends: "Animal"),
            ModelSchema("Cat", ["purr": .integer.required], extends: "Animal"),
        ]
    }

    /// A zoo with dogs in all places.
    private func zoo(_ registry: SchemaRegistry) throws -> DynamicModel {
        func dog(_ id: Int? = 1) throws -> DynamicModel {
            let dog = DynamicModel(schema: try registry.schema(named: "Dog"), registry: registry)
            try dog.setValue(id, forKey: "id")
            try dog.setValue("rex", forKey: "name")
            return dog
        }
        let zoo = DynamicModel(schema: try registry.schema(named: "Zoo"), registry: registry)
        let inner = DynamicModel(schema: try registry.schema(named: "Zoo"), registry: registry)
        try inner.setValue(dog(nil), forKey: "star")
        let element = try dog()
        try element.setValue(dog(nil), forKey: "friend")
        for (key, value) in try [
            ("star", dog(nil)), ("deep", dog(nil)), ("animals", [element]), ("pack", Set([dog()])),
            ("named", ["a": dog(nil)]), ("inner", inner),
        ] as [(String, any PropertyValue)] { try zoo.setValue(value, forKey: key) }
        return zoo
    }

    @Test(arguments: clusters.indices, places.indices)
    func theClassOfTheTargetChoosesTheMembers(_ clusterNumber: Int, _ placeNumber: Int) throws {
        let (cluster, place) = (Self.clusters[clusterNumber], Self.places[placeNumber])
        let schemas = schemas(cluster.cluster)
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        let document = place.document(#""name":"max","bark":2"#)
        let merges: [(String, (DynamicModel) throws -> ModelChanges)] = [
            ("text", { try adapter.merge(document, into: $0) }),
            ("bytes", { try adapter.merge(Data(document.utf8), into: $0) }),
            ("value", { try adapter.merge(JSONValue(parsing: document), into: $0) }),
            (
                "dictionary",
                {
                    let object = try JSONSerialization.jsonObject(with: Data(document.utf8))
                    return try adapter.merge(try #require(object as? [String: Any]), into: $0)
                }
            ),
            ("rebase", { try adapter.rebase($0, onto: document) }),
        ]
        for (name, merge) in merges {
            let zoo = try zoo(registry)
            if name == "rebase" { zoo.trackChanges() }
            let dog = try #require(place.animal(zoo))
            let changes = try merge(zoo)
            let note: Comment = "\(name), \(cluster.name), \(place.name)"
            #expect(place.animal(zoo) === dog, note)
            #expect(dog["bark", as: Int.self] == 2 && dog["name", as: String.self] == "max", note)
            #expect(changes.count == 2 && !zoo.hasChanges, note)
        }
    }

    /// A property with several paths is read when its object has ended, so the first problem is searched.
    @Test func theFirstProblemIsThatOfTheClassesOfTheTargets() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "Zoo",
                [
                    "star": .model("Animal").merge(.recurse), "count": .integer.json(firstOf: ["a", "b"]),
                    "number": .integer,
                ]),
            ModelSchema(
                "Animal", ["name": .string], cluster: .discriminator("kind", ["dog": "Dog"])),
            ModelSchema("Dog", ["bark": .integer], extends: "Animal"))
        let zoo = DynamicModel(schema: try registry.schema(named: "Zoo"), registry: registry)
        try zoo.setValue(DynamicModel(schema: registry.schema(named: "Dog"), registry: registry), forKey: "star")
        let adapter = try JSONAdapter(schema: registry.schema(named: "Zoo"), registry: registry)
        let error = #expect(throws: ModelError.self) {
            try adapter.merge(#"{"star": {"bark": 2}, "a": 1, "number": "x"}"#, into: zoo)
        }
        #expect(error?.pointer?.description == "/number" && error?.code == .typeMismatch)
        #expect(zoo.model("star")?["bark", as: Int.self] == nil)
    }

    @Test(arguments: clusters.indices.dropLast(), places.indices)
    func anObjectThatSaysAnotherClassReplacesTheModel(_ clusterNumber: Int, _ placeNumber: Int) throws {
        let (cluster, place) = (Self.clusters[clusterNumber], Self.places[placeNumber])
        let schemas = schemas(cluster.cluster)
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        let zoo = try zoo(registry)
        let tag = cluster.name == "a discriminator inside" ? #""meta":{"kind":"cat"}"# : #""kind":"cat""#
        try adapter.merge(place.document(#"\#(tag),"purr":3"#), into: zoo)
        let cat = try #require(place.animal(zoo))
        #expect(cat.schema.name == "Cat" && cat["purr", as: Int.self] == 3 && cat["name"] == nil, "\(place.name)")
        // What replaces a model is complete.
        let again = try self.zoo(registry)
        let before = again.deepCopy()
        let error = #expect(throws: ModelError.self) { try adapter.merge(place.document(tag), into: again) }
        #expect(error?.code == .missingProperty)
        #expect(again == before)
    }

    @Test func whereNothingIsMergedTheDefaultChooses() throws {
        let schemas = schemas(Self.clusters[0].cluster)
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        let zoo = try zoo(registry)
        try zoo.setValue(zoo.model("star"), forKey: "plain")
        try zoo.unset("star")
        try adapter.merge(
            #"{"plain":{"name":"a"},"star":{"name":"b"},"animals":[{"id":9,"name":"c"}],"named":{"z":{"name":"d"}}}"#,
            into: zoo)
        let animals = [zoo.model("plain"), zoo.model("star"), zoo.models("animals").first]
        #expect(animals.map { $0?.schema.name } == ["Animal", "Animal", "Animal"])
        let named = zoo["named", as: [String: DynamicModel].self]
        #expect(named?["z"]?.schema.name == "Animal" && named?["a"]?.schema.name == "Dog")
    }

    @Test func aModelOfAnotherIdentityIsNoTarget() throws {
        let schemas = schemas(Self.clusters[0].cluster, identity: ["id"])
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        let zoo = try adapter.model(from: #"{"star":{"kind":"dog","id":1}}"#)
        try adapter.merge(#"{"star":{"id":1,"bark":1}}"#, into: zoo)
        #expect(zoo.model("star")?["bark", as: Int.self] == 1)
        try adapter.merge(#"{"star":{"id":2,"name":"x"}}"#, into: zoo)
        #expect(zoo.model("star")?.schema.name == "Animal")
    }

    /// The last class in a chain of clusters; an object may say some of it.
    @Test(arguments: [
        (#"{"bark":1,"curls":2}"#, "Poodle", true), (#"{"kind":"dog","bark":1}"#, "Poodle", true),
        (#"{"kind":"dog","breed":"poodle","bark":1}"#, "Poodle", true), (#"{"breed":null,"bark":1}"#, "Poodle", true),
        (#"{"kind":"dog","breed":"pug","bark":1}"#, "Pug", false), (#"{"kind":"other"}"#, "Animal", false),
    ])
    func eachClusterOfAChainMayBeLeftOut(_ object: String, _ name: String, _ isSame: Bool) throws {
        let schemas = [
            ModelSchema("Zoo", ["star": .model("Animal").merge(.recurse)]),
            ModelSchema(
                "Animal", ["name": .string], cluster: .discriminator("kind", ["dog": "Dog"], default: "Animal")),
            ModelSchema(
                "Dog", ["bark": .integer], extends: "Animal",
                cluster: .discriminator("breed", ["poodle": "Poodle", "pug": "Pug"], default: "Dog")),
            ModelSchema("Poodle", ["curls": .integer], extends: "Dog"), ModelSchema("Pug", [:], extends: "Dog"),
        ]
        let adapter = try Plain.adapter(schemas).adapter
        let zoo = try adapter.model(from: #"{"star":{"kind":"dog","breed":"poodle","name":"p"}}"#)
        let before = zoo.model("star")
        try adapter.merge(#"{"star":\#(object)}"#, into: zoo)
        #expect(zoo.model("star")?.schema.name == name)
        #expect((zoo.model("star") === before) == isSame)
    }

    // MARK: Instances and rows

    @Test(arguments: [0, 1, 3, 4, 5])
    func instancesChooseTheMembersOfTheirObjects(_ number: Int) throws {
        let schemas = schemas(Self.clusters[number].cluster, identity: ["id"])
        let registry = try SchemaRegistry.of(schemas)
        let zoos = try JSONAdapter(schema: schemas[0], registry: registry)
        let dogs = try JSONAdapter(schema: schemas[2], registry: registry)
        let animals = try JSONAdapter(schema: schemas[1], registry: registry)
        let map = IdentityMap()
        let dog = try map.import(#"{"id":1,"name":"rex"}"#, using: dogs)[0]
        let zoo = try map.import(#"{"number":1}"#, using: zoos)[0]
        for (index, document) in [
            #"{"number":1,"star":{"id":1,"bark":2}}"#, #"{"plain":{"bark":3,"id":1},"number":1}"#,
            #"{"number":1,"animals":[{"id":1,"bark":4}]}"#, #"{"number":1,"named":{"a":{"id":1,"bark":5}}}"#,
        ].enumerated() {
            try map.import(document, using: zoos)
            #expect(dog["bark", as: Int.self] == index + 2, "\(document)")
        }
        #expect(zoo.model("star") === dog && zoo.models("animals") == [dog])
        try map.import(#"[{"id":1,"bark":9}]"#, using: animals)
        #expect(dog["bark", as: Int.self] == 9)
    }

    /// One object of a document says the class of a new instance, before or behind another one.
    @Test(arguments: [
        #"[{"kind":"dog","id":1},{"id":1,"bark":2}]"#, #"[{"id":1,"bark":2},{"kind":"dog","id":1}]"#,
        #"[{"kind":"dog","id":5,"friend":{"id":1,"bark":2}},{"kind":"dog","id":1}]"#,
    ])
    func oneObjectSaysTheClassForAll(_ document: String) throws {
        let schemas = schemas(Self.clusters[0].cluster, identity: ["id"])
        let animals = try JSONAdapter(schema: schemas[1], registry: .of(schemas))
        let map = IdentityMap()
        let imported = try map.import(document, using: animals)
        let dog = try map.import(#"{"id":1}"#, using: animals)[0]
        #expect(dog["bark", as: Int.self] == 2)
        withExtendedLifetime(imported) {}
    }

    @Test func rowsChooseTheMembersOfTheirObjects() throws {
        for number in [0, 1, 5] {
            let schemas = schemas(Self.clusters[number].cluster, identity: ["id"])
            let registry = try SchemaRegistry.of(schemas)
            let store = try ModelStore(at: nil, registry: registry)
            let dogs = try JSONAdapter(schema: schemas[2], registry: registry)
            let zoos = try JSONAdapter(schema: schemas[0], registry: registry)
            try store.import(#"{"id":1,"name":"rex","friend":{"id":2,"kind":"dog","name":"f"}}"#, using: dogs)
            try store.import(#"{"number":1,"star":{"id":1,"bark":2},"animals":[{"id":2,"name":"b"}]}"#, using: zoos)
            let found = try store.fetch(ModelQuery(schema: schemas[2]))
            #expect(found.first { $0["id", as: Int.self] == 1 }?["bark", as: Int.self] == 2, "\(number)")
        }
    }
}
