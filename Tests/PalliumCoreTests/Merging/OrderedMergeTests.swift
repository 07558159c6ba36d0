import Foundation
import PalliumCore
import PalliumJSON
import PalliumMerging
import TestSupport
import Testing

@Suite("Values that policies choose between")
struct OrderedMergeTests {
    /// A kind that has an order, a smaller and a larger value.
    struct Order: Sendable, CustomTestStringConvertible {
        let schema: PropertySchema
        let small: any PropertyValue & Hashable & Sendable
        let large: any PropertyValue & Hashable & Sendable
        var testDescription: String { schema.kind.name }

        static let all: [Order] = [
            Order(schema: .integer, small: -1, large: 1), Order(schema: .unsigned, small: UInt.min, large: UInt.max),
            Order(schema: .double, small: -0.5, large: 0.25),
            Order(schema: .decimal, small: Decimal(-1), large: Decimal(1) / 3),
            Order(schema: .date, small: Date(timeIntervalSince1970: -1), large: Date(timeIntervalSince1970: 1)),
            Order(schema: .string, small: "B", large: "a"), Order(schema: .string, small: "a", large: "ab"),
        ]
    }

    @Test(arguments: Order.all)
    func theLargerOrTheSmallerValueOfEachKindStays(_ order: Order) throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(
                "M",
                [
                    "most": order.schema.merge(.max), "least": order.schema.merge(.min), "stamp": order.schema,
                    "newest": .integer.merge(.newest(by: "stamp")),
                ]))
        let (small, large) = (AnyHashable(order.small), AnyHashable(order.large))
        func values(_ model: DynamicModel) -> [AnyHashable?] {
            ["most", "least", "stamp"].map { (model[$0] as? any Hashable).map { AnyHashable($0) } }
        }
        func make(_ value: any PropertyValue, _ number: Int) throws -> DynamicModel {
            try registry.make("M", ["most": value, "least": value, "stamp": value, "newest": number])
        }
        let model = try make(order.small, 1)
        try model.merge(from: make(order.large, 2))
        #expect(values(model) == [large, small, large])
        #expect(model["newest", as: Int.self] == 2)
        try model.merge(from: make(order.small, 3))
        #expect(values(model) == [large, small, large])
        #expect(model["newest", as: Int.self] == 2)
        let other = try make(order.large, 1)
        try other.merge(from: make(order.small, 2))
        #expect(values(other) == [large, small, large])
        #expect(other["newest", as: Int.self] == 1)
    }

    /// The policy, the own state, and whether an incoming value is taken that is not newer.
    @Test(
        arguments: [
            (.keep, .unset, true), (.keep, .defaulted, true), (.keep, .null, false), (.keep, .value, false),
            (.newest(by: "stamp"), .unset, true), (.newest(by: "stamp"), .defaulted, true),
            (.newest(by: "stamp"), .null, false), (.newest(by: "stamp"), .value, false),
        ] as [(MergePolicy, PropertyState, Bool)])
    func whatIsUnsetOrADefaultGivesWay(_ policy: MergePolicy, _ state: PropertyState, _ isTaken: Bool) throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("M", ["value": .integer.default(5).nullable.merge(policy), "stamp": .integer]))
        let model = try registry.make("M", ["stamp": 2])
        let slot = model.slot(at: 0)
        switch state {
        case .unset: try model.unset("value")
        case .null: try model.setValue(nil, forKey: "value")
        case .defaulted: slot.slotState = slot.slotState.asDefaulted
        case .value: try model.setValue(5, forKey: "value")
        }
        let before = model["value", as: Int.self]
        try model.merge(from: registry.make("M", ["value": 7, "stamp": 1]))
        #expect(model["value", as: Int.self] == (isTaken ? 7 : before))
        #expect(try model.state(of: "value") == (isTaken ? .value : state))
    }

    @Test func aDecidingValueOfAnotherKindDecidesNothing() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Base", [:]),
            ModelSchema("M", ["value": .integer.merge(.newest(by: "stamp")), "stamp": .string], extends: "Base"),
            ModelSchema("N", ["value": .integer, "stamp": .integer], extends: "Base"))
        let model = try registry.make("M", ["value": 1, "stamp": "a text that owns memory"])
        let other = try registry.make("N", ["value": 2, "stamp": 5])
        #expect(try model.merge("value", from: other).isEmpty)
        #expect(model["value", as: Int.self] == 1)
        try model.unset("stamp")
        try model.merge("value", from: other)
        #expect(model["value", as: Int.self] == 2)
        let error = #expect(throws: ModelError.self) { try model.merge(from: other) }
        #expect(error?.description == "expected a string but found a value of the type Int at /stamp")
    }

    @Test func oneKeyIsMergedFromAnotherSchemaIfItsValueFits() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Base", [:]),
            ModelSchema("M", ["value": .integer, "only": .string], extends: "Base"),
            ModelSchema("N", ["value": .string], extends: "Base"))
        let model = try registry.make("M", ["value": 1])
        let error = #expect(throws: ModelError.self) {
            try model.merge("value", from: registry.make("N", ["value": "a"]))
        }
        #expect(error?.description == "expected an integer but found a value of the type String at /value")
        #expect(error?.schema == "M")
        #expect(error?.property == "value")
        #expect(try model.merge("value", from: registry.make("N", [:])).isEmpty)
        #expect(try model.merge("value", from: model).isEmpty)
        let unknown = #expect(throws: ModelError.self) { try model.merge("only", from: registry.make("N", [:])) }
        #expect(unknown?.code == .unknownKey)
        #expect(model["value", as: Int.self] == 1)
    }

    @Test func whatAMergerSaysAboutItsRefusalIsReported() throws {
        let refusal = ModelError(.conflict, expected: "one side", found: "two")
        let registry = try SchemaRegistry.of(
            ModelSchema("M", ["a": .integer.merge(MergePolicy("refuse"))]),
            mergers: ["refuse": Merger(Int.self) { _ in throw refusal }])
        let model = try registry.make("M", ["a": 1])
        let error = #expect(throws: ModelError.self) { try model.merge(from: registry.make("M", ["a": 2])) }
        #expect(error?.code == .conflict)
        #expect(error?.description == "expected one side but found two at /a")
    }

    @Test func aLinkThatAPolicyKeepsIsDescribedByItsModel() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("M", ["link": .model("M").weak.merge(.keep)]))
        let model = try registry.make("M", [:])
        let changes: ModelChanges
        do {
            let target = try registry.make("M", [:])
            model["link"] = target
            changes = try model.merge(from: registry.make("M", ["link": nil]))
            #expect(model.model("link") === target)
            #expect(changes.isEmpty)
            #expect(changes.kept.map(\.description) == ["/link: M (weak) → null (kept)"])
        }
        #expect(changes.kept.map(\.description) == ["/link: gone → null (kept)"])
    }
}
