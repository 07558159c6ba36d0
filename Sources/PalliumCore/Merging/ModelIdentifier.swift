/// What tells one model from others of its schema: the values of some of its properties.
///
/// Descendants of a schema have its properties in the same slots, so models of both can be told apart by one list.
package struct ModelIdentifier: Hashable {
    package let model: DynamicModel
    private let slots: [Int]

    /// Nil when one of the properties has no value.
    package init?(_ model: DynamicModel, slots: [Int]) {
        for slot in slots where !model.slot(at: slot).hasValue { return nil }
        self.model = model
        self.slots = slots
    }

    package static func == (left: ModelIdentifier, right: ModelIdentifier) -> Bool {
        left.slots.allSatisfy { areEqual(left.model.slot(at: $0), right.model.slot(at: $0)) }
    }

    package func hash(into hasher: inout Hasher) {
        for index in slots {
            let slot = model.slot(at: index)
            let kind = slot.description.kind
            if kind.mayHoldModels || kind == .weakModel {
                ModelHashing.hash(slot, into: &hasher)
            } else {
                SlotOperations.hashScalar(slot.pointer, slot.slotState, kind: kind, into: &hasher)
            }
        }
    }

    private static func areEqual(_ left: PropertySlot, _ right: PropertySlot) -> Bool {
        let kind = left.description.kind
        if kind.mayHoldModels || kind == .weakModel { return ModelComparison.equal(left, right) }
        return SlotOperations.equalScalars(left.pointer, left.slotState, right.pointer, right.slotState, kind: kind)
    }

    /// The values as they stand in a message.
    package var description: String {
        slots.map { ModelDescription.line(model.slot(at: $0)) }.joined(separator: ", ")
    }
}

extension DynamicModel {
    /// The values of the schema's identity; nil when it has none, or one of them is missing.
    package final var modelIdentifier: ModelIdentifier? {
        let slots = layout.identitySlots
        return slots.isEmpty ? nil : ModelIdentifier(self, slots: slots)
    }
}
