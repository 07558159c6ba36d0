import PalliumCore

/// The models that a rebase compares with.
///
/// A rebase compares a model with its base. If a local edit put another model there, it compares with a saved state of
/// the former model, which the holder's base then keeps.
///
/// Safety: temporary slots refer to descriptions that live as long as the models of the pair.
extension ModelMerge {
    /// Writes the content of the source into the base of a pair.
    mutating func writeBase(_ content: TemporarySlot, at index: Int, of pair: Pair) {
        // The base of a patch is nobody's.
        guard let base = pair.base, options.sourceKind != .document else { return }
        transaction.write(
            content.slot, at: index, of: base, ModelDifference.Note(), path: paths.number(of: pair.path),
            isReported: false)
    }

    /// The value that the base gets; nil for a null that it cannot hold.
    func baseContent(
        of source: PropertySlot, at index: Int, of pair: Pair, _ rule: MergeRule
    ) throws(ModelError) -> TemporarySlot? {
        if source.hasValue || isWhole { return TemporarySlot(copying: source) }
        let content = unsafe TemporarySlot(descriptor: pair.target.slot(at: index).descriptor)
        do throws(ModelError) { try clear(content.slot, at: index, of: pair.target.layout) } catch {
            // A policy that ignores null does not fail on it.
            if rule.ignoresNull { return nil }
            throw error
        }
        return content
    }

    /// Returns the base of a nested model, if there is one. `former` is the slot of the holder's base that corresponds to
    /// the model; `isSame` tells whether it holds the model itself.
    func base(
        of model: DynamicModel, insteadOf former: PropertySlot, _ source: DynamicModel
    ) -> (base: DynamicModel?, isSame: Bool) {
        guard former.hasValue else { return (nil, false) }
        let other = former.model
        if other === model { return (model.trackedBase, true) }
        return (mergesInPlace(source, into: other) ? other.stateBefore() : nil, false)
    }

    /// Returns what a partial source stands for where a local edit removed or replaced the model: the former model, as
    /// it was when tracking began, with the values of the document. Nil if the source is not partial or is not merged into
    /// the former model.
    ///
    /// - Throws: ``ModelError`` if the model cannot hold a value: a descendant schema can restrict a property further.
    func whole(_ source: PropertySlot, insteadOf former: PropertySlot) throws(ModelError) -> TemporarySlot? {
        guard options.isPartial, source.hasValue, former.hasValue, mergesInPlace(source.model, into: former.model)
        else {
            return nil
        }
        let state = former.model.stateBefore()
        try take(source.model, into: state)
        return unsafe TemporarySlot(holding: state, as: former.descriptor)
    }

    /// Returns what a partial source stands for where a local edit put in a model that the base lacks: the values of the
    /// document, with missing required ones and nested models taken from the target. Nil if the source is not partial or is
    /// the target itself.
    ///
    /// - Throws: ``ModelError`` if the model cannot hold a value, or if the target lacks a required one too.
    func sourceState(of model: DynamicModel, from part: DynamicModel) throws(ModelError) -> DynamicModel? {
        if !options.isPartial || part === model { return nil }
        let state = unsafe DynamicModel.make(model.table, type(of: model))
        try take(part, into: state)
        let layout = model.layout
        for index in layout.requiredSlots where !state.slot(at: index).hasValue {
            state.slot(at: index).copyContent(of: model.slot(at: index))
        }
        // Models below may be partial too.
        for index in 0..<part.layout.properties.count
        where layout.mergeRules[index].mergesInPlace && part.slot(at: index).hasValue
            && !state.slot(at: index).hasValue
        {
            state.slot(at: index).copyContent(of: model.slot(at: index))
        }
        try state.complete()
        return state
    }

    /// Copies the values of a partial model, except those that are merged in place, because they may be partial too.
    private func take(_ part: DynamicModel, into state: DynamicModel) throws(ModelError) {
        let layout = state.layout
        for index in 0..<part.layout.properties.count where !layout.mergeRules[index].mergesInPlace {
            let slot = state.slot(at: index)
            let source = part.slot(at: index)
            if source.slotState.isAbsent { continue }
            if source.slotState.isNull, !slot.description.isNullable { continue }
            do throws(ModelError) {
                let converted = try converted(source, for: slot)
                slot.clear()
                slot.copyContent(of: converted?.slot ?? source)
            } catch {
                throw error.at(options.path(layout, index), of: layout.properties[index].schema).inSchema(
                    layout.schema.name, property: layout.properties[index].key)
            }
        }
    }
}

extension TemporarySlot {
    /// A slot that holds an object.
    convenience init(holding object: AnyObject, as descriptor: Unmanaged<ValueDescriptor>) {
        unsafe self.init(descriptor: descriptor)
        slot.replace(with: object)
    }
}
