import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Archives of schemas that have changed since, with and without steps.
@Suite struct ChangedSchemaTests {
    @Test func aPropertyThatArchivesHoldNoLongerIsPassedOver() throws {
        let old = ModelSchema("Model", ["a": .integer, "b": .string])
        let now = ModelSchema("Model", ["a": .integer.archive(.excluded), "b": .string])
        let back = try reopen(archived(old, ["a": 5, "b": "x"]), as: now)
        #expect(try back.state(of: "a") == .unset)
        #expect(back["b", as: String.self] == "x")
    }

    /// Without and with steps to take.
    @Test(arguments: [1, 2]) func modelsThatHaveBecomeEqualStandInASetOnce(version: Int) throws {
        let tags = PropertySchema.set(of: .model("Tag"))
        let properties: KeyValuePairs<String, PropertySchema> = [
            "tags": tags, "table": .dictionary(of: .array(of: tags)), "lists": .set(of: .array(of: .model("Tag"))),
            "all": .array(of: .model("Tag")),
        ]
        let tag = ModelSchema("Tag", ["name": .string, "n": .integer])
        let registry = try SchemaRegistry.of(tag, ModelSchema("Holder", properties))
        let models = try [("a", 1), ("a", 2), ("b", 3)].map { name, n in
            try DynamicModel(schema: tag, values: ["name": name, "n": n], registry: registry)
        }
        let holder = DynamicModel(schema: try registry.schema(named: "Holder"), registry: registry)
        try holder.setValue(models, forKey: "tags")
        try holder.setValue(["x": [models]], forKey: "table")
        try holder.setValue(models.map { [$0] }, forKey: "lists")
        let bytes = try ModelArchiver().archive(holder)

        let seen = Seen()
        var now = ModelSchema("Holder", properties, version: version)
        if version > 1 { now.upgrades = [SchemaUpgrade(from: 1)] }
        let nowTag = ModelSchema("Tag", ["name": .string]).didDecode {
            seen.models.append(Seen.Weak($0))
        }
        let back = try ModelUnarchiver(registry: .of(now, nowTag)).unarchive(now, from: bytes)
        func names(_ value: (any PropertyValue)?) -> [String?] {
            (value as? [DynamicModel] ?? []).map { $0["name", as: String.self] }
        }
        #expect(try names(back.value(forKey: "tags")) == ["a", "b"])
        let inner = try back.value(forKey: "table") as? [String: [[DynamicModel]]]
        #expect(inner?["x"]?.map { names($0) } == [["a", "b"]])
        let lists = try back.value(forKey: "lists") as? [[DynamicModel]]
        #expect(lists?.map { names($0) } == [["a"], ["b"]])
        // What was left out is gone, although hooks have seen it.
        #expect(seen.models.count == 3 && seen.models.compactMap(\.model).count == 2)
    }

    /// Comparing them could take the square of the archive's length.
    @Test func modelsOfASetThatHoldOthersStay() throws {
        let link = ModelSchema("Link", ["n": .integer, "next": .model("Link")])
        let holder = ModelSchema("Holder", ["links": .set(of: .model("Link"))])
        let registry = try SchemaRegistry.of(link, holder)
        let links = try [1, 2].map { try DynamicModel(schema: link, values: ["n": $0], registry: registry) }
        let bytes = try ModelArchiver().archive(
            DynamicModel(schema: holder, values: ["links": links], registry: registry))
        let now = try SchemaRegistry.of(ModelSchema("Link", ["next": .model("Link")]), holder)
        let back = try ModelUnarchiver(registry: now).unarchive(holder, from: bytes)
        #expect(back["links", as: [DynamicModel].self]?.count == 2)
    }

    /// What hooks saw.
    private final class Seen: @unchecked Sendable {
        struct Weak {
            weak var model: DynamicModel?
            init(_ model: DynamicModel) { self.model = model }
        }
        // @unchecked: hooks run on the thread of the test.
        var models: [Weak] = []
    }

    @Test func aRingOfModelsThatIsRefusedIsFreed() throws {
        let seen = Seen()
        let schema = ModelSchema("Link", ["next": .model("Link")]).didDecode { model in
            seen.models.append(Seen.Weak(model))
            throw FixtureError.refused
        }
        let registry = try SchemaRegistry.of(schema)
        let first = DynamicModel(schema: schema, registry: registry)
        first["next"] = try DynamicModel(schema: schema, values: ["next": first], registry: registry)
        defer { first.unsetAll() }
        let bytes = try ModelArchiver().archive(first)
        #expect(throws: ModelError.self) { try ModelUnarchiver(registry: registry).unarchive(schema, from: bytes) }
        #expect(!seen.models.isEmpty && seen.models.allSatisfy { $0.model == nil })
    }

