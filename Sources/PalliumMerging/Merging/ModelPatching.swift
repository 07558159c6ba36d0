import PalliumCore
import PalliumJSON

/// Changes a model as a patch changed its document.
///
/// The model's document was decoded twice, as it was and patched. Where the two differ, the model gets the second value. A
/// patch therefore never changes properties that it does not mention and that documents do not contain, or not without loss.
/// Merge policies decide only which models are changed in place: a patch contains the new values itself.
///
/// Safety: slots are asked for models only where they have one; lists and temporary slots refer to descriptions that
/// live as long as the models of the pairs.
struct ModelPatching {
    private struct Pair {
        let merge: ModelMerge.Pair
        let old: DynamicModel

        var target: DynamicModel { merge.target }
        var new: DynamicModel { merge.source }
    }

    private var merge: ModelMerge
    private var pairs: [Pair] = []

    init(_ options: ModelMerge.Options) { merge = ModelMerge(options) }

    /// Changes a model where a later state of its document differs from the present one. Both states are of the model's
    /// schema; what they lack that is required is asked for here.
    ///
    /// - Throws: ``ModelError``, also what validators and hooks refuse; the model is then as it was.
    mutating func apply(
        from old: DynamicModel, to new: DynamicModel, in target: DynamicModel
    ) throws(ModelError) -> ModelChanges {
        add(target: target, old: old, new: new, path: .at(ChangePaths.root))
        // Observers see the members that no property maps, too.
        return try WriteTransaction.run { transaction throws(ModelError) in
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
                transaction.add(pair.target)
                pair.target.preservedMembers = pair.new.preservedMembers
            }
            return changes
        }
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
                throw merge.located(error, at: index, of: pair.merge)
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
            if case .byIdentifier(let key, _, _) = rule { return try patchElements(index, of: pair, key: key) }
            let path = merge.path(to: index, of: pair.merge)
            if areStates(target.model, old.model, new.model) {
                return add(target: target.model, old: old.model, new: new.model, path: .at(path))
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

    /// Whether two states of a document are about the target.
    private func areStates(_ target: DynamicModel, _ old: DynamicModel, _ new: DynamicModel) -> Bool {
        ModelDifference.areStates(target, old) && ModelDifference.areStates(target, new)
    }

    /// Gives a list the elements of the new one, in their order. Existing elements, found by their identifiers, stay the same
    /// objects. Two elements with the same identifier are no error here: both are in the list, and one of them is the
    /// existing object.
    private mutating func patchElements(_ index: Int, of pair: Pair, key: String?) throws(ModelError) {
        let (target, new) = (pair.target.slot(at: index), pair.new.slot(at: index))
        let slots = ModelMerge.identifierSlots(target.description, key: key)
        var present = Self.models(in: target.list, slots)
        var before = Self.models(in: pair.old.slot(at: index).list, slots)
        let path = merge.path(to: index, of: pair.merge)
        let result = unsafe SlotList.make(element: target.description.elementReference, capacity: new.list.count)
        for number in 0..<new.list.count {
            let slot = new.list.slot(at: number)
            if slot.hasValue {
                let model = slot.model
                if let identifier = ModelIdentifier(model, slots: slots),
                    let targetModel = present.removeValue(forKey: identifier),
                    let old = before.removeValue(forKey: identifier), areStates(targetModel.model, old.model, model)
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
        try set(unsafe TemporarySlot(holding: result, as: target.descriptor), at: index, of: pair)
    }

    private static func models(
        in list: SlotList, _ slots: [Int]
    ) -> [ModelIdentifier: (model: DynamicModel, position: Int)] {
        var models: [ModelIdentifier: (model: DynamicModel, position: Int)] = [:]
        for position in 0..<list.count where list.slot(at: position).hasValue {
            let model = list.slot(at: position).model
            if let identifier = ModelIdentifier(model, slots: slots) { models[identifier] = (model, position) }
        }
        return models
    }
}
