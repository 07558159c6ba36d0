import Foundation
import Pallium
import PalliumCore
import ModelTestSupport
import Testing

/// Archives for readers that have earlier versions of several schemas: graphs, ancestors, names, and models that steps
/// make.
@Suite struct FormerGraphTests {
    private func versioned(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, extends parent: ModelReference? = nil,
        _ steps: SchemaUpgrade...
    ) -> ModelSchema {
        var schema = ModelSchema(name, properties, extends: parent, version: steps.count + 1)
        schema.upgrades = steps
        return schema
    }

    private func model(
        _ schema: ModelSchema, _ values: [String: (any PropertyValue)?] = [:], _ registry: SchemaRegistry
    ) throws -> DynamicModel { try DynamicModel(schema: schema, values: values, registry: registry) }

    /// Archives models for readers, and opens the archive with the readers' schemas, of which the first is that of the
    /// roots.
    private func read(
        _ models: [DynamicModel], _ targets: [String: Int], _ schemas: ModelSchema...
    ) throws -> [DynamicModel] {
        let bytes = try ModelArchiver(targetVersions: targets).archive(models)
        return try ModelUnarchiver(registry: .of(schemas)).unarchive(arrayOf: schemas[0], from: bytes)
    }

    // MARK: Graphs

    private static func node(_ key: String) -> KeyValuePairs<String, PropertySchema> {
        [
            "n": .integer, key: .model("Node"), "all": .array(of: .model("Node")), "up": .model("Node").weak,
            "liked": .dictionary(of: .model("Node")).archive(.conditional),
        ]
    }

    @Test func sharedModelsCyclesAndReferencesStay() throws {
        let present = versioned("Node", Self.node("following"), SchemaUpgrade(from: 1, renamed: ["next": "following"]))
        let former = ModelSchema("Node", Self.node("next"))
        func graph(_ schema: ModelSchema, _ key: String) throws -> [DynamicModel] {
            let registry = try SchemaRegistry.of(schema)
            let nodes = try (0..<4).map { try model(schema, ["n": $0], registry) }
            // A ring of three, a shared node, a reference to the parent, and conditional ones to a node that is in the
            // archive and to one that is not.
            for number in 0..<3 { try nodes[number].setValue(nodes[(number + 1) % 3], forKey: key) }
            try nodes[0].setValue([nodes[1], nodes[1], nodes[2]], forKey: "all")
            try nodes[1].setValue(nodes[0], forKey: "up")
            try nodes[2].setValue(["a": nodes[1]], forKey: "liked")
            try nodes[1].setValue(["a": nodes[3]], forKey: "liked")
            return [nodes[0], nodes[2], nodes[0]]
        }
        let (models, expected) = (try graph(present, "following"), try graph(former, "next"))
        let plain = try ModelUnarchiver(registry: .of(former)).unarchive(
            arrayOf: former, from: ModelArchiver().archive(expected))
        let back = try read(models, ["Node": 1], former)
        #expect(shape(of: back) == shape(of: plain))
        #expect(back[0] === back[2])
        for ring in [models, expected, plain, back] { for node in ring { node.unsetAll() } }
    }

    @Test func membersThatNoPropertyMapsStay() throws {
        let present = versioned("Node", ["b": .integer], SchemaUpgrade(from: 1, renamed: ["a": "b"]))
        let registry = try SchemaRegistry.of(present)
        let nodes = try (0..<2).map { try model(present, ["b": $0], registry) }
        nodes[1].preservedMembers = ["x": [1, nil]]
        let back = try read(nodes, ["Node": 1], ModelSchema("Node", ["a": .integer]))
        #expect(back.map { $0.preservedMembers } == [nil, ["x": [1, nil]]])
    }

