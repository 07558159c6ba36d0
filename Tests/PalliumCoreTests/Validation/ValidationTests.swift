import Foundation
import PalliumCore
import PalliumJSON
import Synchronization
import TestSupport
import Testing

@Suite("Validation")
struct ValidationTests {
    @Test(.row("C069", "C075"))
    func aValidatorSeesNilOfAnUnsetProperty() throws {
        let model = ValidationModel(registry: try .ofFixtures())
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.code == .validationFailed)
        #expect(error?.underlying as? FixtureError == .nameMissing)
        #expect(
            error?.description
                == "expected a value of ValidationModel.name that its validator accepts but found null at /name: nameMissing"
        )
    }

    @Test(.row("C070", "C077"))
    func aModelThatIsRightIsAccepted() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try ValidationModel(values: ["name": "valid"], registry: registry).validate()
        try EmptyModel(registry: registry).validate()
        try registry.node(1).validate()
    }

    @Test(.row("C071"))
    func aCorrectionIsKept() throws {
        let model = SelfValidatingModel(registry: try .ofFixtures())
        try model.validate()
        #expect(model.name == "foobar")
    }

    /// A validator that refuses everything and notes that it ran.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }

        func refusing(_ schema: PropertySchema) -> PropertySchema {
            schema.validate { [self] (_: inout String?, context) in
                add("\(context.schema).\(context.property)")
                throw FixtureError.nameMissing
            }
        }
    }

    @Test(.row("C072"))
    func everyPropertyIsCheckedInSchemaOrderAndAllProblemsAreCollected() throws {
        let log = Log()
        let model = try SchemaRegistry.plainModel([
            "zulu": log.refusing(.string), "needed": .integer.required,
            "alpha": log.refusing(.string.storage(.transitory)),
            "mike": log.refusing(.string),
        ])
        try model.setValue("a", forKey: "mike")
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(log.all == ["Plain.zulu", "Plain.alpha", "Plain.mike"])
        #expect(error?.problems.map(\.property) == ["zulu", "needed", "alpha", "mike"])
        #expect(
            error?.problems.map(\.code) == [.validationFailed, .missingProperty, .validationFailed, .validationFailed])
        #expect(error?.problems.map { $0.pointer?.description } == ["/zulu", "/needed", "/alpha", "/mike"])
    }

    @Test(.row("C072"))
    func validatorsOfAParentRunFirst() throws {
        let log = Log()
        let registry = SchemaRegistry()
        let child = ModelSchema("Child", ["own": log.refusing(.string)], extends: "Parent")
        try registry.register(child, ModelSchema("Parent", ["inherited": log.refusing(.string)]))
        #expect(throws: ModelError.self) { try DynamicModel(schema: child, registry: registry).validate() }
        #expect(log.all == ["Child.inherited", "Child.own"])
    }

    @Test func severalValidatorsOfAPropertyRunInOrderUntilOneRefuses() throws {
        let model = try SchemaRegistry.plainModel([
            "text": .string
                .validate { (text: inout String?, _) in text = (text ?? "") + "a" }
                .validate { (text: inout String?, _) in text = (text ?? "") + "b" }
                .validate { (text: inout String?, _) in if text == "bad" + "ab" { throw FixtureError.nameMissing } }
                .validate { (text: inout String?, _) in text = (text ?? "") + "c" }
        ])
        try model.validate()
        #expect(model.read("text", as: String?.self) == "abc")
        try model.setValue("bad", forKey: "text")
        #expect(throws: ModelError.self) { try model.validate() }
        #expect(model.read("text", as: String?.self) == "bad")
    }

    @Test(.row("C073"))
    func anAcceptedValueIsNotReassigned() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let schema = ModelSchema(
            "Holder",
            [
                "node": .model(Node.self).validate { (_: inout Node?, _) in },
                "nodes": .array(of: .model(Node.self)).validate { (_: inout [Node]?, _) in },
                "color": .enumeration(Color.self, unknown: .keep).validate { (_: inout Color?, _) in },
                "absent": .string.validate { (_: inout String?, _) in },
                "null": .string.validate { (_: inout String?, _) in },
            ])
        try registry.register(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        let node = registry.node(1)
        model.write(node, "node")
        model.write([node], "nodes")
        try model.setValue("mauve", forKey: "color")
        try model.setValue(nil, forKey: "null")
        try model.validate()
        #expect(model.read("node", as: Node?.self) === node)
        #expect(model.read("nodes", as: [Node]?.self)?.first === node)
        #expect(model.read("color", as: String?.self) == "mauve")
        #expect(try model.state(of: "absent") == .unset)
        #expect(try model.state(of: "null") == .null)
    }

    @Test func aWeakModelIsCheckedAndReplaced() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let (first, second) = (registry.node(1), registry.node(2))
        let schema = ModelSchema(
            "Holder",
            [
                "kept": .model(Node.self).weak.validate { (node: inout Node?, _) in node?.label = 10 },
                "dropped": .model(Node.self).weak.validate { (node: inout Node?, _) in node = nil },
            ])
        try registry.register(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        model.write(first, "kept")
        model.write(second, "dropped")
        try model.validate()
        #expect(model.read("kept", as: Node?.self) === first)
        #expect(first.label == 10)
        #expect(try model.state(of: "dropped") == .null)
    }

    @Test(.row("C073")) func anAcceptedDefaultKeepsItsMark() throws {
        let model = try SchemaRegistry.plainModel(["text": .string.default("a").validate { (_: inout String?, _) in }])
        let slot = model.slot(at: 0)
        slot.slotState = slot.slotState.asDefaulted
        try model.validate()
        #expect(try model.state(of: "text") == .defaulted)
    }

    @Test func anAbsentRequiredPropertyIsMissingWhetherOrNotItHasAValidator() throws {
        let model = try SchemaRegistry.plainModel([
            "plain": .string.required, "checked": .string.required.validate { (_: inout String?, _) in },
        ])
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.problems.map(\.code) == [.missingProperty, .missingProperty])
    }

    @Test func aValidatorMaySupplyARequiredValue() throws {
        let model = try SchemaRegistry.plainModel([
            "text": .string.required.validate { (text: inout String?, _) in text = text ?? "made" }
        ])
        try model.validate()
        #expect(model.read("text", as: String.self) == "made")
    }

    @Test(.threat(.throwingUserCode), .row("C074"))
    func correctionsAreTakenBackWhenSomethingIsRefused() throws {
        let model = try SchemaRegistry.plainModel([
            "name": .string.validate { (name: inout String?, _) in name = name?.uppercased() ?? "MADE" },
            "list": .array(of: .integer).validate { (list: inout [Int]?, _) in list = list.map { $0 + [0] } },
            "last": .integer.validate { (last: inout Int?, _) in if last == 13 { throw FixtureError.nameMissing } },
        ])
        try model.setValue([1], forKey: "list")
        try model.setValue(13, forKey: "last")
        #expect(throws: ModelError.self) { try model.validate() }
        #expect(try model.state(of: "name") == .unset)
        #expect(model.read("list", as: [Int]?.self) == [1])
        try model.setValue(12, forKey: "last")
        try model.setValue("a", forKey: "name")
        try model.validate()
        #expect(model.read("name", as: String?.self) == "A")
        #expect(model.read("list", as: [Int]?.self) == [1, 0])
    }

    @Test func aCorrectionThatThePropertyCannotHoldIsAnError() throws {
        let model = try SchemaRegistry.plainModel([
            "small": .integer(as: Int8.self).validate { (value: inout Int?, _) in value = 1000 },
            "needed": .string.default("a").validate { (value: inout String?, _) in value = nil },
        ])
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.problems.map(\.code) == [.numberOutOfRange, .nullNotAllowed])
        #expect(error?.problems.map { $0.pointer?.description } == ["/small", "/needed"])
        #expect(model.read("needed", as: String.self) == "a")
    }

    @Test func theValueOfASecretPropertyIsNotReported() throws {
        struct Leak: Error, CustomStringConvertible { let description: String }
        let model = try SchemaRegistry.plainModel([
            "password": .string.secret.validate { (value: inout String?, _) in
                throw Leak(description: "\(value ?? "") is too short")
            }
        ])
        try model.setValue("hunter2", forKey: "password")
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }
}
