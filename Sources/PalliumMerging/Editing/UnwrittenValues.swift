import PalliumCore

extension DynamicModel {
    /// Whether the model, or one in it, has a property that is read and never written.
    ///
    /// Recursion is as deep as the document of the model, which was written before.
    var hasUnwrittenProperties: Bool {
        layout.properties.indices.contains { index in
            if layout.properties[index].schema.access == .readOnly { return true }
            var isFound = false
            heldModels(at: index).forEach { isFound = isFound || $0.hasUnwrittenProperties }
            return isFound
        }
    }

    /// Returns the first property that is read and never written and has another value than in another model; nil if there
    /// is none, or the models have different schemas.
    func unwrittenDifference(from other: DynamicModel) -> ValueDescriptor? {
        guard layout === other.layout else { return nil }
        for (index, property) in layout.properties.enumerated() {
            let (slot, otherSlot) = (slot(at: index), other.slot(at: index))
            let (models, others) = (heldModels(at: index), other.heldModels(at: index))
            if models.isEmpty, others.isEmpty, property.schema.access == .readOnly {
                let isEqual =
                    slot.hasValue == otherSlot.hasValue
                    && (!slot.hasValue
                        || property.descriptor.traits.write(slot) == property.descriptor.traits.write(otherSlot))
                if !isEqual { return property.descriptor }
            }
            for (model, other) in zip(models, others) {
                if let found = model.unwrittenDifference(from: other) { return found }
            }
        }
        return nil
    }

    private func heldModels(at index: Int) -> [DynamicModel] {
        var models: [DynamicModel] = []
        if layout.properties[index].descriptor.holdsModels, !layout.properties[index].schema.isWeak {
            slot(at: index).forEachModel { models.append($0) }
        }
        return models
    }
}
