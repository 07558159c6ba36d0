import PalliumCore

/// Sources that become part of a target as they are.
///
/// In an import, new models become part of the graph, complete and checked, only where the merge put them.
///
/// Safety: slots are numbered by the table of the model; slots with a value hold what their kinds say.
extension ModelMerge {
    struct AttachedModel {
        let model: DynamicModel
        let path: Int
        /// Whether it becomes part of the target. A base alone has what a local edit has removed.
        var isVisible = true
        /// Whether a partial document sufficed for it, so that it must be completed.
        var isPartial = true
    }

    /// Notes that what a slot of a partial document holds is attached, or stands in a base.
    mutating func attachPartial(_ slot: PropertySlot, at index: Int, of pair: Pair, isVisible: Bool = true) {
        guard attaches(slot) else { return }
        let isPartial = pair.target.layout.mergeRules[index].mergesInPlace
        attach(slot, path: path(to: index, of: pair), isVisible: isVisible, isPartial: isPartial)
    }

    /// Notes the same of what stands one step behind a path.
    mutating func attachPartial(
        _ slot: PropertySlot, _ step: ModelDifference.Step, behind path: Int, isVisible: Bool = true
    ) {
        guard attaches(slot) else { return }
        attach(slot, path: paths.append(step, to: path), isVisible: isVisible, isPartial: true)
    }

    /// Whether something in a slot is attached that must be noted. In a unification it is known only at the end which models
    /// stay.
    private func attaches(_ slot: PropertySlot) -> Bool {
        options.isPartial && slot.hasValue && unification == nil && slot.description.holdsModels
    }

    private mutating func attach(_ slot: PropertySlot, path: Int, isVisible: Bool, isPartial: Bool) {
        // Of a model that was read in part, no code for the whole model runs. The decoder has checked the rest.
        guard slot.hasValue, slot.description.holdsModels, isPartial || !options.isProjected else { return }
        if slot.description.kind == .model {
            return attached.append(
                AttachedModel(model: slot.model, path: path, isVisible: isVisible, isPartial: isPartial))
        }
        let list = slot.list
        let keys = slot.description.kind == .dictionary ? slot.dictionary.keys : nil
        for index in 0..<list.count {
            let step: ModelDifference.Step = if let keys { .key(keys[index]) } else { .element(index) }
            attach(list.slot(at: index), path: paths.append(step, to: path), isVisible: isVisible, isPartial: isPartial)
        }
    }

    /// Completes attached models, and those below, as a whole document would have.
    mutating func attachAll() throws(ModelError) {
        attachUnified()
        var number = 0
        while number < attached.count {
            let (model, path) = (attached[number].model, attached[number].path)
            let (isVisible, isPartial) = (attached[number].isVisible, attached[number].isPartial)
            number += 1
            if unification?.hasValues == true {
                reachUnified(below: model)
            } else if unification == nil {
                for index in model.holderIndices {
                    let path = paths.append(property: index, of: model.layout, to: path)
                    attach(
                        model.slot(at: index), path: path, isVisible: isVisible,
                        isPartial: isPartial && model.layout.mergeRules[index].mergesInPlace)
                }
            }
            // It is checked as a new model. What later occurrences changed in it concerns nobody.
            transaction.stopReporting(model)
            guard isPartial else { continue }
            for index in model.slotIndices { model.slot(at: index).removeEntriesWithoutValue() }
            do throws(ModelError) { try model.complete() } catch { throw located(error, at: path) }
        }
        for attached in attached { transaction.linkChildren(of: attached.model) }
    }

    // MARK: Imports

    /// Notes the new models that became part of the graph, outer ones first.
    mutating func attachUnified() {
        guard let unification else { return }
        attached = unification.newRoots.map { AttachedModel(model: $0.model, path: $0.path) }
        guard unification.hasValues else { return }
        for entry in transaction.modified where !unification.isNew(entry.model) {
            for slot in entry.slots { attachValues(in: entry.model.slot(at: slot)) }
        }
    }

    /// Notes the new models that became part of the graph with a model.
    mutating func reachUnified(below model: DynamicModel) {
        for index in model.holderIndices { attachValues(in: model.slot(at: index)) }
    }

    private mutating func attachValues(in slot: PropertySlot) {
        unification?.takeValues(in: slot) { attached.append(AttachedModel(model: $0.model, path: $0.path)) }
    }

    /// Tracks the changes of the new models that were attached to models whose changes are tracked, or to their bases.
    func trackUnified() {
        guard let unification, queue.holdsRebases else { return }
        let new = Set(attached.map { ObjectIdentifier($0.model) })
        var untracked = new
        var reached: [DynamicModel] = []
        func reach(_ slot: PropertySlot) {
            slot.forEachModel { if untracked.remove(ObjectIdentifier($0)) != nil { reached.append($0) } }
        }
        for entry in transaction.modified where !entry.isReported || entry.model.trackedBase != nil {
            // New models are modified too, where they occur more than once.
            if unification.isNew(entry.model) || new.contains(ObjectIdentifier(entry.model)) { continue }
            for slot in entry.slots { reach(entry.model.slot(at: slot)) }
        }
        while let model = reached.popLast() {
            model.takeBase()
            for index in model.holderIndices { reach(model.slot(at: index)) }
        }
    }
}
