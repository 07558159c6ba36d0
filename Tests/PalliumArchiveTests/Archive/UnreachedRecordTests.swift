import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// Records that nothing of today refers to are skipped, whatever became of their schemas.
@Suite struct UnreachedRecordTests {
    private static let geo = ModelSchema("Geo", ["lat": .double.required, "of": .model("Place")])
    private static func place(_ properties: KeyValuePairs<String, PropertySchema>, version: Int = 1) -> ModelSchema {
        ModelSchema("Place", properties, version: version)
    }

    /// Two places, of which each holds a Geo in a property of a kind.
    private func archive(_ kind: PropertySchema, _ wrap: (DynamicModel) -> any PropertyValue = { $0 }) throws -> Data {
        let place = Self.place(["name": .string, "geo": kind])
        let registry = try SchemaRegistry.of(Self.geo, place)
        let models = try ["a", "b"].map { name in
            let geo = try DynamicModel(schema: Self.geo, values: ["lat": 1.5], registry: registry)
            return try DynamicModel(schema: place, values: ["name": name, "geo": wrap(geo)], registry: registry)
        }
        return try ModelArchiver().archive(models)
    }

    private func open(_ bytes: Data, _ schemas: ModelSchema...) throws -> [DynamicModel] {
        try ModelUnarchiver(registry: .of(schemas)).unarchive(arrayOf: schemas[0], from: bytes)
    }

    private func step(removing keys: String..., convert: (@Sendable (inout FormerModel) throws -> Void)? = nil)
        -> ModelSchema
    {
        var schema = Self.place(["name": .string], version: 2)
        schema.upgrades = [SchemaUpgrade(from: 1, removed: keys, convert: convert)]
        return schema
    }

    @Test func anArchiveOpensAfterAPropertyThatHeldModelsWasRemoved() throws {
        let archives = [
            try archive(.model("Geo")), try archive(.array(of: .model("Geo"))) { [$0] },
            try archive(.set(of: .model("Geo"))) { [$0] }, try archive(.dictionary(of: .model("Geo"))) { ["k": $0] },
        ]
        for bytes in archives {
            let ways: [[ModelSchema]] = [
                [Self.place(["name": .string])], [step(removing: "geo")], [step(removing: "geo", convert: { _ in })],
                [step(convert: { $0["geo"] = nil })], [step()],
                [Self.place(["name": .string, "geo": .model("Place").archive(.excluded)])],
                // The schema may still be there, reached or not, and changed beyond what an upgrade could do.
                [Self.place(["name": .string]), ModelSchema("Geo", ["lat": .date], version: 3)],
                [
                    Self.place(["name": .string, "other": .model("Geo")]),
                    ModelSchema("Geo", ["lat": .date], version: 3),
                ],
                [Self.place(["name": .string, "other": .model("Geo")]), ModelSchema("Geo", ["lat": .date])],
            ]
            for schemas in ways {
                let back = try ModelUnarchiver(registry: .of(schemas)).unarchive(arrayOf: schemas[0], from: bytes)
                #expect(back.map { $0["name", as: String.self] } == ["a", "b"])
            }
        }
    }

    @Test func aModelBecomesTheJSONOfItsValues() throws {
        let now = Self.place(["name": .string, "geo": .jsonValue])
        for bytes in [try archive(.model("Geo"))] {
            let back = try open(bytes, now)
            #expect(back.map { $0["geo", as: JSONValue.self] } == [["lat": 1.5], ["lat": 1.5]])
        }
        let list = try open(archive(.array(of: .model("Geo"))) { [$0] }, Self.place(["geo": .jsonValue]))
        #expect(list[0]["geo", as: JSONValue.self] == [["lat": 1.5]])
        let elements = try open(
            archive(.array(of: .model("Geo"))) { [$0] }, Self.place(["geo": .array(of: .jsonValue)]))
        #expect(elements[0]["geo", as: [JSONValue].self] == [["lat": 1.5]])
    }

    @Test(arguments: [
        PropertySchema.string, .integer, .array(of: .string), .set(of: .jsonValue), .dictionary(of: .jsonValue),
        .model("Place"),
    ])
    func aKindThatHoldsNoModelSaysThatAStepIsMissing(kind: PropertySchema) throws {
        let bytes = try archive(.model("Geo"))
        let error = try #require(throws: ModelError.self) { try open(bytes, Self.place(["geo": kind])) }
        #expect(error.pointer?.description == "/objects/0/geo", "\(error)")
        if kind == .model("Place") {
            #expect(error.code == .unknownModel, "\(error)")
        } else {
            #expect(error.code == .typeMismatch)
            #expect(error.expected.hasSuffix(", or an upgrade from version 1 that makes one,"), "\(error)")
        }
    }

