import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Merge policies in schemas")
struct MergePolicyTests {
    private func problems(_ property: PropertySchema, mergers: MergerRegistry = MergerRegistry()) -> [String] {
        let registry = SchemaRegistry(mergers: mergers)
        do {
            try registry.register(
                ModelSchema("Other", ["id": .integer, "name": .string]),
                ModelSchema("Plain", ["value": property, "stamp": .date, "flag": .bool]))
            return []
        } catch { return error.problems.map(\.message) }
    }

    @Test(arguments: [
        (PropertySchema.bool.merge(.max), "the merge policy max needs a number, a date or text"),
        (.string.merge(.union), "the merge policy union needs an array, a set or a dictionary"),
        (.set(of: .string).merge(.append), "the merge policy append needs an array"),
        (.string.merge(.recurse), "the merge policy recurse needs a model"),
        (.model("Other").weak.merge(.recurse), "the merge policy recurse needs a model"),
        (
            .array(of: .string).merge(.byIdentifier("id")),
            "the merge policy byIdentifier needs an array or set of models"
        ),
        (
            .array(of: .model("Other")).merge(.byIdentifier()),
            "the merge policy byIdentifier names no key, and Other has no identity"
        ),
        (
            .array(of: .model("Other")).merge(.byIdentifier("key")),
            "the merge policy byIdentifier goes by key, which is no key of Other"
        ),
        (.string.merge(.newest(by: "time")), "the merge policy newest goes by time, which is no key"),
        (
            .string.merge(.newest(by: "flag")),
            "the merge policy newest needs a number, a date or text to go by, and flag is none"
        ),
        (.string.merge(MergePolicy("newest")), "the merge policy newest goes by nothing, which is no key"),
        (.string.merge(.byIdentifier("id")), "the merge policy byIdentifier needs an array or set of models"),
        (.string.merge(MergePolicy("sum")), "names the merger \"sum\", which is not registered"),
        (.string.merge(MergePolicy("keep", by: "stamp")), "the merge policy keep does not go by another property"),
        (
            .string.merge(MergePolicy("keep", missing: .keep)),
            "missing elements are known to the merge policy byIdentifier only"
        ),
    ])
    func mistakesAreFoundAtRegistration(_ property: PropertySchema, _ message: String) {
        #expect(problems(property) == [message])
    }

