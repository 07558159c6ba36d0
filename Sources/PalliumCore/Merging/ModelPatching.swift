import PalliumJSON

/// Makes of a model what a patch made of its document.
///
/// The model's document was decoded twice, as it was and patched; where the two differ, the model becomes what the second
/// says. Properties that documents do not carry, or not without loss, are therefore never touched by a patch that does not
/// mention them. Merge policies decide nothing but which models are changed in path: a patch says itself what becomes of
/// a value.
///
/// Safety: slots are asked for models only where they have one; lists and temporary slots refer to descriptions that
/// live as long as the models of the pairs.
package struct ModelPatching {
    private struct Pair {
        let merge: ModelMerge.Pair
        let old: DynamicModel

        var target: DynamicModel { merge.target }
        var new: DynamicModel { merge.source }
    }

    private var merge: ModelMerge
    private var pairs: [Pair] = []

    package init(_ options: ModelMerge.Options) { merge = ModelMerge(options) }

    /// Changes a model where a later state of its document differs from the present one. Both states are of the model's
    /// schema; what they lack that is required is asked for here.
    ///
    /// - Throws: ``ModelError``, also what validators and hooks refuse; the model is then as it was.
    package mutating func apply(
        from old: DynamicModel, to new: DynamicModel, in target: DynamicModel
    ) throws(ModelError) -> ModelChanges {
        add(target: target, old: old, new: new, path: .at(ChangePaths.root))
        var next = 0
        do throws(ModelError) {
            while next < pairs.count {
                next += 1
                try patch(pairs[next - 1])
            }
        } catch {
            merge.transaction.rollBack()
            throw error
        }
        let changes = try merge.finish()
        for pair in pairs where pair.old.preservedMembers != pair.new.preservedMembers {
            pair.target.preservedMembers = pair.new.preservedMembers
        }
        return changes
    }

    private mutating func add(
        target: DynamicModel, old: DynamicModel, new: DynamicModel, path: ChangePaths.Path
    ) {
        for model in [target, old, new] { merge.paths.keepLayouts(of: model) }
        pairs.append(
            Pair(merge: ModelMerge.Pair(target: target, source: new, path: path), old: old))
    }

    private mutating func patch(_ pair: Pair) throws(ModelError) {
        let layout = pair.target.layout
        for index in layout.properties.indices {
            do throws(ModelError) { try patch(index, of: pair) } catch {
                throw error.at(merge.sourceTokens(to: index, of: pair.merge)).inSchema(
                    layout.schema.name, property: layout.properties[index].key)
            }
        }
    }

    private mutating func patch(_ index: Int, of pair: Pair) throws(ModelError) {
        let (target, old, new) = (pair.target.slot(at: index), pair.old.slot(at: index), pair.new.slot(at: index))
        let isSame =
            old.slotState.isUnset == new.slotState.isUnset && ModelComparison.equal(old, new, including: .everything)
        if isSame { return }
        let rule = pair.target.layout.mergeRules[index]
        if rule.mergesInPlace, target.hasValue, old.hasValue, new.hasValue {
            if case .byIdentifier(let key, _) = rule { return try patchElements(index, of: pair, key: key) }
            let path = merge.path(to: index, of: pair.merge)
            let models = [target, old, new].map { unsafe SlotOperations.box(DynamicModel.self, $0.pointer) }
            if areStates(models) {
                return add(target: models[0], old: models[1], new: models[2], path: .at(path))
            }
        }
        let content = unsafe TemporarySlot(descriptor: target.descriptor)
        let standard = pair.target.layout.defaultSlot(index)
        // What is no longer there takes its default as when a document is decoded; null that is there does not.
        let isNull = new.description.isNullable && !(new.slotState.isUnset && standard.hasValue)
        if new.hasValue || isNull {
            content.slot.copyContent(of: new)
            if rule.mergesInPlace { merge.attach(new, path: merge.path(to: index, of: pair.merge)) }
        } else {
            guard standard.hasValue else { throw pair.target.missing(pair.target.layout.properties[index]) }
            content.slot.copyContent(of: standard)
            content.slot.slotState = content.slot.slotState.asDefaulted
        }
        try set(content, at: index, of: pair)
    }

    private mutating func set(_ content: TemporarySlot, at index: Int, of pair: Pair) throws(ModelError) {
        try merge.write(content.slot, at: index, of: pair.merge, ModelDifference.Note(decision: .taken))
    }

    /// Whether models may be states of one.
    private func areStates(_ models: [DynamicModel]) -> Bool {
        models.dropFirst().allSatisfy {
            unsafe models[0].table == $0.table && models[0].modelIdentifier == $0.modelIdentifier
        }
    }

    /// Plans that a list gets the elements of the new one, in their order; those that are there by their identifiers stay
    /// the same objects. Two elements with the same identifier are no error here: both are in the list, and one of them is
    /// the object that was there.
    private mutating func patchElements(_ index: Int, of pair: Pair, key: String?) throws(ModelError) {
        let (target, new) = (pair.target.slot(at: index), pair.new.slot(at: index))
        let slots = ModelMerge.identifierSlots(target.description, key: key)
        var present = Self.models(in: target.list, slots)
        var before = Self.models(in: pair.old.slot(at: index).list, slots)
        let path = merge.path(to: index, of: pair.merge)
        let result = unsafe SlotList(element: target.description.elementReference)
        result.reserve(new.list.count)
        for number in 0..<new.list.count {
            let slot = new.list.slot(at: number)
            if slot.hasValue {
                let model = unsafe SlotOperations.box(DynamicModel.self, slot.pointer)
                if let identifier = ModelIdentifier(model, slots: slots),
                    let targetModel = present.removeValue(forKey: identifier),
                    let old = before.removeValue(forKey: identifier), areStates([targetModel.model, old.model, model])
                {
                    add(
                        target: targetModel.model, old: old.model, new: model,
                        path: .element(result.count, source: number, of: path))
                    result.appendSlot().copyContent(of: target.list.slot(at: targetModel.position))
                    continue
                }
            }
            merge.attach(slot, path: merge.paths.append(number, to: path))
            result.appendSlot().copyContent(of: slot)
        }
        let content = unsafe TemporarySlot(descriptor: target.descriptor)
        content.slot.replace(with: result)
        try set(content, at: index, of: pair)
    }

    private static func models(
        in list: SlotList, _ slots: [Int]
    ) -> [ModelIdentifier: (model: DynamicModel, position: Int)] {
        var models: [ModelIdentifier: (model: DynamicModel, position: Int)] = [:]
        for position in 0..<list.count where list.slot(at: position).hasValue {
            let model = unsafe SlotOperations.box(DynamicModel.self, list.slot(at: position).pointer)
            if let identifier = ModelIdentifier(model, slots: slots) { models[identifier] = (model, position) }
        }
        return models
    }
}
