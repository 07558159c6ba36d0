extension DynamicModel {
    /// Replaces references of the model, and of those without an identity in it, by references to other models.
    ///
    /// - Parameter other: Returns the other model; nil for a reference that stays.
    /// - Throws: ``ModelError`` for a model that a property cannot hold.
    package func replaceReferences(_ other: (DynamicModel) -> DynamicModel?) throws(ModelError) {
        for (holder, slot) in references {
            guard let content = try slot.replacingModels(other) else { continue }
            WriteTransaction.current?.add(holder)
            holder.change(slot) { slot.takeContent(of: content.slot) }
        }
    }
}

// Safety: lists are made for the elements that they get, and slots are taken for what their kinds say.
extension PropertySlot {
    /// Returns a copy of the content with other models; nil if all stay.
    ///
    /// Recursion is as deep as the nesting of kinds.
    package func replacingModels(
        _ other: (DynamicModel) -> DynamicModel?
    ) throws(ModelError) -> TemporarySlot? {
        guard hasValue else { return nil }
        let content = TemporarySlot(like: self)
        switch description.kind {
        case .model:
            guard let other = other(model), other !== model else { return nil }
            guard other.fits(description) else {
                throw ModelError(
                    .typeMismatch, description, expected: description.expectation,
                    found: "a model of \(other.layout.schema.name)")
            }
            content.slot.replace(with: other)
        case .array, .set, .dictionary:
            var elements: [TemporarySlot?] = []
            for index in 0..<list.count { elements.append(try list.slot(at: index).replacingModels(other)) }
            if !elements.contains(where: { $0 != nil }) { return nil }
            let entries = description.kind == .dictionary ? SlotDictionary(like: list) : nil
            let copy: SlotList = entries ?? .make(like: list, capacity: list.count)
            for (index, element) in elements.enumerated() {
                let copied = entries?.slot(forKey: dictionary.keys[index]) ?? copy.appendSlot()
                copied.copyContent(of: element?.slot ?? list.slot(at: index))
            }
            content.slot.replace(with: copy)
        default: return nil
        }
        return content
    }
}
