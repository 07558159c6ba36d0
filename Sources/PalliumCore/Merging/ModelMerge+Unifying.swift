/// Imports: every occurrence of a model is merged into its instance.
///
/// New models become part of the graph, complete and checked, only where the merge put them.
extension ModelMerge {
    /// Merges the models of a document into their instances.
    ///
    /// - Throws: ``ModelError`` with everything that was refused. All models are then as they were.
    package mutating func merge(_ unification: Unification) throws(ModelError) -> ModelChanges {
        self.unification = unification
        for (source, target, path) in unification.occurrences {
            let base = target.trackedBase
            enqueue(source, into: target, path: .at(path), isRebase: base != nil, base: base)
        }
        return try finish()
    }

    /// Notes the new models that became part of the graph, outer ones first.
    mutating func attachUnified() {
        guard let unification else { return }
        attached = unification.newRoots
        for entry in transaction.modified where !unification.isNew(entry.model) {
            for slot in entry.slots { unification.takeValues(in: entry.model.slot(at: slot)) { attached.append($0) } }
        }
    }

    /// Notes the new models that became part of the graph with a model.
    mutating func reachUnified(below model: DynamicModel) {
        guard let unification else { return }
        for index in model.slotsOfModels {
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
            for index in model.slotsOfModels { reach(model.slot(at: index)) }
        }
    }
}