    @Test func everySchemaHasItsOwnTarget() throws {
        let outer = versioned(
            "Outer", ["inner": .dictionary(of: .array(of: .model("Inner"))), "other": .model("Other")],
            SchemaUpgrade(from: 1, renamed: ["held": "inner"]))
        let inner = versioned(
            "Inner", ["c": .integer], SchemaUpgrade(from: 1, renamed: ["a": "b"]),
            SchemaUpgrade(from: 2, renamed: ["b": "c"]))
        let other = versioned("Other", ["y": .integer], SchemaUpgrade(from: 1, renamed: ["x": "y"]))
        let registry = try SchemaRegistry.of(outer, inner, other)
        let root = try model(
            outer,
            [
                "inner": ["k": [model(inner, ["c": 1], registry), model(inner, ["c": 2], registry)]],
                "other": model(other, ["y": 3], registry),
            ], registry)
        let back = try read(
            [root], ["Outer": 1, "Inner": 2],
            versioned("Outer", ["held": .dictionary(of: .array(of: .model("Inner"))), "other": .model("Other")]),
            versioned("Inner", ["b": .integer], SchemaUpgrade(from: 1, renamed: ["a": "b"])), other)[0]
        let held = try #require(back["held", as: [String: [DynamicModel]].self])
        #expect(held["k"]?.map { $0["b", as: Int.self] } == [1, 2])
        #expect(try back.value(forKeyPath: "other.y") as? Int == 3)
    }

    /// The older program has never seen the schema of a new property.
    @Test func modelsOfNewSchemasAreSkipped() throws {
        let present = versioned(
            "Node", ["b": .integer, "extra": .model("Extra")], SchemaUpgrade(from: 1, renamed: ["a": "b"]))
        let extra = ModelSchema("Extra", ["n": .integer])
        let registry = try SchemaRegistry.of(present, extra)
        let root = try model(present, ["b": 1, "extra": model(extra, ["n": 2], registry)], registry)
        #expect(try read([root], ["Node": 1], ModelSchema("Node", ["a": .integer]))[0]["a", as: Int.self] == 1)
    }

    // MARK: Ancestors and names

    @Test func everyAncestorHasItsOwnVersion() throws {
        let base = versioned("Base", ["b": .integer], SchemaUpgrade(from: 1, renamed: ["a": "b"]))
        let child = versioned(
            "Child", ["z": .integer], extends: "Base", SchemaUpgrade(from: 1, renamed: ["x": "y"]),
            SchemaUpgrade(from: 2, renamed: ["y": "z"]))
        let registry = try SchemaRegistry.of(base, child)
        let models = try [model(base, ["b": 1], registry), model(child, ["b": 2, "z": 3], registry)]
        for baseVersion in 1...2 {
            for childVersion in 1...3 {
                let baseKey = ["a", "b"][baseVersion - 1]
                let childKey = ["x", "y", "z"][childVersion - 1]
                var former = [
                    ModelSchema("Base", [baseKey: .integer], version: baseVersion),
                    ModelSchema("Child", [childKey: .integer], extends: "Base", version: childVersion),
                ]
                former[0].upgrades = Array(base.upgrades.prefix(baseVersion - 1))
                former[1].upgrades = Array(child.upgrades.prefix(childVersion - 1))
                let back = try read(models, ["Base": baseVersion, "Child": childVersion], former[0], former[1])
                #expect(back.map { $0[baseKey, as: Int.self] } == [1, 2], "\(baseVersion) \(childVersion)")
                #expect(back[1][childKey, as: Int.self] == 3, "\(baseVersion) \(childVersion)")
                #expect(back.map(\.schema.name) == ["Base", "Child"])
            }
        }
    }

