import PalliumJSON

// Tells whether a slot has changed, for readers and observers.
extension PropertySlot {
    /// Whether readers see something else than in a former state of the slot.
    ///
    /// An equal model is another one, since it goes its own ways.
    package func hasChanged(from former: PropertySlot) -> Bool {
        if holdsSameBytes(as: former) { return false }
        if slotState.propertyBits != former.slotState.propertyBits { return true }
        return hasValue && holdsOtherContent(than: former)
    }

    /// Whether the values of two slots differ, or are other models.
    package func holdsOtherContent(than former: PropertySlot) -> Bool {
        let description = description
        switch description.kind {
        case .model: return model !== former.model
        case .weakModel: return weakModel !== former.weakModel
        case .array, .set, .dictionary:
            return description.holdsModels ? !holdsSameModels(as: former) : !ModelComparison.equal(self, former)
        default: return !ModelComparison.equal(self, former)
        }
    }

    /// Whether two collections hold the same objects in the same order.
    ///
    /// Recursion is bounded by the schema, which bounds the nesting of collections.
    private func holdsSameModels(as former: PropertySlot) -> Bool {
        guard hasValue, former.hasValue else { return hasValue == former.hasValue }
        switch description.kind {
        case .model: return model === former.model
        case .array, .set:
            let (list, other) = (list, former.list)
            return list === other
                || list.count == other.count
                    && (0..<list.count).allSatisfy { list.slot(at: $0).holdsSameModels(as: other.slot(at: $0)) }
        case .dictionary:
            let (members, others) = (dictionary, former.dictionary)
            return members === others
                || members.count == others.count
                    && (0..<members.count).allSatisfy { index in
                        guard let other = others.index(of: members.keys[index]) else { return false }
                        return members.slot(at: index).holdsSameModels(as: others.slot(at: other))
                    }
        default: return ModelComparison.equal(self, former)
        }
    }
}
