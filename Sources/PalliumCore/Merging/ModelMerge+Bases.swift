/// What models are compared with in a rebase: the base of the own model or, where the program put another model, a state of
/// the one that stood there, which from now on stands in the base of the holder.
///
/// Safety: slots that have a value are of a model's kind where they are taken for models; temporary slots refer to
/// descriptions that live as long as the models of the pair.
extension ModelMerge {
    /// Plans that the base of a pair gets what came.
    mutating func addBase(_ content: TemporarySlot, at slot: Int, of pair: Pair) {
        guard let base = pair.base else { return }
        addStep(
            Step(model: base, slot: slot, content: content, note: ModelDifference.Note()), of: pair, isBase: true)
    }

    /// What the base gets when this comes; nil for a null that it cannot hold.
    func baseContent(
        of incoming: PropertySlot, at index: Int, of pair: Pair, _ rule: MergeRule
    ) throws(ModelError) -> TemporarySlot? {
        if incoming.hasValue { return TemporarySlot(copying: incoming) }
        let content = unsafe TemporarySlot(descriptor: pair.own.slot(at: index).descriptor)
        do throws(ModelError) { try clear(content.slot, at: index, of: pair.own.layout) } catch {
            // A policy to which null means nothing does not refuse it either.
            if rule.ignoresNull { return nil }
            throw error
        }
        return content
    }

    /// The base of a model that is merged in place, by what stands in its place in the base of the holder, and whether that
    /// is the same model.
    func base(
        of model: DynamicModel, insteadOf former: PropertySlot, _ incoming: DynamicModel
    ) -> (base: DynamicModel?, isSame: Bool) {
        guard former.hasValue else { return (nil, false) }
        let other = unsafe SlotOperations.box(DynamicModel.self, former.pointer)
        if other === model { return (model.trackedBase, true) }
        return (mergesInPlace(incoming, into: other) ? other.stateBefore() : nil, false)
    }

    /// What came about a model that the program removed or replaced: the model as it was, with what came, where that is
    /// only a part.
    ///
    /// - Throws: ``ModelError`` when the model cannot hold what came: a descendant schema may say more about a property.
    func whole(_ incoming: PropertySlot, insteadOf former: PropertySlot) throws(ModelError) -> TemporarySlot? {
        guard options.isPartial, incoming.hasValue, former.hasValue else { return nil }
        let model = unsafe SlotOperations.box(DynamicModel.self, former.pointer)
        let part = unsafe SlotOperations.box(DynamicModel.self, incoming.pointer)
        guard mergesInPlace(part, into: model) else { return nil }
        let state = model.stateBefore()
        try take(part, into: state)
        return unsafe TemporarySlot(holding: state, as: former.descriptor)
    }

    /// What the other side is known to have where the program put a model that is none of the base's: what came about it
    /// and, of what it must have besides, what the program has. Nil where what came is a whole model, or the own one.
    ///
    /// - Throws: ``ModelError`` when the own model cannot hold what came, or lacks what is required as well.
    func theirState(of model: DynamicModel, from part: DynamicModel) throws(ModelError) -> DynamicModel? {
        if !options.isPartial || part === model { return nil }
        let state = unsafe type(of: model).init(storage: ModelStorage(model.table))
        try take(part, into: state)
        let layout = model.layout
        for index in layout.requiredSlots where !state.slot(at: index).hasValue {
            state.slot(at: index).copyContent(of: model.slot(at: index))
        }
        // Below them may be parts too.
        for index in 0..<part.layout.properties.count
        where layout.mergeRules[index].mergesInPlace && part.slot(at: index).hasValue
            && !state.slot(at: index).hasValue
        {
            state.slot(at: index).copyContent(of: model.slot(at: index))
        }
        try state.complete()
        return state
    }

    /// Takes over what a part says about the model itself; models below it, of which there may be parts too, stay.
    private func take(_ part: DynamicModel, into state: DynamicModel) throws(ModelError) {
        let layout = state.layout
        for index in 0..<part.layout.properties.count where !layout.mergeRules[index].mergesInPlace {
            let slot = state.slot(at: index)
            let source = part.slot(at: index)
            if source.slotState.isUnset || source.slotState.isDefaulted { continue }
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

extension DynamicModel {
    /// A model of its own that is as this one was when its changes began to be tracked.
    final func stateBefore() -> DynamicModel {
        let state = unsafe type(of: self).init(storage: ModelStorage(table))
        (trackedBase ?? self).copySlots(to: state)
        return state
    }
}

extension TemporarySlot {
    /// A slot that holds an object.
    convenience init(holding object: AnyObject, as descriptor: Unmanaged<ValueDescriptor>) {
        unsafe self.init(descriptor: descriptor)
        slot.replace(with: object)
    }
}