    @Test func aSchemaHasTheNameOfItsVersion() throws {
        let present = versioned(
            "Person", ["name": .string, "boss": .model("Person")], SchemaUpgrade(from: 1, oldSchemaName: "Contact"),
            SchemaUpgrade(from: 2), SchemaUpgrade(from: 3, oldSchemaName: "Human"))
        let registry = try SchemaRegistry.of(present)
        let boss = try model(present, ["name": "b"], registry)
        let root = try model(present, ["name": "a", "boss": boss], registry)
        for (version, name) in [(1, "Contact"), (2, "Human"), (3, "Human")] {
            let former = ModelSchema(
                name, ["name": .string, "boss": .model(name)], version: version)
            let back = try read([root], ["Person": version], former)
            #expect(try back[0].value(forKeyPath: "boss.name") as? String == "b")
        }
    }

    private func vehicles() throws -> (models: [DynamicModel], registry: SchemaRegistry) {
        func vehicle(_ name: String, _ kind: JSONValue) -> ModelSchema {
            versioned(
                name, ["seats": .integer, "next": .model("Vehicle")], extends: "Vehicle",
                SchemaUpgrade(from: 1, removed: ["kind"], oldSchemaName: "Thing", when: ["kind": kind]))
        }
        let schemas = [
            ModelSchema("Vehicle", ["wheels": .integer]), vehicle("Car", "car"), vehicle("Truck", "truck"),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let truck = try model(schemas[2], ["wheels": 6], registry)
        return ([try model(schemas[1], ["wheels": 4, "next": truck], registry), truck], registry)
    }

    @Test func schemasThatWereOneBecomeItAgain() throws {
        let (models, registry) = try vehicles()
        let thing = ModelSchema(
            "Thing", ["kind": .enumeration("car", "truck"), "wheels": .integer, "next": .model("Thing")])
        let targets = ["Car": 1, "Truck": 1]
        let back = try read(models, targets, thing)
        #expect(back.map { $0["kind", as: String.self] } == ["car", "truck"])
        #expect(back.map { $0["wheels", as: Int.self] } == [4, 6])
        #expect(back[0].model("next") === back[1])
        let again = try ModelUnarchiver(registry: registry).unarchive(
            arrayOf: registry.schema(named: "Vehicle"), from: ModelArchiver(targetVersions: targets).archive(models))
        #expect(shape(of: again) == shape(of: models))
    }

    @Test func aModelThatWouldNotBeFoundAgainIsRefused() throws {
        let car = versioned(
            "Car", ["kind": .string], SchemaUpgrade(from: 1, oldSchemaName: "Thing", when: ["kind": "car"]))
        let registry = try SchemaRegistry.of(car)
        for (kind, isRefused) in [("car", false), ("van", true), (nil, false)] as [(String?, Bool)] {
            let model = try model(car, ["kind": kind], registry)
            let archiver = ModelArchiver(targetVersions: ["Car": 1])
            if isRefused {
                let error = try #require(throws: ModelError.self) { try archiver.archive(model) }
                #expect(error.code == .upgradeFailed && error.pointer?.description == "/objects/0/kind")
                #expect(error.expected == #""car", the "kind" by which an upgrade from version 1 finds models of Car"#)
                #expect(error.found == "a stored string")
            } else {
                let back = try read([model], ["Car": 1], ModelSchema("Thing", ["kind": .string]))
                #expect(back[0]["kind", as: String.self] == "car")
            }
        }
    }

    // MARK: Models that steps make

    private static let address = ModelSchema("Address", ["street": .string])

    @Test func aModelBecomesMembersAgain() throws {
        let present = versioned(
            "Customer", ["address": .model("Address")],
            SchemaUpgrade(from: 1, removed: ["street"]) { customer in
                var address = StoredModel("Address", version: 1)
                address["street"] = customer["street"]
                customer["address"] = .model(address)
            } downgrade: { customer in
                customer["street"] = customer["address"]?.model?["street"]
                customer["address"] = nil
            })
        let registry = try SchemaRegistry.of(present, Self.address)
        let address = try model(Self.address, ["street": "s"], registry)
        let models = try (0..<2).map { _ in try model(present, ["address": address], registry) }
        let back = try read(models, ["Customer": 1], ModelSchema("Customer", ["street": .string]))
        #expect(back.map { $0["street", as: String.self] } == ["s", "s"])
    }

    /// A step makes models of the version of its day, which may be later than the reader's.
    @Test func modelsThatStepsMakeTakeTheStepsOfTheirOwnSchema() throws {
        let place = versioned(
            "Place", ["line": .string, "code": .string.secret, "next": .model("Place")],
            SchemaUpgrade(from: 1, renamed: ["street": "road"]),
            SchemaUpgrade(from: 2, renamed: ["road": "line"], oldSchemaName: "Spot"))
        let present = versioned(
            "Customer", ["street": .string, "place": .model("Place")],
            SchemaUpgrade(from: 1, removed: ["spots"]) { _ in
            } downgrade: { customer in
                var last = StoredModel("Spot", version: 2)
                last["road"] = customer["street"]
                let shared = StoredModel.Value.model(last)
                var first = StoredModel("Place", version: 3)
                first["line"] = .string("first")
                first["next"] = shared
                var copy = customer["place"]?.model
                copy?["line"] = .string("copy")
                customer["spots"] = .array([.model(first), shared, copy.map { .model($0) } ?? .null])
            })
        let registry = try SchemaRegistry.of(present, place)
        let root = try model(
            present, ["street": "s", "place": model(place, ["line": "x", "code": "1234"], registry)], registry)
        let former = ModelSchema("Customer", ["spots": .array(of: .model("Spot")), "place": .model("Spot")])
        let spot = ModelSchema("Spot", ["street": .string, "code": .string, "next": .model("Spot")])
        let targets = ["Customer": 1, "Place": 1]
        let back = try read([root], targets, former, spot)[0]
        let spots = try #require(back["spots", as: [DynamicModel].self])
        #expect(spots.map { $0["street", as: String.self] } == ["first", "s", "copy"])
        #expect(spots[0].model("next") === spots[1])
        #expect(spots[2]["code", as: String.self] == "1234")
        #expect(try back.value(forKeyPath: "place.street") as? String == "x")
        // Secrets of copies stay secrets.
        let bytes = try ModelArchiver(targetVersions: targets).archive(root)
        let graph = try bytes.withUnsafeBytes { try unsafe StoredGraph($0) }
        let holders = graph.objects.filter { $0.model["code"] != nil }.map(\.schema)
        #expect(holders.count == 2)
        #expect(holders.allSatisfy { graph.schemas[$0].properties.contains { $0.key == "code" && $0.isSensitive } })
    }

    @Test func modelsOfOtherArchivesAndWithoutAVersionAreRefused() throws {
        let kept = Lock<StoredModel.Value?>(nil)
        defer { kept.withLock { $0 = nil } }
        func holder(_ downgrade: @escaping @Sendable (inout StoredModel) -> Void) throws -> DynamicModel {
            let schema = versioned(
                "Node", ["held": .model("Node")],
                SchemaUpgrade(from: 1) { _ in
                } downgrade: {
                    downgrade(&$0)
                })
            let registry = try SchemaRegistry.of(schema)
            return try model(schema, ["held": model(schema, [:], registry)], registry)
        }
        let archiver = ModelArchiver(targetVersions: ["Node": 1])
        _ = try archiver.archive(holder { node in if let held = node["held"] { kept.withLock { $0 = held } } })
        var error = try #require(throws: ModelError.self) {
            try archiver.archive(holder { node in kept.withLock { node["held"] = $0 } })
        }
        #expect(error.code == .upgradeFailed && error.found == "one of another")
        #expect(error.pointer?.description == "/objects/0/held")
        error = try #require(throws: ModelError.self) {
            try archiver.archive(holder { $0["held"] = .model(StoredModel("Leaf", version: 0)) })
        }
        #expect(error.code == .upgradeFailed && error.found == "version 0 of another schema")
    }
}
