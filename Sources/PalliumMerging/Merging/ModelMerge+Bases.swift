import PalliumCore

/// The models that a rebase compares with: the base of the target or, where a local edit put another model, a state of
/// the one that stood there, which from now on stands in the base of the holder.
///
/// Safety: temporary slots refer to descriptions that live as long as the models of the pair.
extension ModelMerge {
    /// Gives a slot of the base of a pair what the source says.
    mutating func writeBase(_ content: TemporarySlot, at index: Int, of pair: Pair) {
        guard let base = pair.base else { return }
        transaction.write(
            content.slot, at: index, of: base, ModelDifference.Note(), path: paths.number(of: pair.path),
            isReported: false)
    }

    /// The value that the base gets; nil for a null that it cannot hold.
    func baseContent(
        of source: PropertySlot, at index: Int, of pair: Pair, _ rule: MergeRule
    ) throws(ModelError) -> TemporarySlot? {
        if source.hasValue { return TemporarySlot(copying: source) }
        let content = unsafe TemporarySlot(descriptor: pair.target.slot(at: index).descriptor)
        do throws(ModelError) { try clear(content.slot, at: index, of: pair.target.layout) } catch {
            // A policy to which null means nothing does not refuse it either.
            if rule.ignoresNull { return nil }
            throw error
        }
        return content
    }

    /// The base of a model that is merged in place, by what the base of the holder holds instead of it, and whether that is
    /// the same model.
    func base(
        of model: DynamicModel, insteadOf former: PropertySlot, _ source: DynamicModel
    ) -> (base: DynamicModel?, isSame: Bool) {
        guard former.hasValue else { return (nil, false) }
        let other = former.model
        if other === model { return (model.trackedBase, true) }
        return (mergesInPlace(source, into: other) ? other.stateBefore() : nil, false)
    }

    /// The state of the source where a local edit removed or replaced the model: the model as it was, with what a partial
    /// document says; nil for a whole model.
    ///
    /// - Throws: ``ModelError`` when the model cannot hold that: a descendant schema may say more about a property.
    func whole(_ source: PropertySlot, insteadOf former: PropertySlot) throws(ModelError) -> TemporarySlot? {
        guard options.isPartial, source.hasValue, former.hasValue, mergesInPlace(source.model, into: former.model)
        else {
            return nil
        }
        let state = former.model.stateBefore()
        try take(source.model, into: state)
        return unsafe TemporarySlot(holding: state, as: former.descriptor)
    }

    /// The state of the source where a local edit put a model that is not in the base: what a partial document says about it
    /// and, of what is required besides, what the target has. Nil for a whole model, or the target itself.
    ///
    /// - Throws: ``ModelError`` when the model cannot hold that, or lacks what is required as well.
    func sourceState(of model: DynamicModel, from part: DynamicModel) throws(ModelError) -> DynamicModel? {
        if !options.isPartial || part === model { return nil }
        let state = unsafe type(of: model).init(storage: ModelStorage(model.table))
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

    /// Takes over what a partial model says about the model itself. Models below it, which may be partial too, stay.
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
                throw error.at(options.path(layout, index)).inSchema(
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
