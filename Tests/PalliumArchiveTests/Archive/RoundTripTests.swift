import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What is archived comes back: values, states, and the shape of the graph.
@Suite struct RoundTripTests {
    let registry: SchemaRegistry

    init() throws { registry = try Everything.registry() }

    private func make() -> DynamicModel { DynamicModel(schema: Everything.schema, registry: registry) }

    @Test func valuesOfEveryKindComeBack() throws {
        for (key, value) in Everything.values {
            let model = make()
            try model.setValue(value, forKey: key)
            let back = try roundTrip(model, registry)
            #expect(picture(of: back) == picture(of: model), "\(key) = \(value)")
            #expect(back == model || key == "password", "\(key) = \(value)")
        }
    }

    @Test func everyKindHasAValue() {
        let keys = Set(Everything.values.map(\.key))
        let models = ["child", "children", "named", "friends", "size"]
        #expect(Everything.schema.properties.map(\.key).filter { !keys.contains($0) } == models)
    }

    @Test(.row("C313")) func allValuesTogetherComeBack() throws {
        let model = make()
        for (key, value) in Everything.values { try model.setValue(value, forKey: key) }
        let back = try roundTrip(model, registry)
        #expect(back == model)
        #expect(back !== model)
        #expect(picture(of: back) == picture(of: model))
    }

    @Test(.row("C324")) func statesComeBack() throws {
        let adapter = try JSONAdapter(schema: Everything.schema, registry: registry)
        let model = try adapter.model(from: #"{"string": null, "bool": true}"#)
        #expect(
            try ["string", "bool", "integer", "size"].map { try model.state(of: $0) } == [
                .null, .value, .unset, .defaulted,
            ])
        let back = try roundTrip(model, registry)
        #expect(picture(of: back) == picture(of: model))
        #expect(
            try ["string", "bool", "integer", "size"].map { try back.state(of: $0) } == [
                .null, .value, .unset, .defaulted,
            ])
    }

    @Test func preservedMembersComeBack() throws {
        let adapter = try JSONAdapter(
            schema: Everything.schema, registry: registry, options: .with { $0.unknownMembers = .keep })
        let text = #"{"string":"a","child":{"more":{"x":[1,2.50,null]}},"other":12345678901234567890123}"#
        let model = try adapter.model(from: text)
        let back = try roundTrip(model, registry)
        #expect(picture(of: back) == picture(of: model))
        #expect(try adapter.data(from: back) == adapter.data(from: model))
    }

    @Test func collectionsOfModelsComeBack() throws {
        let model = make()
        let parts = try (0..<4).map { number in
            let part = make()
            try part.setValue(number, forKey: "integer")
            return part
        }
        try model.setValue(parts[0], forKey: "child")
        try model.setValue([parts[1], parts[2]], forKey: "children")
        try model.setValue(["a": parts[3], "b": nil] as [String: DynamicModel?], forKey: "named")
        try model.setValue([parts[0], parts[1]], forKey: "friends")
        let back = try roundTrip(model, registry)
        #expect(back == model)
        #expect(picture(of: back) == picture(of: model))
        let friends = try #require(try back.value(forKey: "friends") as? [DynamicModel])
        #expect(friends[0] === back["child", as: DynamicModel.self])
        #expect(friends[1] === (try back.value(forKeyPath: "children[0]") as? DynamicModel))
    }

    @Test(.threat(.cycles), .row("C334")) func sharedModelsAreSharedAgainAndCyclesClose() throws {
        let model = make()
        let shared = make()
        try shared.setValue(model, forKey: "child")
        try model.setValue(shared, forKey: "child")
        try model.setValue([shared, shared, model], forKey: "children")
        defer { model.unsetAll() }
        let back = try roundTrip(model, registry)
        defer { back.unsetAll() }
        let child = try #require(back["child", as: DynamicModel.self])
        let children = try #require(try back.value(forKey: "children") as? [DynamicModel])
        #expect(child["child", as: DynamicModel.self] === back)
        #expect(children[0] === child && children[1] === child && children[2] === back)
        #expect(back == model)
    }

    @Test func aListThatIsSharedByCopiesHoldsTheSameModels() throws {
        // The elements have one reference each, from the list, but the list has two.
        let model = make()
        try model.setValue([make(), make()], forKey: "children")
        let copy = model.copy()
        let bytes = try ModelArchiver().archive([model, copy])
        let back = try ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
        let lists = try back.map { try #require(try $0.value(forKey: "children") as? [DynamicModel]) }
        #expect(lists[0].count == 2)
        #expect(lists[0][0] === lists[1][0] && lists[0][1] === lists[1][1])
    }

    @Test func oneModelAsSeveralRootsIsOneModel() throws {
        let (model, other) = (make(), make())
        try other.setValue(model, forKey: "child")
        let bytes = try ModelArchiver().archive([model, other, model])
        let back = try ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
        #expect(back[0] === back[2])
        #expect(back[1]["child", as: DynamicModel.self] === back[0])
        let none = try ModelUnarchiver(registry: registry).unarchive(
            arrayOf: Everything.schema, from: ModelArchiver().archive([]))
        #expect(none.isEmpty)
    }

    @Test(arguments: 0..<20) func generatedGraphsComeBackAndAreArchivedAlikeAgain(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let models = (0..<12).map { _ in make() }
        defer { for model in models { model.unsetAll() } }
        for model in models {
            for (key, value) in Everything.values where random.next() % 8 == 0 {
                try model.setValue(value, forKey: key)
            }
            func any() -> DynamicModel { models[Int(random.next() % UInt64(models.count))] }
            if random.next() % 2 == 0 { try model.setValue(any(), forKey: "child") }
            if random.next() % 2 == 0 { try model.setValue([any(), any()], forKey: "children") }
            if random.next() % 2 == 0 {
                try model.setValue(["a": any(), "b": nil] as [String: DynamicModel?], forKey: "named")
            }
        }
        let bytes = try ModelArchiver().archive(models)
        let back = try ModelUnarchiver(registry: registry).unarchive(arrayOf: Everything.schema, from: bytes)
        defer { for model in back { model.unsetAll() } }
        #expect(back == models)
        // Numbers are given in the order of meeting, so equal bytes are equal states and an equal shape of the graph.
        #expect(try ModelArchiver().archive(back) == bytes)
    }

    @Test(.threat(.deepGraphs)) func chainsOfAnyLengthNeedNoStack() throws {
        let registry = self.registry
        let failures = Journal()
        onStack(kilobytes: 512) {
            do {
                var model = DynamicModel(schema: Everything.schema, registry: registry)
                for _ in 0..<100_000 {
                    let next = DynamicModel(schema: Everything.schema, registry: registry)
                    try next.setValue(model, forKey: "child")
                    model = next
                }
                var back = try roundTrip(model, registry)
                var length = 0
                while let next = back["child", as: DynamicModel.self] {
                    back = next
                    length += 1
                }
                if length != 100_000 { failures.add("\(length) models came back") }
            } catch { failures.add("\(error)") }
        }
        #expect(failures.all.isEmpty)
    }
}

extension DynamicModel {
    /// Breaks cycles.
    func unsetAll() {
        for property in schema.properties { try? unset(property.key) }
    }
}
