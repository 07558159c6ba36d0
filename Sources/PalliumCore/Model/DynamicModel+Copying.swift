// Safety: a copy has the table of its model: it gets the bytes of all slots, and what owns memory is retained for it
// before anybody else sees the copy.
extension DynamicModel {
    /// A new model of the same class whose properties have the same values; nested models are shared (conformance C065).
    ///
    /// Shared models stay linked to the original as their parent (see ``PropertySchema/inverse(_:)``).
    ///
    /// Everything that has a slot is copied, transitory properties included. Validators and hooks do not run.
    public final func copy() -> Self {
        let copy = unsafe type(of: self).init(storage: ModelStorage(table))
        copySlots(to: copy)
        return copy
    }

    /// A copy in which nested models are copied as well: models that were shared or formed a cycle do so again.
    ///
    /// Weak links lead to copies as well; a link to a model that the graph does not hold is not copied, because the copy
    /// may go to another isolation region. Links to parents are made afresh where a copy is its model's parent.
    ///
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack.
    public final func deepCopy() -> sending Self {
        // The copy shares immutable boxes with the original and no model, so nothing mutable is reachable from both.
        nonisolated(unsafe) let copy = ModelGraphCopy.copy(self)
        return unsafe copy
    }

    /// Copies all slots into a model of the same layout whose slots are unset.
    package final func copySlots(to copy: DynamicModel) {
        let table = unsafe table
        // Plain bytes are copied all at once; what owns memory is copied over its bytes, value by value.
        unsafe copy.slots.copyMemory(from: slots, byteCount: table.pointee.byteCount)
        let kinds = unsafe table.pointee.kinds
        let states = unsafe (slots + table.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        let managed = unsafe table.pointee.managed
        for number in unsafe 0..<table.pointee.managedCount {
            let index = unsafe Int(managed[number])
            let state = unsafe SlotState(rawValue: states[index])
            guard state.hasValue else { continue }
            unsafe SlotOperations.copy(
                from: slots + index &* 16, to: copy.slots + index &* 16, kind: kinds[index], state: state)
        }
        if let companion = companion { copy.companion = companion.copy() }
    }
}

extension DynamicModel {
    /// Unsets every property that may hold models.
    final func clearModels() {
        let table = unsafe table
        let managed = unsafe table.pointee.managed
        for number in unsafe 0..<table.pointee.managedCount {
            let index = unsafe Int(managed[number])
            if unsafe table.pointee.kinds[index].mayHoldModels { slot(at: index).clear() }
        }
    }
}

/// Copies a graph of models, one model at a time.
struct ModelGraphCopy {
    /// Whether tracked models are copied as they were when their changes began to be tracked.
    private var ofBases = false
    private var copies: [ObjectIdentifier: DynamicModel] = [:]
    /// Shallow copies, which still lead to models of the original graph.
    private var pending: [DynamicModel] = []
    /// Slots of copies that hold a weak link, and the link: where it leads is known once everything is copied. The copies
    /// live in `copies`, and their slots with them.
    private var weakLinks: [(slot: PropertySlot, link: WeakModelBox)] = []
    /// Copies whose models are linked back to them, in the order they were met.
    private var parents: [DynamicModel] = []

    static func copy<Model: DynamicModel>(_ root: Model) -> Model {
        var graph = ModelGraphCopy()
        return graph.copyAll(from: root)
    }

    /// A copy that reading does not change in any way, not even where values are made at the first read, and all models of
    /// the copy.
    static func preparedCopy<Model: DynamicModel>(of root: Model) -> (copy: Model, models: [DynamicModel]) {
        var graph = ModelGraphCopy()
        let copy = graph.copyAll(from: root)
        let models = Array(graph.copies.values)
        for model in models {
            for index in unsafe 0..<model.table.pointee.slotCount { model.slot(at: index).prepare() }
        }
        return (copy, models)
    }

    /// The graph as it was when the changes of its models began to be tracked, in models of the same classes; nil for one
    /// that is not tracked.
    static func copyOfBase(of root: DynamicModel) -> DynamicModel? {
        guard root.trackedBase != nil else { return nil }
        var graph = ModelGraphCopy(ofBases: true)
        return graph.copyAll(from: root)
    }

    private mutating func copyAll<Model: DynamicModel>(from root: Model) -> Model {
        let copy = copy(of: root)
        while let copy = pending.popLast() {
            for index in unsafe 0..<copy.table.pointee.slotCount { deepen(copy.slot(at: index)) }
        }
        for parent in parents { parent.linkChildren() }
        turnWeakLinks()
        // The copy was made by `copy()`, whose result has the class of the original.
        return unsafe unsafeDowncast(copy, to: Model.self)
    }

    /// The shallow copy of a model, made at the first request.
    private mutating func copy(of model: DynamicModel) -> DynamicModel {
        if let known = copies[ObjectIdentifier(model)] { return known }
        let copy = ofBases ? model.stateBefore() : model.copy()
        copies[ObjectIdentifier(model)] = copy
        pending.append(copy)
        if unsafe copy.table.pointee.hasChildren { parents.append(copy) }
        return copy
    }

    /// Replaces the models in a slot of a shallow copy by their copies.
    private mutating func deepen(_ slot: PropertySlot) {
        guard slot.hasValue else { return }
        let state = slot.slotState
        switch slot.description.kind {
        case .model:
            unsafe slot.replace(with: copy(of: SlotOperations.box(DynamicModel.self, slot.pointer)), state: state)
        case .weakModel:
            unsafe weakLinks.append((slot, SlotOperations.box(WeakModelBox.self, slot.pointer)))
            slot.clear()
        case .array, .set:
            let list = unsafe SlotOperations.box(SlotList.self, slot.pointer)
            let copied = unsafe SlotList(element: list.element)
            copied.reserve(list.count)
            for index in 0..<list.count { copyElement(list.slot(at: index), to: copied.appendSlot()) }
            slot.replace(with: copied, state: state)
        case .dictionary:
            let list = unsafe SlotOperations.box(SlotDictionary.self, slot.pointer)
            let copied = unsafe SlotDictionary(element: list.element)
            for index in 0..<list.count { copyElement(list.slot(at: index), to: copied.slot(forKey: list.keys[index])) }
            slot.replace(with: copied, state: state)
        default: break
        }
    }

    /// A link into the graph follows to the copy; a link out of it is gone.
    private func turnWeakLinks() {
        for (slot, link) in weakLinks {
            guard let target = link.model, let copy = copies[ObjectIdentifier(target)] else { continue }
            slot.replace(with: WeakModelBox(copy))
        }
    }

    private mutating func copyElement(_ element: PropertySlot, to target: PropertySlot) {
        target.copyContent(of: element)
        deepen(target)
    }
}
