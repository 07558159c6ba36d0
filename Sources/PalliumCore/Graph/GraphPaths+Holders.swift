extension GraphPaths {
    /// Calls a function with the slots of a model that may hold one other model: properties, and elements of collections.
    ///
    /// - Parameters:
    ///   - path: The path to the model.
    ///   - body: Called with the property, the slot and the path to it. An element may have no value.
    package func forEachHolder<Failure>(
        in model: DynamicModel, at path: Int,
        _ body: (ModelLayout.Property, PropertySlot, Int) throws(Failure) -> Void
    ) throws(Failure) {
        for index in model.holderIndices {
            let slot = model.slot(at: index)
            guard slot.hasValue, slot.description.holdsModels else { continue }
            let property = model.layout.properties[index]
            try forEachHolder(in: slot, at: append(property: index, of: model.layout, to: path)) {
                slot, path throws(Failure) in
                try body(property, slot, path)
            }
        }
    }

    /// Calls a function with a slot for models, or with the elements of a collection of models.
    ///
    /// Recursion is as deep as the nesting of kinds.
    package func forEachHolder<Failure>(
        in slot: PropertySlot, at path: Int, _ body: (PropertySlot, Int) throws(Failure) -> Void
    ) throws(Failure) {
        guard slot.hasValue, slot.description.kind != .model else { return try body(slot, path) }
        let list = slot.list
        let keys = slot.description.kind == .dictionary ? slot.dictionary.keys : nil
        for index in 0..<list.count {
            let element = if let keys { append(keys[index], to: path) } else { append(index, to: path) }
            try forEachHolder(in: list.slot(at: index), at: element, body)
        }
    }
}