    @Test func aPropertyThatIsRequiredNowMustHaveAValue() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let now = ModelSchema("Model", ["a": .integer.required])
        let bytes = try archived(old)
        let error = try #require(throws: ModelError.self) { try reopen(bytes, as: now) }
        #expect(error.code == .missingProperty && error.pointer?.description == "/objects/0/a")
        #expect(error.found == "none")
    }

    /// Of the three cases two are left, in another order.
    @Test(arguments: ["open", "ajar", "closed"]) func casesAreFoundByTheirTexts(state: String) throws {
        let old = ModelSchema("Door", ["state": .enumeration("open", "ajar", "closed", unknown: .keep)])
        let new = ModelSchema("Door", ["state": .enumeration("closed", "open", unknown: .keep)])
        let document = #"{"state":"\#(state)"}"#
        let bytes = try ModelArchiver().archive(Plain.adapter([old]).adapter.model(from: document))
        let registry = try SchemaRegistry.of(new)
        let model = try ModelUnarchiver(registry: registry).unarchive(new, from: bytes)
        let adapter = Entrances(try JSONAdapter(schema: new, registry: registry))
        #expect(try adapter.text(of: model) == document)
        #expect(try model == adapter.model(from: document))
    }

    @Test func aCaseThatIsNoMoreIsKeptOrRefused() throws {
        let bytes = try archived(ModelSchema("Model", ["a": .enumeration("x", "y")]), ["a": "x"])
        func open(_ unknown: EnumerationSchema.UnknownCasePolicy<String>) throws -> DynamicModel {
            try reopen(bytes, as: ModelSchema("Model", ["a": .enumeration("y", unknown: unknown)]))
        }
        #expect(try open(.keep)["a", as: String.self] == "x")
        #expect(try open(.fallback("y"))["a", as: String.self] == "y")
        let error = #expect(throws: ModelError.self) { try open(.fail) }
        #expect(error?.code == .unknownCase && error?.pointer?.description == "/objects/0/a")
    }

    @Test func aVersionThatTheSchemaHasNoStepsForIsTold() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let bytes = try archived(old)
        let now = ModelSchema("Model", ["a": .integer], version: 3)
        let error = #expect(throws: ModelError.self) { try reopen(bytes, as: now) }
        #expect(error?.code == .olderVersion && error?.expected == "Model of version 3 or later")
    }

    @Test func aSchemaCanBeRenamedTwice() throws {
        var now = ModelSchema("Third", ["a": .integer], version: 3)
        now.upgrades = [
            SchemaUpgrade(from: 2, oldSchemaName: "Second"), SchemaUpgrade(from: 1, oldSchemaName: "First"),
        ]
        for (version, name) in [(1, "First"), (2, "Second"), (3, "Third")] {
            let old = ModelSchema(name, ["a": .integer], version: version)
            #expect(try reopen(archived(old, ["a": version]), as: now)["a", as: Int.self] == version)
        }
        let wrong = ModelSchema("First", ["a": .integer], version: 2)
        let bytes = try archived(wrong)
        #expect(throws: ModelError.self) { try reopen(bytes, as: now) }
    }

    @Test func aParentThatCameSinceHasNoStepsToTake() throws {
        let old = ModelSchema("Child", ["own": .string])
        var parent = ModelSchema("Parent", ["new": .integer.default(5)], version: 2)
        parent.upgrades = [SchemaUpgrade(from: 1) { _ in throw FixtureError.refused }]
        let now = ModelSchema("Child", ["own": .string], extends: "Parent")
        let back = try ModelUnarchiver(registry: .of(parent, now)).unarchive(now, from: archived(old, ["own": "x"]))
        #expect(back["own", as: String.self] == "x" && back["new", as: Int.self] == 5)
    }

    @Test func whatCodeOfAStepThrowsKeepsItsPlace() throws {
        let old = ModelSchema("Model", ["a": .integer])
        let bytes = try archived(old, ["a": 1])
        func problem(_ now: ModelSchema) -> ModelError? {
            #expect(throws: ModelError.self) { try reopen(bytes, as: now) }
        }
        let own = ModelError(.invalidValue, expected: "a better value", found: "this one")
        var error = problem(ModelSchema("Model", ["a": .integer.unarchived { _ in throw own }]))
        #expect(error?.code == .invalidValue && error?.pointer?.description == "/objects/0/a")
        error = problem(ModelSchema("Model", ["a": .integer.unarchived { _ in throw FixtureError.refused }]))
        #expect(error?.code == .upgradeFailed && error?.underlying as? FixtureError == .refused)
        #expect(error?.pointer?.description == "/objects/0/a" && error?.property == "a")
        var now = ModelSchema("Model", ["a": .integer], version: 2)
        now.upgrades = [SchemaUpgrade(from: 1) { _ in throw own }]
        error = problem(now)
        #expect(error?.code == .invalidValue && error?.pointer?.description == "/objects/0")
        #expect(error?.schema == "Model")
    }
}
