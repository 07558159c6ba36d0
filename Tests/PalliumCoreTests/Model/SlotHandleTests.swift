import PalliumJSON
import TestSupport
import Testing

@testable import PalliumCore

/// Handles of slots say what the slots of a model say one by one, and refuse numbers outside them.
struct SlotHandleTests {
    private func model() throws -> DynamicModel {
        try SchemaRegistry.plainModel([
            "text": .string.nullable, "number": .integer.nullable, "flag": .bool.nullable, "url": .url.nullable,
            "list": .array(of: .string).nullable, "map": .dictionary(of: .integer).nullable,
            "decimal": .decimal.nullable,
        ])
    }

    private func change(_ model: DynamicModel, using random: inout SeededGenerator) throws {
        let number = random.below(model.slotIndices.count)
        let slot = model.slot(at: number)
        switch (random.below(4), slot.kind) {
        case (0, _): slot.clear()
        case (1, _): slot.setNull()
        case (_, .string): slot.replace(with: String(repeating: "é", count: random.below(12)))
        case (_, .integer): slot.replace(with: Int64(random.below(3)))
        case (_, .bool): slot.replace(with: UInt64(random.below(2)))
        case (_, .url): try slot.store(json: .string("https://example.com/\(random.below(3))"), transformers: nil)
        case (_, .array): try slot.store(json: ["a", "b"], transformers: nil)
        case (_, .dictionary): try slot.store(json: ["a": 1], transformers: nil)
        default: try slot.store(json: .number(JSONNumber(Int64(random.below(3)))), transformers: nil)
        }
    }

    @Test(.trials) func slotsOfAModelAreThoseOfItsNumbers() throws {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            let (model, other) = (try model(), try model())
            let (slots, others) = (model.modelSlots, other.modelSlots)
            #expect(slots.count == model.slotIndices.count && slots.layout == model.layoutIdentifier)
            #expect(model.layout.layoutIdentifier == model.layoutIdentifier)
            for _ in 0..<100 {
                try change(model, using: &random)
                try change(other, using: &random)
                var hashed: [Int] = []
                slots.forEachPermanentContent { number, content in
                    hashed.append(number)
                    #expect(content.kind == model.slot(at: number).kind)
                }
                #expect(hashed == Array(model.slotIndices.filter { model.slot(at: $0).hasValue }))
                for number in model.slotIndices {
                    let slot = model.slot(at: number)
                    #expect(slots.state(of: number) == slot.slotState && slots[number].slotState == slot.slotState)
                    #expect(slots.kind(of: number) == slot.kind && slots[number].hasDescription(of: slot))
                    #expect(model.number(of: slot) == number && model.isSlot(number, slots[number]))
                    let content = slots.content(of: number)
                    #expect((content != nil) == slot.hasValue && (slot.content != nil) == slot.hasValue)
                    guard let content else { continue }
                    #expect(content.kind == slot.kind && content.state == slot.slotState)
                    #expect(content.integer == (slot.kind == .integer ? slot.load(Int64.self) : nil))
                    switch content.kind {
                    case .array: #expect(content.list === slot.list && content.isIdentical(to: content))
                    case .dictionary: #expect(content.dictionary === slot.dictionary)
                    default: #expect(content.isEqual(to: content))
                    }
                    guard let second = others.content(of: number), content.kind != .array, content.kind != .dictionary
                    else { continue }
                    #expect(
                        content.isEqual(to: second) == (try slot.naturalJSON() == other.slot(at: number).naturalJSON()))
                }
            }
        }
    }

    @Test func whatSlotsDoNotHoldIsRefused() async throws {
        await #expect(processExitsWith: .failure) { _ = try SlotHandleTests().model().modelSlots[7] }
        await #expect(processExitsWith: .failure) { _ = try SlotHandleTests().model().modelSlots.state(of: -1) }
        await #expect(processExitsWith: .failure) { _ = try SlotHandleTests().model().modelSlots.content(of: 8) }
        await #expect(processExitsWith: .failure) {
            let model = try SlotHandleTests().model()
            for slot in model.slotIndices.map({ model.slot(at: $0) }) where slot.kind == .integer {
                slot.replace(with: 1 as Int64)
                _ = slot.content?.list
            }
        }
    }

    @Test func temporarySlotsAndListsAreLikeTheirModels() throws {
        let model = try model()
        defer { withExtendedLifetime(model) {} }
        for slot in model.slotIndices.map({ model.slot(at: $0) }) {
            #expect(TemporarySlot(like: slot).slot.hasDescription(of: slot))
            #expect(TemporarySlot(for: slot.description).slot.hasDescription(of: slot))
            #expect(PropertySlot.withTemporary(like: slot) { $0.hasDescription(of: slot) && $0.slotState.isUnset })
            #expect(PropertySlot.withTemporary(for: slot.description) { $0.hasDescription(of: slot) })
            guard slot.description.element != nil else { continue }
            let list: SlotList =
                slot.kind == .dictionary
                ? SlotDictionary(of: slot.description) : .make(of: slot.description, capacity: 2)
            #expect(list.elementDescription === slot.description.element)
            #expect(SlotList.make(like: list, capacity: 0).elementDescription === slot.description.element)
            #expect(SlotDictionary(like: list).elementDescription === slot.description.element)
            #expect(list.unownedElement == slot.description.unownedElement)
            slot.replace(with: list)
            #expect(!slot.hasUniqueList)
        }
    }

    @Test(.trials) func aFixedArrayIsAnArray() {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            var expected = (0..<random.below(20)).map { "\($0)" }
            let owner = FixedArrayOwner(expected)
            for step in 0..<100 where !expected.isEmpty {
                let index = random.below(expected.count)
                if random.once(in: 2) {
                    expected[index] = "step \(step)"
                    owner.elements[index] = "step \(step)"
                }
                #expect(owner.elements[index] == expected[index])
            }
            #expect(owner.elements.count == expected.count)
        }
    }

    @Test func aFixedArrayHasNothingBehindItsEnd() async {
        await #expect(processExitsWith: .failure) { _ = FixedArrayOwner([1, 2]).elements[2] }
        await #expect(processExitsWith: .failure) { FixedArrayOwner([1, 2]).elements[-1] = 3 }
    }

    @Test func aModelIsOfItsClassOnly() async throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node: DynamicModel = registry.node(1)
        #expect(node.known(as: Node.self) === node && node.known(as: DynamicModel.self) === node)
        await #expect(processExitsWith: .failure) {
            _ = try SlotHandleTests().model().known(as: Node.self)
        }
    }
}