    @Test func theNearestPolicyOrMergerIsSuggested() throws {
        let mergers = MergerRegistry()
        for name in ["summed", "average"] { try mergers.register(Merger(Int.self) { $0.own }, as: name) }
        #expect(mergers.names == ["average", "summed"])
        let registry = SchemaRegistry(mergers: mergers)
        let error = #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema("S", ["a": .integer.merge(MergePolicy("sumed")), "b": .integer.merge(MergePolicy("kep"))]))
        }
        #expect(error?.problems.map(\.fix) == ["did you mean summed?", "did you mean keep?"])
    }

    @Test func anUnknownModelIsToldOnce() throws {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                ModelSchema("S", ["a": .array(of: .model("Nowhere")).merge(.byIdentifier("id"))]))
        }
        #expect(error?.problems.map(\.message) == ["names the model Nowhere, which is not registered"])
    }

    @Test(arguments: [
        PropertySchema.string.merge(.newest(by: "stamp")), .decimal.merge(.max), .string.merge(.min),
        .dictionary(of: .integer).merge(.union), .model("Other").merge(.recurse),
        .set(of: .model("Other")).merge(.byIdentifier("id", missing: .remove)),
    ])
    func whatFitsIsAccepted(_ property: PropertySchema) { #expect(problems(property) == []) }

    @Test func aMergerMustFitItsProperty() throws {
        let mergers = MergerRegistry()
        try mergers.register(Merger(Int.self) { $0.own }, as: "own")
        #expect(problems(.integer.merge(MergePolicy("own")), mergers: mergers) == [])
        #expect(
            problems(.string.merge(MergePolicy("own")), mergers: mergers)
                == ["the merger of Int cannot merge a string"])
    }

    @Test func aMergerNameMeansOneThing() throws {
        let mergers = MergerRegistry()
        let merger = Merger(Int.self) { $0.own }
        try mergers.register(merger, as: "own")
        try mergers.register(merger, as: "own")
        #expect(throws: ModelError.self) { try mergers.register(Merger(Int.self) { $0.own }, as: "own") }
        #expect(throws: ModelError.self) { try mergers.register(merger, as: "union") }
        #expect(mergers.names == ["own"])
    }

    @Test(.threat(.throwingUserCode)) func aMergerThatThrowsLeavesTheModelAlone() throws {
        struct Refusal: Error {}
        let mergers = MergerRegistry()
        try mergers.register(Merger(Int.self) { _ in throw Refusal() }, as: "refuse")
        let registry = SchemaRegistry(mergers: mergers)
        try registry.register(ModelSchema("M", ["a": .integer, "b": .integer.merge(MergePolicy("refuse"))]))
        let model = try registry.make("M", ["a": 1, "b": 1])
        let error = #expect(throws: ModelError.self) {
            try model.merge(from: registry.make("M", ["a": 2, "b": 2]))
        }
        #expect(error?.code == .hookFailed)
        #expect(error?.pointer?.description == "/b")
        #expect(error?.underlying is Refusal)
        #expect(model["a", as: Int.self] == 1)
    }

    @Test(.threat(.throwingUserCode, .aliasedMerges)) func aRuleThatRefusesTakesNestedChangesBackToo() throws {
        struct Refusal: Error {}
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Inner", ["a": .integer]),
            ModelSchema("Outer", ["inner": .model("Inner").merge(.recurse), "b": .integer]).validate { model in
                model["b"] = 99
                throw Refusal()
            })
        let inner = try registry.make("Inner", ["a": 1])
        let outer = try registry.make("Outer", ["inner": inner, "b": 1])
        let before = outer.deepCopy()
        #expect(throws: ModelError.self) {
            try outer.merge(from: registry.make("Outer", ["inner": registry.make("Inner", ["a": 2]), "b": 2]))
        }
        #expect(outer == before)
        #expect(outer["inner", as: DynamicModel.self] === inner)
    }

    @Test func whatARuleChangesIsToldAsCorrected() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("M", ["a": .integer, "double": .integer]).validate { model in
                model["double"] = (model["a", as: Int.self] ?? 0) * 2
            })
        let model = try registry.make("M", ["a": 1, "double": 2])
        let changes = try model.merge(from: registry.make("M", ["a": 3]))
        #expect(changes.map(\.decision) == [.taken, .corrected])
        #expect(changes.last?.new as? Int == 6)
    }
}

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
        let registry = SchemaRegistry()
        try registry.register(
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

    @Test func aDecidingValueOfAnotherKindDecidesNothing() throws {
        let registry = SchemaRegistry()
        // Decoding marks defaults: they are not given, and so not merged themselves.
        try registry.register(
            ModelSchema("M", ["value": .integer.merge(.newest(by: "stamp")), "stamp": .string]),
            ModelSchema("N", ["value": .integer, "stamp": .integer]))
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
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("M", ["value": .integer, "only": .string]), ModelSchema("N", ["value": .string]))
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
        let mergers = MergerRegistry()
        let refusal = ModelError(.conflict, expected: "one side", found: "two")
        try mergers.register(Merger(Int.self) { _ in throw refusal }, as: "refuse")
        let registry = SchemaRegistry(mergers: mergers)
        try registry.register(ModelSchema("M", ["a": .integer.merge(MergePolicy("refuse"))]))
        let model = try registry.make("M", ["a": 1])
        let error = #expect(throws: ModelError.self) { try model.merge(from: registry.make("M", ["a": 2])) }
        #expect(error?.code == .conflict)
        #expect(error?.description == "expected one side but found two at /a")
    }

    @Test func aLinkThatAPolicyKeepsIsDescribedByItsModel() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("M", ["link": .model("M").weak.merge(.keep)]))
        let model = try registry.make("M", [:])
        let changes: ModelChanges
        do {
            let target = try registry.make("M", [:])
            model["link"] = target
            changes = try model.merge(from: registry.make("M", ["link": nil]))
            #expect(model["link", as: DynamicModel.self] === target)
            #expect(changes.isEmpty)
            #expect(changes.kept.map(\.description) == ["/link: M (weak) → null (kept)"])
        }
        #expect(changes.kept.map(\.description) == ["/link: gone → null (kept)"])
    }
}