    @Test(arguments: [
        (PropertySchema.integer, 5 as any PropertyValue & Sendable, PropertySchema.string),
        (.string, "x", .integer), (.array(of: .string), ["x"], .array(of: .date)), (.string, "x", .date),
    ])
    func aKindThatChangedSaysThatAStepIsMissing(
        old: PropertySchema, value: any PropertyValue & Sendable, new: PropertySchema
    ) throws {
        let bytes = try archived(ModelSchema("Model", ["a": old]), ["a": value])
        let error = try #require(throws: ModelError.self) { try reopen(bytes, as: ModelSchema("Model", ["a": new])) }
        #expect(error.expected.hasSuffix(", or an upgrade from version 1 that makes one,"), "\(error)")
    }

    @Test func aModelThatIsReachedMustHaveASchema() throws {
        let kept = ModelSchema("Geo", ["lat": .double.required])
        let renamed = ModelSchema("Point", ["lat": .double.required])
        let bytes = try archive(.model("Geo"))
        #expect(try open(bytes, Self.place(["geo": .model("Geo")]), kept).count == 2)
        let error = try #require(throws: ModelError.self) {
            try open(bytes, Self.place(["geo": .model("Point")]), renamed)
        }
        #expect(error.code == .unknownModel && error.pointer?.description == "/objects/0/geo")
        #expect(error.description.hasPrefix(#"expected models that Place can hold but found the schema "Geo""#))
    }

    @Test func aWeakLinkToARecordThatIsSkippedIsNull() throws {
        func node(_ properties: KeyValuePairs<String, PropertySchema>, version: Int = 1) -> ModelSchema {
            ModelSchema("Node", properties, version: version)
        }
        let old = node([
            "name": .string, "child": .model("Node"), "weak": .model("Node").weak,
            "all": .array(of: .model("Node")).archive(.conditional),
        ])
        let registry = try SchemaRegistry.of(old)
        let child = try DynamicModel(schema: old, values: ["name": "b"], registry: registry)
        let root = try DynamicModel(
            schema: old, values: ["name": "a", "child": child, "weak": child, "all": [child]], registry: registry)
        let bytes = try ModelArchiver().archive(root)
        for version in 1...2 {
            var now = node(
                [
                    "name": .string, "weak": .model("Node").weak,
                    "all": .array(of: .model("Node")).archive(.conditional),
                ],
                version: version)
            if version == 2 { now.upgrades = [SchemaUpgrade(from: 1, removed: ["child"])] }
            let back = try open(bytes, now)[0]
            #expect(try back.state(of: "weak") == .null && back.state(of: "all") == .null)
            // A step may give the model another holder.
            if version == 2 {
                now = node(["name": .string, "only": .model("Node"), "weak": .model("Node").weak], version: 2)
                now.upgrades = [SchemaUpgrade(from: 1, renamed: ["child": "only"])]
                let back = try open(bytes, now)[0]
                #expect(try back.value(forKeyPath: "only.name") as? String == "b")
                #expect(try back.value(forKey: "weak") as? DynamicModel === back.value(forKey: "only") as? DynamicModel)
            }
        }
    }

    @Test func aRecordThatIsAskedForLateIsReadLate() throws {
        // The second root's step takes over what the first one's dropped, whose record was passed by then.
        let old = ModelSchema("Node", ["name": .string, "held": .model("Node"), "other": .model("Node")])
        let registry = try SchemaRegistry.of(old)
        func make(_ name: String) throws -> DynamicModel {
            try DynamicModel(schema: old, values: ["name": name], registry: registry)
        }
        let (first, second, shared, inner) = (try make("1"), try make("2"), try make("3"), try make("4"))
        try shared.setValue(inner, forKey: "held")
        try first.setValue(shared, forKey: "held")
        try first.setValue(second, forKey: "other")
        try second.setValue(shared, forKey: "other")
        let bytes = try ModelArchiver().archive(first)
        var now = old
        now.version = 2
        now.upgrades = [
            SchemaUpgrade(from: 1) { node in if node["name"]?.text == "1" { node["held"] = nil } }
        ]
        let back = try open(bytes, now)[0]
        #expect(try back.value(forKeyPath: "other.other.held.name") as? String == "4")
        #expect(try back.state(of: "held") == .unset)
    }

    @Test(.threat(.forgedChecksums)) func recordsThatAreSkippedAreCheckedAllTheSame() throws {
        var parts = ArchiveParts(try archive(.model("Geo")))
        parts.records.removeLast()
        let error = try #require(throws: ModelError.self) {
            try open(Data(parts.archive), Self.place(["name": .string]))
        }
        #expect(error.code == .malformedArchive)
    }
}
