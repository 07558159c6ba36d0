import Foundation
import PalliumCore
import PalliumJSON
import Synchronization
import TestSupport
import Testing

@Suite("Rules over whole models, and hooks")
struct ModelRuleTests {
    private final class Range: DynamicModel {
        var low: Int? {
            get { value() }
            set { set(newValue) }
        }
        var high: Int? {
            get { value() }
            set { set(newValue) }
        }
        var decoded = 0

        struct Reversed: Error {}

        override func validateModel() throws {
            if let low, let high, low > high { throw Reversed() }
        }

        override func didDecode() throws {
            decoded += 1
            if low == 13 { throw Reversed() }
        }

        static let schema = ModelSchema(Range.self, ["low": .integer, "high": .integer])
    }

    private func range(_ low: Int?, _ high: Int?) throws -> Range {
        let registry = try SchemaRegistry.of(Range.schema)
        return try Range(values: ["low": low, "high": high], registry: registry)
    }

    @Test(.row("C076"))
    func anOverriddenRuleSeesAllProperties() throws {
        try range(1, 2).validate()
        let model = try range(2, 1)
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.code == .validationFailed)
        #expect(error?.underlying is Range.Reversed)
        #expect(error?.schema == "Range")
        #expect(error?.property == nil)
    }

    private final class Careful: DynamicModel {
        var checks = 0
        override func validateModel() throws {
            checks += 1
            try validate()
            if self["a", as: Int.self] == 13 { throw FixtureError.refused }
        }
    }

    @Test(.row("C076"), .threat(.deepGraphs))
    func aRuleMayValidateItsOwnModel() throws {
        let schema = ModelSchema(
            Careful.self, ["a": .integer.validate { (a: inout Int?, _) in if a == 7 { throw FixtureError.refused } }]
        ).validate { try $0.validate() }
        let registry = try SchemaRegistry.of(schema)
        let model = try Careful(values: ["a": 1], registry: registry)
        try model.validate()
        #expect(model.checks == 1)
        try model.validate()
        #expect(model.checks == 2)
        model["a"] = 13
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.underlying as? FixtureError == .refused)
        // The rule finds that its model is refused as soon as it asks.
        model["a"] = 7
        #expect(throws: ModelError.self) { try model.validate() }
        #expect(model.checks == 3)
        #expect(!model.hasCompanion)
    }

    private final class Partner: DynamicModel {
        override func validateModel() throws { try self["other", as: Partner.self]?.validate() }
    }

    @Test(.threat(.cycles)) func modelsMayValidateEachOther() throws {
        let registry = try SchemaRegistry.of(ModelSchema(Partner.self, ["other": .model(Partner.self)]))
        let (one, other) = (Partner(registry: registry), Partner(registry: registry))
        (one["other"], other["other"]) = (other, one)
        try one.validate()
        one["other"] = nil
    }

    @Test(.row("C076"))
    func rulesSeeCorrectedValuesAndAreSkippedWhenAPropertyIsRefused() throws {
        final class Seen: Sendable { let texts = Mutex<[String]>([]) }
        let log = Seen()
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Plain",
            [
                "name": .string.validate { (name: inout String?, _) in
                    if name == "bad" { throw FixtureError.nameMissing }
                    name = name?.uppercased()
                }
            ]
        ).validate { model in log.texts.withLock { $0.append("\(model["name"] as? String ?? "nil")") } }
        try registry.register(schema)
        try DynamicModel(schema: schema, values: ["name": "a"], registry: registry).validate()
        let model = DynamicModel(schema: schema, registry: registry)
        model["name"] = "bad"
        #expect(throws: ModelError.self) { try model.validate() }
        #expect(log.texts.withLock { $0 } == ["A"])
    }

    @Test func rulesOfAParentRunBeforeThoseOfAChildAndOfTheClass() throws {
        final class Log: Sendable { let names = Mutex<[String]>([]) }
        let log = Log()
        func note(_ name: String) -> @Sendable (DynamicModel) throws -> Void {
            { _ in log.names.withLock { $0.append(name) } }
        }
        let registry = SchemaRegistry()
        let parent = ModelSchema("Parent", [:]).validate(note("parent 1")).validate(note("parent 2"))
            .didDecode(note("decoded parent"))
        let child = ModelSchema("Child", [:], extends: "Parent").validate(note("child")).didDecode(
            note("decoded child"))
        try registry.register(child, parent)
        let model = DynamicModel(schema: child, registry: registry)
        try model.validate()
        try model.runDecodingHooks()
        #expect(log.names.withLock { $0 } == ["parent 1", "parent 2", "child", "decoded parent", "decoded child"])
    }

    @Test(.threat(.throwingUserCode), .row("C074"))
    func whatARuleChangedIsTakenBackWhenALaterOneRefuses() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["sum": .integer, "parts": .array(of: .integer)])
            .validate { model in model["sum"] = 6 }
            .validate { model in
                if model["parts"] == nil { throw FixtureError.nameMissing }
            }
        try registry.register(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        #expect(throws: ModelError.self) { try model.validate() }
        #expect(try model.state(of: "sum") == .unset)
        model["parts"] = [1, 2, 3]
        try model.validate()
        #expect(model["sum"] as? Int == 6)
    }

    @Test(.row("C042", "C061", "C063"))
    func hooksDoNotRunWhenAModelIsMadeOrCopied() throws {
        let model = try range(5, 1)
        #expect(model.decoded == 0)
        #expect(model.copy() == model)
        #expect(model.copy().decoded == 0)
        #expect(model.deepCopy().decoded == 0)
        try model.runDecodingHooks()
        #expect(model.decoded == 1)
    }

    @Test(.threat(.throwingUserCode), .row("C039", "C079"))
    func whatAHookThrowsIsWrappedWithTheSchema() throws {
        let error = #expect(throws: ModelError.self) { try range(13, 20).runDecodingHooks() }
        #expect(error?.code == .hookFailed)
        #expect(error?.category == .refusedByProgram)
        #expect(error?.schema == "Range")
        #expect(error?.underlying is Range.Reversed)
    }

    @Test func aModelErrorThatAHookThrowsIsPassedOnAsItIs() throws {
        let own = ModelError(.invalidValue, expected: "a prime", found: "9")
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Plain", ["number": .integer.validate { (_: inout Int?, _) in throw own }]
        )
        try registry.register(schema)
        let error = #expect(throws: ModelError.self) { try DynamicModel(schema: schema, registry: registry).validate() }
        #expect(error?.code == .invalidValue)
        #expect(error?.description == "expected a prime but found 9 at /number")
        #expect(error?.schema == "Plain")
        #expect(error?.property == "number")
    }

    @Test(.row("C078"))
    func hooksAreResolvedOncePerLayout() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let layout = try #require(registry.layout(for: TestModel.self))
        #expect(layout.validatedSlots == [0])
        let child = try #require(registry.layout(for: SubTestModel.self))
        #expect(child.validatedSlots == [0])
    }
}