@Suite("Models that cannot be merged into one another")
struct ReplacingMergeTests {
    private let registry = SchemaRegistry()

    init() throws {
        try registry.register(
            ModelSchema(
                "Animal", ["name": .string, "number": .integer, "legs": .integer], identity: ["name", "number"]),
            ModelSchema("Dog", ["tag": .integer], extends: "Animal"),
            ModelSchema("Cat", [:], extends: "Animal", identity: ["number"]),
            ModelSchema("Owner", ["pet": .model("Animal").merge(.recurse)]))
    }

    @Test func aMoreSpecialModelReplacesAPlainOneAndNotTheOtherWayRound() throws {
        let plain = try registry.make("Animal", ["legs": 3])
        let dog = try registry.make("Dog", ["legs": 4])
        let owner = try registry.make("Owner", ["pet": plain])
        try owner.merge(from: registry.make("Owner", ["pet": dog]))
        #expect(owner["pet", as: DynamicModel.self] === dog)
        try owner.merge(from: registry.make("Owner", ["pet": plain]))
        #expect(owner["pet", as: DynamicModel.self] === dog)
        #expect(dog["legs", as: Int.self] == 3)
    }

    @Test func whatIsIdentifiedOtherwiseIsAnother() throws {
        let cat = try registry.make("Cat", ["name": "Tom", "number": 1])
        let owner = try registry.make("Owner", ["pet": cat])
        let came = try registry.make("Animal", ["name": "Tom", "number": 1, "legs": 4])
        try owner.merge(from: registry.make("Owner", ["pet": came]))
        #expect(owner["pet", as: DynamicModel.self] === came)
        #expect(try cat.state(of: "legs") == .unset)
    }

    @Test func aListCanIdentify() throws {
        try registry.register(
            ModelSchema("Key", ["parts": .array(of: .string), "n": .integer], identity: ["parts"]),
            ModelSchema("Keys", ["keys": .array(of: .model("Key")).merge(.byIdentifier())]))
        let (first, second) = (
            try registry.make("Key", ["parts": ["a", "b"]]), try registry.make("Key", ["parts": ["b"]])
        )
        let keys = try registry.make("Keys", ["keys": [first, second]])
        try keys.merge(
            from: registry.make(
                "Keys",
                [
                    "keys": [
                        registry.make("Key", ["parts": ["a", "c"], "n": 2]),
                        registry.make("Key", ["parts": ["a", "b"], "n": 1]),
                    ]
                ]))
        #expect(keys["keys", as: [DynamicModel].self]?.count == 3)
        #expect(first["n", as: Int.self] == 1 && second["n"] == nil)
    }

    @Test func elementsThatAreNullOrNamelessStayUnmatched() throws {
        try registry.register(
            ModelSchema("Zoo", ["animals": .array(of: .model("Animal").nullable).merge(.byIdentifier("number"))]))
        let (first, nameless) = (try registry.make("Animal", ["number": 1]), try registry.make("Animal", ["name": "x"]))
        let zoo = try registry.make("Zoo", ["animals": [nil, first, nameless] as [DynamicModel?]])
        let came = try registry.make(
            "Zoo", ["animals": [registry.make("Animal", ["number": 1, "legs": 4])] as [DynamicModel?]])
        try zoo.merge(from: came)
        let after = zoo["animals", as: [DynamicModel?].self] ?? []
        #expect(after.count == 3)
        #expect(after.contains { $0 === first } && after.contains { $0 === nameless } && after.contains { $0 == nil })
        #expect(first["legs", as: Int.self] == 4)
    }
}
