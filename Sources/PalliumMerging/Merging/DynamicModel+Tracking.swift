public import PalliumCore

// Safety: slots are numbered by the table of the model, which lives as long as the model, and hold what their kinds
// say.
extension DynamicModel {
    /// Begins to track the changes of the model and of all models it holds, or begins anew: what they are now is what
    /// changes are told against.
    ///
    /// Setting a property costs nothing more afterwards: changes are found by comparing when somebody asks. Copies are not
    /// tracked. Models that are put into the model later count as new as a whole.
    ///
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack.
    public final func trackChanges() {
        forEachReachableModel { $0.takeBase() }
    }

    /// Ends the tracking of changes of the model and of all models it holds.
    public final func stopTrackingChanges() {
        forEachReachableModel {
            WriteTransaction.current?.add($0)
            $0.trackedBase = nil
        }
    }

    /// Whether changes of the model are tracked.
    public final var isTrackingChanges: Bool { trackedBase != nil }

    /// The changes since ``trackChanges()``, in the model and in all models it holds; empty when changes are not tracked.
    ///
    /// A property that was set to an equal value, or set back, has not changed.
    ///
    /// - Complexity: O(*n*) in the size of the graph.
    public final var pendingChanges: ModelChanges { ModelChanges(differenceFromBase(stopsAtFirst: false)) }

    /// Whether anything changed since ``trackChanges()``.
    ///
    /// - Complexity: O(*n*) in the size of the graph, less when something changed.
    public final var hasChanges: Bool { !differenceFromBase(stopsAtFirst: true).isEmpty }

    /// The keys of the properties in which something changed since ``trackChanges()``.
    public final var changedKeys: [String] { pendingChanges.keys }

    /// The value a property had when ``trackChanges()`` was called, in its natural Swift type; nil for unset and null, and
    /// when changes are not tracked.
    ///
    /// - Throws: ``ModelError`` when the schema has no such property.
    public final func originalValue(forKey key: String) throws(ModelError) -> (any PropertyValue)? {
        guard let index = layout.index(of: key) else { throw layout.unknownKeyError(key) }
        return trackedBase?.naturalValue(at: index)
    }

    /// Takes back what changed since ``trackChanges()``, in the model and in all models it held then or holds now.
    ///
    /// Does nothing when changes are not tracked. Transitory properties stay as they are.
    public final func revert() {
        // Whoever left the model is reached by way of its base.
        var models: [DynamicModel] = []
        forEachReachableModel(throughBases: true) { models.append($0) }
        WriteTransaction.run { _ in
            for model in models { model.takeContentOfBase() }
        }
    }

    final func takeContentOfBase() {
        guard let base = trackedBase else { return }
        for index in comparedSlotIndices {
            let (slot, former) = (slot(at: index), base.slot(at: index))
            let isSame = slot.slotState.propertyBits == former.slotState.propertyBits
            if isSame, !slot.description.kind.mayHoldModels, ModelComparison.equal(slot, former) { continue }
            let content = TemporarySlot(copying: former)
            change(slot) { slot.takeContent(of: content.slot) }
        }
    }

    /// A copy of the model, and of the models it held, as they were when tracking began; nil when changes are not tracked.
    package final func copyOfBase() -> DynamicModel? { ModelGraphCopy.copyOfBase(of: self) }

    private final func differenceFromBase(stopsAtFirst: Bool) -> [ModelChange] {
        guard let base = trackedBase else { return [] }
        var difference = ModelDifference(leftSide: .base, stopsAtFirst: stopsAtFirst)
        difference.compare(base, self)
        return difference.changes
    }

    /// Makes what the slots hold now the base.
    final func takeBase() {
        WriteTransaction.current?.add(self)
        trackedBase = copySlots(in: DynamicModel.self)
    }

    /// Visits the model and every model that is reached by strong references from it, each once; with `throughBases` also
    /// by the references that tracked models had when tracking began.
    ///
    /// - Parameter isWanted: Whether a model that is reached is visited.
    final func forEachReachableModel(
        throughBases: Bool = false, where isWanted: (DynamicModel) -> Bool = { _ in true },
        _ body: (DynamicModel) -> Void
    ) {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var pending: [DynamicModel] = [self]
        func add(_ model: DynamicModel) {
            if isWanted(model), seen.insert(ObjectIdentifier(model)).inserted { pending.append(model) }
        }
        while let model = pending.popLast() {
            for index in model.holderIndices {
                model.slot(at: index).forEachModel(add)
                if throughBases, let base = model.trackedBase { base.slot(at: index).forEachModel(add) }
            }
            body(model)
        }
    }
}
