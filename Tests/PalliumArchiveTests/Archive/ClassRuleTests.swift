import Foundation
import Pallium
import Synchronization
import TestSupport
import Testing

/// The rules of classes decide about an archive as those of schemas do, and change no model that is archived.
@Suite struct ClassRuleTests {
    @Test func aRuleOfAClassIsAsked() throws {
        let registry = try SchemaRegistry.of(ModelSchema(Ruled.self, ["n": .integer, "next": .model(Ruled.self)]))
        let (outer, inner) = (Ruled(registry: registry), Ruled(registry: registry))
        try outer.setValue(inner, forKey: "next")
        try inner.setValue(1, forKey: "n")
        #expect(throws: Never.self) { try ModelArchiver().archive(outer) }
        try inner.setValue(-1, forKey: "n")
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(outer) }
        #expect(error.code == .validationFailed && error.pointer?.description == "/objects/1")
    }

    /// Inherited from a class, of a generic class, and of the class that the parent of a schema without a class has.
    @Test(arguments: [
        [ModelSchema(RuledBelow.self, ["n": .integer, "next": .model(RuledBelow.self)])],
        [ModelSchema(RuledGeneric<Int>.self, ["n": .integer])],
        [
            ModelSchema(Ruled.self, ["n": .integer]),
            ModelSchema("Child", ["other": .string], extends: "Ruled"),
        ],
    ])
    func anInheritedRuleIsAsked(schemas: [ModelSchema]) throws {
        let registry = SchemaRegistry()
        try registry.register(schemas)
        let model = DynamicModel(schema: schemas[schemas.count - 1], registry: registry)
        try model.setValue(1, forKey: "n")
        #expect(throws: Never.self) { try ModelArchiver().archive(model) }
        try model.setValue(-1, forKey: "n")
        #expect(throws: ModelError.self) { try ModelArchiver().archive(model) }
    }

    /// Archives are tried only for rules. Copies of this class would be counted.
    @Test func noModelIsCopiedForAClassWithoutARule() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(Counted.self, ["n": .integer]), ModelSchema(Ruled.self, ["n": .integer]))
        let models = [Counted(registry: registry), Counted(registry: registry)]
        let count = Counted.count.withLock { $0 }
        #expect(count == 2)
        _ = try ModelArchiver().archive(models)
        _ = try ModelArchiver().archive([models[0], Ruled(registry: registry)])
        #expect(Counted.count.withLock { $0 } == count)
    }

    /// Values that only the program has, those of the model itself and those of one that it holds.
    @Test(arguments: [PropertySchema.string.storage(.transitory), .string.archive(.excluded)])
    func aRuleSeesNothingThatArchivesLeaveOut(cached: PropertySchema) throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Inner", ["cached": cached]),
            ModelSchema(NeedsCached.self, ["cached": .string, "inner": .model("Inner")]))
        let inner = try DynamicModel(
            schema: registry.schema(named: "Inner"), values: ["cached": "x"], registry: registry)
        let model = NeedsCached(registry: registry)
        try model.setValue(inner, forKey: "inner")
        try model.validate()
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == .validationFailed && error.pointer?.description == "/objects/0")
        let own = try SchemaRegistry.of(ModelSchema(NeedsCached.self, ["cached": cached, "inner": .string]))
        let other = NeedsCached(registry: own)
        try other.setValue("x", forKey: "cached")
        try other.validate()
        #expect(throws: ModelError.self) { try ModelArchiver().archive(other) }
        #expect(throws: Never.self) { try ModelArchiver(validates: false).archive(other) }
    }

    /// With and without something that archives leave out.
    @Test(arguments: [PropertySchema.string, .string.storage(.transitory)])
    func aRuleThatCorrectsAValueLeavesTheModelAsItIs(other: PropertySchema) throws {
        let registry = try SchemaRegistry.of(ModelSchema(Correcting.self, ["name": .string, "other": other]))
        let model = Correcting(registry: registry)
        try model.setValue("a", forKey: "name")
        let bytes = try ModelArchiver().archive(model)
        #expect(model["name", as: String.self] == "a")
        let back = try ModelUnarchiver(registry: registry).unarchive(Correcting.self, from: bytes)
        #expect(back["name", as: String.self] == "A")
    }

    @Test func aRuleMayLookForTheVeryModel() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(Owner.self, ["things": .array(of: .model("Thing"))]),
            ModelSchema("Thing", ["owner": .model(Owner.self)]))
        let owner = Owner(registry: registry)
        let thing = DynamicModel(schema: try registry.schema(named: "Thing"), registry: registry)
        try owner.setValue([thing], forKey: "things")
        defer { owner.unsetAll() }
        #expect(throws: ModelError.self) { try ModelArchiver().archive(owner) }
        try thing.setValue(owner, forKey: "owner")
        #expect(throws: Never.self) { try ModelArchiver().archive(owner) }
    }
}

/// Counts the models that its initialiser makes.
private final class Counted: DynamicModel {
    static let count = Mutex(0)
    var note = ""

    required init(storage: consuming ModelStorage) {
        Self.count.withLock { $0 += 1 }
        super.init(storage: storage)
    }
}

private final class RuledBelow: Ruled {}

private final class RuledGeneric<Value>: DynamicModel {
    override func validateModel() throws {
        if let n = self["n", as: Int.self], n < 0 { throw FixtureError.refused }
    }
}

private class Ruled: DynamicModel {
    override func validateModel() throws {
        if let n = self["n", as: Int.self], n < 0 { throw FixtureError.refused }
    }
}

private final class NeedsCached: DynamicModel {
    override func validateModel() throws {
        let holder = try value(forKey: "inner") as? DynamicModel ?? self
        if holder["cached"] == nil { throw FixtureError.refused }
    }
}

private final class Correcting: DynamicModel {
    override func validateModel() throws {
        try setValue(self["name", as: String.self]?.uppercased(), forKey: "name")
    }
}

private final class Owner: DynamicModel {
    override func validateModel() throws {
        for thing in models("things") where thing.model("owner") !== self { throw FixtureError.refused }
    }
}
