import Foundation
import PalliumCore
import PalliumJSON
import PalliumMerging
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
        (
            PropertySchema.bool.merge(.max),
            "the merge policy max needs values with an order, such as numbers, dates and text"
        ),
        (.string.merge(.union), "the merge policy union needs an array, a set or a dictionary"),
        (.set(of: .string).merge(.append), "the merge policy append needs an array"),
        (.string.merge(.recurse), "the merge policy recurse needs a model or a dictionary of models"),
        (.model("Other").weak.merge(.recurse), "the merge policy recurse needs a model or a dictionary of models"),
        (
            .array(of: .model("Other")).merge(.recurse),
            "the merge policy recurse needs a model or a dictionary of models"
        ),
        (.dictionary(of: .string).merge(.recurse), "the merge policy recurse needs a model or a dictionary of models"),
        (
            .dictionary(of: .array(of: .model("Other"))).merge(.recurse(missing: .keep)),
            "the merge policy recurse needs a model or a dictionary of models"
        ),
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
            "the merge policy newest needs values with an order to go by, such as numbers, dates and text, "
                + "and flag has none"
        ),
        (.string.merge(MergePolicy("newest")), "the merge policy newest goes by nothing, which is no key"),
        (.string.merge(.byIdentifier("id")), "the merge policy byIdentifier needs an array or set of models"),
        (.string.merge(MergePolicy("sum")), "names the merger \"sum\", which is not registered"),
        (.string.merge(MergePolicy("keep", by: "stamp")), "the merge policy keep does not go by another property"),
        (
            .string.merge(MergePolicy("keep", missing: .keep)),
            "missing elements are known only to byIdentifier and to recurse of dictionaries"
        ),
        (
            .model("Other").merge(.recurse(missing: .remove)),
            "missing elements are known only to byIdentifier and to recurse of dictionaries"
        ),
        (
            .dictionary(of: .model("Other")).merge(MergePolicy("recurse", identifiers: .optional)),
            "identifiers are known to the merge policy byIdentifier only"
        ),
    ])
    func mistakesAreFoundAtRegistration(_ property: PropertySchema, _ message: String) {
        #expect(problems(property) == [message])
    }

    @Test func theNearestPolicyOrMergerIsSuggested() throws {
        let mergers = MergerRegistry()
        for name in ["summed", "average"] { try mergers.register(Merger(Int.self) { $0.target }, as: name) }
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
        .array(of: .model("Other")).merge(.byIdentifier("id", identifiers: .required)),
        .dictionary(of: .model("Other")).merge(.recurse),
        .dictionary(of: .model("Other").nullable).merge(.recurse(missing: .remove)),
    ])
    func whatFitsIsAccepted(_ property: PropertySchema) { #expect(problems(property) == []) }

    @Test func aMergerMustFitItsProperty() throws {
        let mergers = MergerRegistry()
        try mergers.register(Merger(Int.self) { $0.target }, as: "own")
        #expect(problems(.integer.merge(MergePolicy("own")), mergers: mergers) == [])
        #expect(
            problems(.string.merge(MergePolicy("own")), mergers: mergers)
                == ["the merger of Int cannot merge a string"])
    }

    @Test func aMergerNameMeansOneThing() throws {
        let mergers = MergerRegistry()
        let merger = Merger(Int.self) { $0.target }
        try mergers.register(merger, as: "own")
        try mergers.register(merger, as: "own")
        #expect(throws: ModelError.self) { try mergers.register(Merger(Int.self) { $0.target }, as: "own") }
        #expect(throws: ModelError.self) { try mergers.register(merger, as: "union") }
        #expect(mergers.names == ["own"])
    }

    @Test(.threat(.throwingUserCode)) func aMergerThatThrowsLeavesTheModelAlone() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("M", ["a": .integer, "b": .integer.merge(MergePolicy("refuse"))]),
            mergers: ["refuse": Merger(Int.self) { _ in throw FixtureError.refused }])
        let model = try registry.make("M", ["a": 1, "b": 1])
        let error = #expect(throws: ModelError.self) {
            try model.merge(from: registry.make("M", ["a": 2, "b": 2]))
        }
        #expect(error?.code == .hookFailed)
        #expect(error?.pointer?.description == "/b")
        #expect(error?.underlying as? FixtureError == .refused)
        #expect(model["a", as: Int.self] == 1)
    }

    @Test(.threat(.throwingUserCode, .aliasedMerges)) func aRuleThatRefusesTakesNestedChangesBackToo() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("Inner", ["a": .integer]),
            ModelSchema("Outer", ["inner": .model("Inner").merge(.recurse), "b": .integer]).validate { model in
                model["b"] = 99
                throw FixtureError.refused
            })
        let inner = try registry.make("Inner", ["a": 1])
        let outer = try registry.make("Outer", ["inner": inner, "b": 1])
        let before = outer.deepCopy()
        #expect(throws: ModelError.self) {
            try outer.merge(from: registry.make("Outer", ["inner": registry.make("Inner", ["a": 2]), "b": 2]))
        }
        #expect(outer == before)
        #expect(outer.model("inner") === inner)
    }

    @Test func whatARuleChangesIsToldAsCorrected() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema("M", ["a": .integer, "double": .integer]).validate { model in
                model["double"] = (model["a", as: Int.self] ?? 0) * 2
            })
        let model = try registry.make("M", ["a": 1, "double": 2])
        let changes = try model.merge(from: registry.make("M", ["a": 3]))
        #expect(changes.map(\.decision) == [.taken, .corrected])
        #expect(changes.last?.new as? Int == 6)
    }
}
