import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Steps that make models of values and values of models, and schemas that became several.
@Suite struct MovedModelTests {
    private func archive(_ models: [DynamicModel]) throws -> Data { try ModelArchiver().archive(models) }

    private func open(_ bytes: Data, _ schemas: ModelSchema...) throws -> [DynamicModel] {
        try ModelUnarchiver(registry: .of(schemas)).unarchive(arrayOf: schemas[0], from: bytes)
    }

    // MARK: Into a model and out of one

    private static let flat = ModelSchema("Person", ["name": .string, "street": .string, "city": .string])
    private static let address = ModelSchema("Address", ["street": .string.required, "city": .string.default("?")])
    private static var nested: ModelSchema {
        var schema = ModelSchema("Person", ["name": .string, "address": .model("Address")], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) { person in
                guard let street = person["street"] else { return }
                var address = FormerModel("Address", version: 1)
                address["street"] = street
                address["city"] = person["city"]
                person["address"] = .model(address)
            }
        ]
        return schema
    }

    @Test func flatMembersBecomeAModel() throws {
        let registry = try SchemaRegistry.of(Self.flat)
        let models = try [
            ["name": "Ada", "street": "a", "city": "b"], ["name": "Bob", "street": "c"], ["name": "Eve"],
        ].map { try DynamicModel(schema: Self.flat, values: $0, registry: registry) }
        let back = try open(archive(models), Self.nested, Self.address)
        #expect(try back.map { try $0.value(forKeyPath: "address.street") as? String } == ["a", "c", nil])
        #expect(try back.map { try $0.value(forKeyPath: "address.city") as? String } == ["b", "?", nil])
        #expect(try back[2].state(of: "address") == .unset)
    }

    /// The model that a step makes is of the version of its day, and takes the later steps of its own schema.
    @Test func aModelThatAStepMakesTakesTheStepsOfItsOwnSchema() throws {
        var address = ModelSchema("Place", ["line": .string.required, "city": .string], version: 3)
        address.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["street": "line"]),
            SchemaUpgrade(from: 2, oldSchemaName: "Address") { $0["city"] = .string("moved") },
        ]
        var person = Self.nested
        person.properties[1] = .init("address", .model("Place"))
        let back = try open(archived(Self.flat, ["street": "a", "city": "b"]), person, address)
        #expect(try back[0].value(forKeyPath: "address.line") as? String == "a")
        #expect(try back[0].value(forKeyPath: "address.city") as? String == "moved")
    }

    @Test func aModelThatAStepMakesMustFit() throws {
        let bytes = try archived(Self.flat, ["city": "b", "street": "a"])
        func problem(_ schemas: ModelSchema...) -> ModelError? {
            #expect(throws: ModelError.self) {
                try ModelUnarchiver(registry: .of(schemas)).unarchive(arrayOf: schemas[0], from: bytes)
            }
        }
        var person = Self.nested
        person.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) {
                $0["address"] = .model(FormerModel("Address", version: 1))
            }
        ]
        var error = problem(person, Self.address)
        #expect(error?.code == .missingProperty && error?.pointer?.description == "/objects/1/street")
        error = problem(person, ModelSchema("Address", ["street": .string], version: 2))
        #expect(error?.code == .olderVersion && error?.pointer?.description == "/objects/0/address")
        person.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) {
                $0["address"] = .model(FormerModel("Person", version: 2))
            }
        ]
        error = problem(person, Self.address)
        #expect(error?.code == .typeMismatch && error?.found == "a model of Person")
        person.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) {
                $0["address"] = .model(FormerModel("Adress", version: 1))
            }
        ]
        error = problem(person, Self.address)
        #expect(error?.code == .unknownModel && error?.suggestion == "Address")
        #expect(error?.pointer?.description == "/objects/0/address")
    }

    /// Of two models that a step makes the second does not fit: it is the fourth object, and its holder is told.
    @Test func ofSeveralModelsThatAStepMakesTheRightOneIsRefused() throws {
        var person = Self.nested
        person.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) { person in
                var address = FormerModel("Address", version: 1)
                address["street"] = person["street"]
                person["address"] = .model(address)
            }
        ]
        let registry = try SchemaRegistry.of(Self.flat)
        for streets in [["a", nil], [nil, "a"]] as [[String?]] {
            let models = try streets.map { street in
                let model = DynamicModel(schema: Self.flat, registry: registry)
                try model.setValue(street, forKey: "street")
                return model
            }
            let unarchiver = ModelUnarchiver(registry: try .of(person, Self.address))
            let report = try unarchiver.report(person, from: archive(models))
            let lacking = streets[0] == nil ? 0 : 1
            #expect(report.problems.map { $0.pointer?.description } == ["/objects/\(2 + lacking)/street"])
            #expect(report.models.map { $0.model("address") == nil } == [lacking == 0, lacking == 1])
        }
    }

    /// A conditional property refers only to models that something else holds.
    @Test func aConditionalPropertyDoesNotHoldAModelThatAStepMakes() throws {
        var person = ModelSchema(
            "Person",
            ["name": .string, "home": .model("Address"), "address": .model("Address").archive(.conditional)], version: 2
        )
        person.upgrades = [
            SchemaUpgrade(from: 1, removed: ["street", "city"]) { person in
                var address = FormerModel("Address", version: 1)
                address["street"] = person["street"]
                let value = FormerModel.Value.model(address)
                person["address"] = value
                if person["name"] == .string("Ada") { person["home"] = value }
            }
        ]
        let registry = try SchemaRegistry.of(Self.flat)
        let models = try ["Ada", "Bob"].map {
            try DynamicModel(schema: Self.flat, values: ["name": $0, "street": "s"], registry: registry)
        }
        let back = try open(archive(models), person, Self.address)
        #expect(back[0].model("address")?["street", as: String.self] == "s")
        #expect(back[0].model("address") === back[0].model("home"))
        #expect(back[1].model("address") == nil)
    }

    @Test func aModelBecomesFlatMembers() throws {
        var old = Self.nested
        (old.version, old.upgrades) = (1, [])
        let registry = try SchemaRegistry.of(old, Self.address)
        let address = try DynamicModel(
            schema: Self.address, values: ["street": "a", "city": "b"], registry: registry)
        let models = try [["name": "Ada", "address": address], ["name": "Bob", "address": address], ["name": "Eve"]]
            .map { try DynamicModel(schema: old, values: $0 as [String: any PropertyValue], registry: registry) }
        var now = Self.flat
        now.version = 2
        now.upgrades = [
            SchemaUpgrade(from: 1, removed: ["address"]) { person in
                let address = person["address"]?.model
                person["street"] = address?["street"]
                person["city"] = address?["city"]
            }
        ]
        // The schema of the model is gone.
        let back = try open(archive(models), now)
        #expect(back.map { $0["street", as: String.self] } == ["a", "a", nil])
        #expect(back.map { $0["city", as: String.self] } == ["b", "b", nil])
    }

    /// Parts move from a model to the one that holds it, and keep who they are.
    @Test func modelsMoveWithWhatTheyHold() throws {
        let part = ModelSchema("Part", ["n": .integer, "next": .model("Part")])
        let box = ModelSchema("Box", ["parts": .array(of: .model("Part"))])
        let old = ModelSchema("Root", ["box": .model("Box"), "favourite": .model("Part").weak])
        let registry = try SchemaRegistry.of(part, box, old)
        let parts = try (0..<2).map { try DynamicModel(schema: part, values: ["n": $0], registry: registry) }
        try parts[0].setValue(parts[1], forKey: "next")
        let held = try DynamicModel(schema: box, values: ["parts": parts], registry: registry)
        let root = try DynamicModel(schema: old, values: ["box": held, "favourite": parts[1]], registry: registry)
        var now = ModelSchema(
            "Root", ["parts": .array(of: .model("Part")), "favourite": .model("Part").weak], version: 2)
        now.upgrades = [
            SchemaUpgrade(from: 1, removed: ["box"]) { $0["parts"] = $0["box"]?.model?["parts"] }
        ]
        let back = try open(archive([root]), now, part)
        let moved = try #require(back[0]["parts", as: [DynamicModel].self])
        #expect(moved.map { $0["n", as: Int.self] } == [0, 1])
        #expect(moved[0]["next", as: DynamicModel.self] === moved[1])
        #expect(back[0]["favourite", as: DynamicModel.self] === moved[1])
    }

    @Test func oneMadeModelInTwoPlacesIsOneModel() throws {
        var now = ModelSchema("Person", ["a": .model("Address"), "b": .array(of: .model("Address"))], version: 2)
        now.upgrades = [
            SchemaUpgrade(from: 1, removed: ["name", "street", "city"]) { person in
                var address = FormerModel("Address", version: 1)
                address["street"] = .string("x")
                person["a"] = .model(address)
                person["b"] = .array([person["a"] ?? .null, .model(address)])
            }
        ]
        let back = try open(archived(Self.flat, ["name": "Ada"]), now, Self.address)[0]
        let first = try #require(back["a", as: DynamicModel.self])
        let list = try #require(back["b", as: [DynamicModel].self])
        #expect(list[0] === first && list[1] !== first && list[1] == first)
    }

    @Test func aChangedCopyOfAFormerModelGoesOnFromItsVersion() throws {
        func node(_ version: Int) -> ModelSchema {
            var schema = ModelSchema("Node", ["n": .integer, "held": .model("Node")], version: version)
            if version == 2 {
                schema.upgrades = [
                    SchemaUpgrade(from: 1) { node in
                        node["n"] = node["n"]?.integer.map { .integer($0 + 1) }
                        guard var held = node["held"]?.model, held["n"] == .integer(7) else { return }
                        held["n"] = .integer(70)
                        node["held"] = .model(held)
                    }
                ]
            }
            return schema
        }
        let registry = try SchemaRegistry.of(node(1))
        let held = try DynamicModel(schema: node(1), values: ["n": 7], registry: registry)
        let root = try DynamicModel(schema: node(1), values: ["n": 1, "held": held], registry: registry)
        let back = try open(archive([root]), node(2))[0]
        #expect(back["n", as: Int.self] == 2)
        #expect(try back.value(forKeyPath: "held.n") as? Int == 71)
    }

    @Test func aFormerModelOutlivesTheCallThatOpensTheArchive() throws {
        let kept = Lock<[FormerModel]>([])
        defer { kept.withLock { $0 = [] } }
        func node(_ version: Int) -> ModelSchema {
            var schema = ModelSchema("Node", ["n": .integer, "held": .model("Node")], version: version)
            if version == 2 { schema.upgrades = [SchemaUpgrade(from: 1) { node in kept.withLock { $0.append(node) } }] }
            return schema
        }
        let registry = try SchemaRegistry.of(node(1))
        let held = try DynamicModel(schema: node(1), values: ["n": 7], registry: registry)
        let root = try DynamicModel(schema: node(1), values: ["n": 1, "held": held], registry: registry)
        _ = try open(archive([root]), node(2))
        let models = kept.withLock { $0 }
        #expect(models[0]["held"]?.model?["n"] == .integer(7))
        // In another archive it is a stranger.
        var other = ModelSchema("Node", ["n": .integer, "held": .model("Node")], version: 2)
        other.upgrades = [SchemaUpgrade(from: 1) { $0["held"] = models[0]["held"] }]
        let error = try #require(throws: ModelError.self) { try open(archive([root]), other) }
        #expect(error.code == .upgradeFailed && error.found == "one of another")
    }

    /// Models that share others twice each would make 2⁶⁰ objects of JSON.
    @Test(.threat(.memoryBlowUp)) func modelsThatShareOthersDoNotExplodeAsJSON() throws {
        func node(_ kind: PropertySchema) -> ModelSchema { ModelSchema("Node", ["a": kind, "b": kind]) }
        let registry = try SchemaRegistry.of(node(.model("Node")))
        var last = DynamicModel(schema: node(.model("Node")), registry: registry)
        for _ in 0..<60 {
            last = try DynamicModel(
                schema: node(.model("Node")), values: ["a": last, "b": last], registry: registry)
        }
        let bytes = try archive([last])
        let error = try #require(throws: ModelError.self) { try open(bytes, node(.jsonValue)) }
        #expect(error.code == .limitExceeded)
        // A cycle has no JSON.
        let loop = DynamicModel(schema: node(.model("Node")), registry: registry)
        try loop.setValue(loop, forKey: "a")
        defer { loop.unsetAll() }
        let endless = try #require(throws: ModelError.self) { try open(archive([loop]), node(.jsonValue)) }
        #expect(endless.code == .depthLimit)
    }

    // MARK: One schema becomes several

    private static let vehicle = ModelSchema(
        "Vehicle", ["kind": .string, "wheels": .integer, "next": .model("Vehicle")])

    private func vehicles(_ kinds: [String?]) throws -> Data {
        let registry = try SchemaRegistry.of(Self.vehicle)
        let models = try kinds.map { kind in
            try DynamicModel(schema: Self.vehicle, values: ["kind": kind, "wheels": 4], registry: registry)
        }
        for (model, next) in zip(models, models.dropFirst()) { try model.setValue(next, forKey: "next") }
        return try archive(Array(models.prefix(1)))
    }

    private func leaf(_ name: String, extends: ModelReference, when: [String: JSONValue] = [:]) -> ModelSchema {
        var schema = ModelSchema(
            name, ["own": .string], extends: extends, version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, oldSchemaName: "Vehicle", when: when)]
        return schema
    }

    private func names(_ model: DynamicModel) throws -> [String] {
        var names: [String] = []
        var current: DynamicModel? = model
        while let model = current {
            names.append(model.schema.name)
            current = model["next", as: DynamicModel.self]
        }
        return names
    }

    private static let base = ModelSchema(
        "Base", ["kind": .string.json("meta.kind"), "wheels": .integer, "next": .model("Base")],
        cluster: .discriminator("meta.kind", ["car": "Car", "truck": "Truck"], default: "Base"))

    @Test func aValueTellsWhichOfTwoSchemasAModelHas() throws {
        let bytes = try vehicles(["car", "truck", "bike", "car", nil])
        let base = ModelSchema("Base", ["kind": .string, "wheels": .integer, "next": .model("Base")])
        let (car, truck) = (
            leaf("Car", extends: "Base", when: ["kind": "car"]), leaf("Truck", extends: "Base", when: ["kind": "truck"])
        )
        let rest = leaf("Rest", extends: "Base")
        let back = try open(bytes, base, car, truck, rest)
        #expect(try names(back[0]) == ["Car", "Truck", "Rest", "Car", "Rest"])
        #expect(back[0]["kind", as: String.self] == "car" && back[0]["wheels", as: Int.self] == 4)
        // The old name may be that of the base itself.
        let vehicle = Self.vehicle
        let again = try open(
            bytes, vehicle, leaf("Car", extends: "Vehicle", when: ["kind": "car"]),
            leaf("Truck", extends: "Vehicle", when: ["kind": "truck", "wheels": 4]))
        #expect(try names(again[0]) == ["Car", "Truck", "Vehicle", "Car", "Vehicle"])
        // Without the rest, nobody says whose the third one is.
        let error = try #require(throws: ModelError.self) { try open(bytes, base, car, truck) }
        #expect(error.code == .upgradeFailed, "\(error)")
        #expect(error.pointer?.description == "/objects/1/next")
        #expect(error.description.contains(#"a stored model of "Vehicle" that is one of Car, Truck"#), "\(error)")
        // Both say so.
        let twice = try #require(throws: ModelError.self) {
            try open(bytes, base, car, leaf("Truck", extends: "Base", when: ["wheels": 4]), rest)
        }
        #expect(twice.code == .upgradeFailed && twice.found == "one that is a model of Car and Truck")
    }

    @Test func aConditionMayBeThatThereIsNoValue() throws {
        let (null, missing) = (
            leaf("Unknown", extends: "Vehicle", when: ["kind": .null]),
            leaf("Undated", extends: "Vehicle", when: ["kind": "bike", "built": .null])
        )
        let back = try open(vehicles(["car", nil, "bike"]), Self.vehicle, null, missing)
        #expect(try names(back[0]) == ["Vehicle", "Unknown", "Undated"])
    }

    @Test func aClusterMayLeaveTheChoiceToOneOfADescendant() throws {
        let base = ModelSchema(
            "Base", ["kind": .string, "wheels": .integer, "next": .model("Base")],
            cluster: .discriminator("kind", ["car": "Motor", "bus": "Motor", "bike": "Bike"]))
        let motor = ModelSchema(
            "Motor", [:], extends: "Base", cluster: .discriminator("kind", ["car": "Car", "bus": "Bus"]))
        let back = try open(
            vehicles(["car", "bike", "bus"]), base, motor, leaf("Bike", extends: "Base"), leaf("Car", extends: "Motor"),
            leaf("Bus", extends: "Motor"))
        #expect(try names(back[0]) == ["Car", "Bike", "Bus"])
    }

    @Test func theClusterOfTheirAncestorTellsWhichSchemaAModelHas() throws {
        let bytes = try vehicles(["car", "truck", "car"])
        let leaves = [leaf("Car", extends: "Base"), leaf("Truck", extends: "Base")]
        let back = try open(bytes, Self.base, leaves[0], leaves[1])
        #expect(try names(back[0]) == ["Car", "Truck", "Car"])
        #expect(back[0]["wheels", as: Int.self] == 4)
        // The cluster may choose none of them.
        let error = try #require(throws: ModelError.self) {
            try open(vehicles(["bike"]), Self.base, leaves[0], leaves[1])
        }
        #expect(error.code == .upgradeFailed && error.found == "one that is a model of Base", "\(error)")
        // The base itself may be one of them.
        let vehicle = ModelSchema(
            "Vehicle", ["kind": .string, "wheels": .integer, "next": .model("Vehicle")],
            cluster: .discriminator("kind", ["car": "Car", "truck": "Truck"], default: "Vehicle"))
        let again = try open(
            vehicles(["bike", "car"]), vehicle, leaf("Car", extends: "Vehicle"), leaf("Truck", extends: "Vehicle"))
        #expect(try names(again[0]) == ["Vehicle", "Car"])
    }

    @Test func aResolverMayDecideToo() throws {
        var base = Self.base
        base.cluster = .resolver { $0["wheels"]?.intValue == 4 ? "Truck" : "Car" }
        let back = try open(vehicles(["car"]), base, leaf("Car", extends: "Base"), leaf("Truck", extends: "Base"))
        #expect(try names(back[0]) == ["Truck"])
    }

    @Test func conditionsAreWrittenInDocuments() throws {
        let document = """
            [{"name": "Car", "version": 2, "properties": {"kind": {"kind": "string"}},
              "upgrades": [{"from": 1, "renameSchema": "Vehicle", "when": {"kind": "car"}}]},
             {"name": "Truck", "version": 2, "properties": {"kind": {"kind": "string"}},
              "upgrades": [{"from": 1, "renameSchema": "Vehicle"}]}]
            """
        let registry = SchemaRegistry()
        try registry.load(Data(document.utf8))
        let schemas = registry.schemas
        #expect(schemas[0].upgrades[0].when == ["kind": "car"] && schemas[1].upgrades[0].when == [:])
        let unarchiver = ModelUnarchiver(registry: registry, allowing: ["Car", "Truck"])
        let old = ModelSchema("Vehicle", ["kind": .string])
        let models = try ["truck", "car"].map {
            try DynamicModel(schema: old, values: ["kind": $0], registry: .of(old))
        }
        let back = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: archive(models))
        #expect(back.map(\.schema.name) == ["Truck", "Car"])
    }
}
