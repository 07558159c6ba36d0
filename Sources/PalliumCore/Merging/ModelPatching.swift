import PalliumJSON

/// Makes of a model what a patch made of its document.
///
/// The model's document was decoded twice, as it was and patched; where the two differ, the model becomes what the second
/// says. Properties that documents do not carry, or not without loss, are therefore never touched by a patch that does not
/// mention them. Merge policies decide nothing but which models are changed in place: a patch says itself what becomes of
/// a value.
///
/// Safety: slots are asked for models only where they have one; lists and temporary slots refer to descriptions that
/// live as long as the models of the pairs.
package struct ModelPatching {
    private struct Pair {
        let merge: ModelMerge.Pair
        let old: DynamicModel

        var own: DynamicModel { merge.own }
        var new: DynamicModel { merge.incoming }
    }

    private var merge: ModelMerge
    private var pairs: [Pair] = []

    package init(_ options: ModelMerge.Options) { merge = ModelMerge(options) }

    /// Changes a model where a later state of its document differs from the present one. Both states are of the model's
    /// schema; what they lack that is required is asked for here.
    ///
    /// - Throws: ``ModelError``, also what validators and hooks refuse; the model is then as it was.
    package mutating func apply(
        from old: DynamicModel, to new: DynamicModel, in own: DynamicModel
    ) throws(ModelError) -> ModelChanges {
        add(own: own, old: old, new: new, place: .at(ChangePaths.root))
        var next = 0
        while next < pairs.count {
            next += 1
            try plan(pairs[next - 1])
        }
        try merge.completeAdopted()
        let changes = try merge.commit()
        for pair in pairs where pair.old.preservedMembers != pair.new.preservedMembers {
            pair.own.preservedMembers = pair.new.preservedMembers
        }
        return changes
    }

    private mutating func add(
        own: DynamicModel, old: DynamicModel, new: DynamicModel, place: ChangePaths.Place
    ) {
        for model in [own, old, new] { merge.paths.keepLayouts(of: model) }
        pairs.append(
            Pair(merge: ModelMerge.Pair(own: own, incoming: new, place: place), old: old))
    }

    private mutating func plan(_ pair: Pair) throws(ModelError) {
        let layout = pair.own.layout
        for index in layout.properties.indices {
            do throws(ModelError) { try plan(index, of: pair) } catch {
                throw error.at(merge.path(to: index, of: pair.merge)).inSchema(
                    layout.schema.name, property: layout.properties[index].key)
            }
        }
    }

    private mutating func plan(_ index: Int, of pair: Pair) throws(ModelError) {
        let (own, old, new) = (pair.own.slot(at: index), pair.old.slot(at: index), pair.new.slot(at: index))
        let isSame =
            old.slotState.isUnset == new.slotState.isUnset && ModelComparison.equal(old, new, including: .everything)
        if isSame { return }
        let rule = pair.own.layout.mergeRules[index]
        if rule.mergesInPlace, own.hasValue, old.hasValue, new.hasValue {
            if case .byIdentifier(let key, _) = rule { return try planElements(index, of: pair, key: key) }
            let place = merge.place(of: index, of: pair.merge)
            let models = [own, old, new].map { unsafe SlotOperations.box(DynamicModel.self, $0.pointer) }
            if areStates(models) {
                return add(own: models[0], old: models[1], new: models[2], place: .at(place))
            }
        }
        let content = unsafe TemporarySlot(descriptor: own.descriptor)
        let standard = pair.own.layout.defaultSlot(index)
        // What is no longer there takes its default as when a document is decoded; null that is there does not.
        let isNull = new.description.isNullable && !(new.slotState.isUnset && standard.hasValue)
        if new.hasValue || isNull {
            content.slot.copyContent(of: new)
            if rule.mergesInPlace { merge.adopt(new, place: merge.place(of: index, of: pair.merge)) }
        } else {
            guard standard.hasValue else { throw pair.own.missing(pair.own.layout.properties[index]) }
            content.slot.copyContent(of: standard)
            content.slot.slotState = content.slot.slotState.asDefaulted
        }
        try set(content, at: index, of: pair)
    }

    private mutating func set(_ content: TemporarySlot, at index: Int, of pair: Pair) throws(ModelError) {
        try merge.add(content, at: index, of: pair.merge, ModelDifference.Note(decision: .taken))
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
    private mutating func planElements(_ index: Int, of pair: Pair, key: String?) throws(ModelError) {
        let (own, new) = (pair.own.slot(at: index), pair.new.slot(at: index))
        let slots = ModelMerge.identifierSlots(own.description, key: key)
        var known = Self.models(in: own.list, slots)
        var before = Self.models(in: pair.old.slot(at: index).list, slots)
        let place = merge.place(of: index, of: pair.merge)
        let result = unsafe SlotList(element: own.description.elementReference)
        result.reserve(new.list.count)
        for number in 0..<new.list.count {
            let slot = new.list.slot(at: number)
            if slot.hasValue {
                let model = unsafe SlotOperations.box(DynamicModel.self, slot.pointer)
                if let identifier = ModelIdentifier(model, slots: slots),
                    let ownModel = known.removeValue(forKey: identifier),
                    let old = before.removeValue(forKey: identifier), areStates([ownModel.model, old.model, model])
                {
                    add(
                        own: ownModel.model, old: old.model, new: model,
                        place: .element(result.count, incoming: number, of: place))
                    result.appendSlot().copyContent(of: own.list.slot(at: ownModel.position))
                    continue
                }
            }
            merge.adopt(slot, place: merge.paths.append(number, to: place))
            result.appendSlot().copyContent(of: slot)
        }
        let content = unsafe TemporarySlot(descriptor: own.descriptor)
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
