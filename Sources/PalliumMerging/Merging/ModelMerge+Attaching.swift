import PalliumCore

/// Sources that become part of a target as they are.
///
/// In an import, new models become part of the graph, complete and checked, only where the merge put them.
///
/// Safety: slots are numbered by the table of the model; slots with a value hold what their kinds say.
extension ModelMerge {
    /// Notes that what a slot of the source holds is attached, or stands in a base: of a partial document it must be
    /// complete.
    mutating func attachPartial(_ slot: PropertySlot, path: Int) {
        if options.isPartial { attach(slot, path: path) }
    }

    /// Notes the models in a slot of the source that are attached as they are.
    mutating func attach(_ slot: PropertySlot, path: Int) {
        // In a unification it is known only at the end which models stay.
        guard slot.hasValue, unification == nil else { return }
        switch slot.description.kind {
        case .model: attached.append((slot.model, path))
        case .array, .set:
            let list = slot.list
            for index in 0..<list.count where list.slot(at: index).hasValue {
                attach(list.slot(at: index), path: paths.append(index, to: path))
            }
        default: break
        }
    }

    /// Completes attached models, and those below for which a partial document sufficed, as a whole document would have.
    mutating func attachAll() throws(ModelError) {
        attachUnified()
        var number = 0
        while number < attached.count {
            let (model, path) = attached[number]
            number += 1
            if unification?.hasValues == true {
                reachUnified(below: model)
            } else if unification == nil {
                for (index, rule) in model.layout.mergeRules.enumerated() where rule.mergesInPlace {
                    attach(model.slot(at: index), path: paths.append(property: index, of: model.layout, to: path))
                }
            }
            // It is checked as a new model. What later occurrences changed in it concerns nobody.
            transaction.stopReporting(model)
            do throws(ModelError) { try model.complete() } catch { throw located(error, at: path) }
        }
        for (model, _) in attached { transaction.linkChildren(of: model) }
    }

    // MARK: Imports

    /// Notes the new models that became part of the graph, outer ones first.
    mutating func attachUnified() {
        guard let unification else { return }
        attached = unification.newRoots
        guard unification.hasValues else { return }
        for entry in transaction.modified where !unification.isNew(entry.model) {
            for slot in entry.slots { unification.takeValues(in: entry.model.slot(at: slot)) { attached.append($0) } }
        }
    }

    /// Notes the new models that became part of the graph with a model.
    mutating func reachUnified(below model: DynamicModel) {
        guard let unification else { return }
        for index in model.holderIndices {
            unification.takeValues(in: model.slot(at: index)) { attached.append($0) }
        }
    }

    /// Tracks the changes of the new models that were attached to models whose changes are tracked, or to their bases.
    func trackUnified() {
        guard let unification, holdsRebases else { return }
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
