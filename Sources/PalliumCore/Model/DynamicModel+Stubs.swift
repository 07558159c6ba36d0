// A stub is a model that has nothing but its identity: a reference to the model that has it all.
extension DynamicModel {
    /// Whether a reference has nothing but its identity. A model that was made in code has its defaults as values.
    package final var isStub: Bool {
        hasNothing { layout.defaultedSlots.contains($0) && ModelComparison.equal(slot(at: $0), layout.defaultSlot($0)) }
    }

    /// Whether the model lacks required properties, and no rule for whole models holds for it, because it is a stub of a schema
    /// that allows that.
    package final var isAllowedStub: Bool { layout.allowsStubs && isStub }

    /// Whether no property but those of the identity was given a value.
    package final var hasNothingBesidesIdentity: Bool { hasNothing { _ in false } }

    private final func hasNothing(except isIgnored: (Int) -> Bool) -> Bool {
        let layout = layout
        if layout.identitySlots.isEmpty || unknownMembers?.isEmpty == false { return false }
        return layout.properties.indices.allSatisfy { index in
            let slot = slot(at: index)
            return slot.slotState.isUnset || slot.slotState.isDefaulted || layout.identitySlots.contains(index)
                || slot.description.kind == .weakModel || isIgnored(index)
        }
    }
}
