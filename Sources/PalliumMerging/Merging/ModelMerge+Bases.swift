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
        let content = TemporarySlot(like: pair.target.slot(at: index))
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
    mutating func whole(
        _ source: PropertySlot, insteadOf former: PropertySlot, at index: Int, of pair: Pair
    ) throws(ModelError) -> TemporarySlot? {
        guard options.isPartial, source.hasValue, former.hasValue, mergesInPlace(source.model, into: former.model)
        else {
            return nil
        }
        let state = former.model.stateBefore()
        try take(source.model, into: state, at: index, of: pair)
        return TemporarySlot(holding: state, like: former)
    }

    /// Returns what a partial source stands for where a local edit put in a model that the base lacks: the values of the
    /// document, with missing required ones and nested models taken from the target. Nil if the source is not partial or is
    /// the target itself.
    ///
    /// - Throws: ``ModelError`` if the model cannot hold a value, or if the target lacks a required one too.
    mutating func sourceState(
        of model: DynamicModel, from part: DynamicModel, at index: Int, of pair: Pair
    ) throws(ModelError) -> DynamicModel? {
        if !options.isPartial || part === model { return nil }
        let state = model.makeUnset()
        let layout = model.layout
        // Models below may be partial too; what the target lacks becomes part of it.
        for index in 0..<part.layout.properties.count
        where layout.mergeRules[index].mergesInPlace && part.slot(at: index).hasValue {
            let own = model.slot(at: index)
            state.slot(at: index).copyContent(of: own.hasValue ? own : part.slot(at: index))
        }
        try take(part, into: state, at: index, of: pair, includesModels: false)
        for index in layout.requiredSlots where state.slot(at: index).isMissing {
            state.slot(at: index).copyContent(of: model.slot(at: index))
        }
        try state.complete()
        return state
    }

    /// Copies the values of a partial model. Models inside that are merged in place may be partial, too: they become states
    /// of those that are there.
    private mutating func take(
        _ part: DynamicModel, into state: DynamicModel, at index: Int, of pair: Pair, includesModels: Bool = true
    ) throws(ModelError) {
        var pending = [(part, state)]
        while let (part, state) = pending.popLast() {
            let layout = state.layout
            for property in 0..<part.layout.properties.count {
                let (slot, source) = (state.slot(at: property), part.slot(at: property))
                if source.slotState.isAbsent { continue }
                if source.slotState.isNull {
                    if layout.mergeRules[property].saysNothingByNull { continue }
                    if !slot.description.isNullable {
                        let standard = layout.defaultSlot(property)
                        guard standard.hasValue else { continue }
                        slot.takeDefault(standard)
                        continue
                    }
                }
                if layout.mergeRules[property].mergesInPlace, source.hasValue {
                    guard includesModels else { continue }
                    if slot.hasValue {
                        guard slot.description.kind == .model, mergesInPlace(source.model, into: slot.model) else {
                            continue
                        }
                        let inner = slot.model.stateBefore()
                        slot.replace(with: inner)
                        pending.append((source.model, inner))
                        continue
                    }
                    attachPartial(source, at: index, of: pair, isVisible: false)
                }
                do throws(ModelError) {
                    let converted = try converted(source, for: slot)
                    slot.clear()
                    slot.copyContent(of: converted?.slot ?? source)
                } catch {
                    throw error.at(options.path(layout, property), of: layout.properties[property].schema).inSchema(
                        layout.schema.name, property: layout.properties[property].key)
                }
            }
        }
    }
}
