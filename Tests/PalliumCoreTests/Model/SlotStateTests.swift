import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Unset, null, value, defaulted")
struct SlotStateTests {
    private func model() throws -> DynamicModel {
        try SchemaRegistry.plainModel([
            "title": .string, "preset": .integer.default(3), "nullablePreset": .integer.default(4).nullable,
            "needed": .bool.required, "names": .array(of: .string).default(["a"]),
        ])
    }

    @Test(.row("C028"))
    func aNewModelHoldsDefaultsAsPlainValuesAndNothingElse() throws {
        let model = try model()
        let states = try ["title", "preset", "nullablePreset", "needed", "names"].map { try model.state(of: $0) }
        #expect(states == [.unset, .value, .value, .unset, .value])
        #expect(model.read("preset", as: Int.self) == 3)
        #expect(model.read("names", as: [String].self) == ["a"])
    }

    @Test func aStateTellsWhatItIsAndNothingElse() {
        func told(_ state: SlotState) -> [Bool] {
            [state.isUnset, state.isNull, state.hasValue, state.isDefaulted, state.isBoxed, state.isEnumeration]
        }
        let states: [(SlotState, [Int])] = [
            (.unset, [0]), (.mentioned, [0]), (.null, [1]), (.value, [2]), (.value.asDefaulted, [2, 3]),
            (.null.asDefaulted, [1, 3]), (.boxedValue, [2, 4]), (.enumerationCase, [2, 5]), (.unknownCase, [2, 4, 5]),
        ]
        for (state, expected) in states {
            #expect(told(state) == (0..<6).map(expected.contains), "\(state)")
            #expect(told(state.withoutMark) == (0..<6).map { $0 != 3 && expected.contains($0) }, "\(state)")
        }
    }

    @Test func settingValueNullAndUnsettingPassThroughAllStates() throws {
        let model = try model()
        try model.setValue("a", forKey: "title")
        #expect(try model.state(of: "title") == .value)
        try model.setValue(nil, forKey: "title")
        #expect(try model.state(of: "title") == .null)
        try model.unset("title")
        #expect(try model.state(of: "title") == .unset)
        #expect(try model.value(forKey: "title") == nil)
        model["title"] = "b"
        model["title"] = nil
        #expect(try model.state(of: "title") == .null)
    }

    @Test(.row("C029"))
    func explicitNullWinsOverANullableDefault() throws {
        let model = URLModel(registry: try .ofFixtures())
        #expect(model.url == URL(string: "http://github.com"))
        model.url = nil
        #expect(model.url == nil)
        #expect(try model.state(of: "URL") == .null)
    }

    @Test func theDefaultedMarkIsShownAndClearedByAnySet() throws {
        for write in [{ $0.set(9, "preset") }, { $0["preset"] = 9 }, { try $0.setValue(3, forKey: "preset") }]
            as [(DynamicModel) throws -> Void]
        {
            let model = try model()
            let slot = model.slot(at: 1)
            slot.slotState = slot.slotState.asDefaulted
            #expect(try model.state(of: "preset") == .defaulted)
            #expect(model.read("preset", as: Int.self) == 3)
            try write(model)
            #expect(try model.state(of: "preset") == .value)
        }
    }

    @Test func theDefaultedMarkSurvivesReadingAndCopying() throws {
        let model = URLSubModel(registry: try .ofFixtures())
        for index in 0..<2 {
            let slot = model.slot(at: index)
            slot.slotState = slot.slotState.asDefaulted
        }
        #expect(model.url?.host() == "github.com")
        #expect(model.otherURL?.path() == "/Mantle/Mantle")
        #expect(try model.state(of: "URL") == .defaulted)
        #expect(try model.copy().state(of: "URL") == .defaulted)
        #expect(try model.deepCopy().state(of: "otherURL") == .defaulted)
    }

    @Test func equalityDoesNotSeeTheDefaultedMark() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let (left, right) = (TestModel(registry: registry), TestModel(registry: registry))
        let slot = left.slot(at: 1)
        slot.slotState = slot.slotState.asDefaulted
        #expect(left == right)
        #expect(hash(left) == hash(right))
    }

    @Test func unsettingAPropertyWithADefaultLeavesItEmpty() throws {
        let model = try model()
        try model.unset("preset")
        #expect(try model.state(of: "preset") == .unset)
        #expect(model.read("preset", as: Int?.self) == nil)
    }

    @Test(.row("C006", "C014"), arguments: ["notIvarBacked", "", "Title", "title "])
    func unknownKeysAreErrorsEverywhere(_ key: String) throws {
        let model = try model()
        #expect(throws: ModelError.self) { try model.state(of: key) }
        #expect(throws: ModelError.self) { try model.unset(key) }
        #expect(throws: ModelError.self) { try model.value(forKey: key) }
        #expect(throws: ModelError.self) { try model.setValue("a", forKey: key) }
    }

    @Test func replacingAValueReleasesTheOldOne() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = registry.node(1, next: registry.node(2))
        weak let old = model.next
        #expect(old != nil)
        model.next = registry.node(3)
        #expect(old == nil)
        weak var element = model.children?.first
        model.children = [registry.node(4)]
        element = model.children?.first
        #expect(element != nil)
        model.children = []
        #expect(element == nil)
        weak let unset = model.next
        try model.unset("next")
        #expect(unset == nil)
    }

    @Test(.threat(.retainCycles)) func aWeakModelIsNotKeptAlive() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let model = TestModel(registry: registry)
        var empty: EmptyModel? = EmptyModel(registry: registry)
        model.weakModel = empty
        #expect(model.weakModel === empty)
        #expect(try model.value(forKey: "weakModel") as? EmptyModel === empty)
        empty = nil
        #expect(model.weakModel == nil)
        #expect(try model.value(forKey: "weakModel") == nil)
        #expect(try model.state(of: "weakModel") == .null)
    }
}
