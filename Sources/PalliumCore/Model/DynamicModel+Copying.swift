// Copies models.
//
// Safety: a copy has the raw layout of its model. It gets the bytes of all slots, and values that own memory are retained
// for it before other code sees it.
extension DynamicModel {
    /// Returns a model of the same class with the same values; nested models are shared (conformance C065).
    ///
    /// The parent references of shared models still refer to the original (see ``PropertySchema/inverse(_:)``).
    ///
    /// All stored properties are copied, including transitory ones. Validators and hooks do not run.
    public final func copy() -> Self {
        didReadAll()
        return copySlots(in: type(of: self)).known(as: Self.self)
    }

    /// Returns a copy with copies of all nested models. Models that were shared or formed a cycle do so in the copy.
    ///
    /// Weak references refer to the copies. A reference to a model outside the graph is not copied, because the copy
    /// may go to another isolation region. Parent references are set if the parent is in the graph.
    ///
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack.
    public final func deepCopy() -> sending Self {
        // The copy shares immutable boxes with the original and no model, so nothing mutable is reachable from both.
        makeUnshared { ModelGraphCopy.copy(self) }
    }

    /// Returns a copy of the model as it was when its changes began to be tracked.
    package final func stateBefore() -> DynamicModel {
        (trackedBase ?? self).copySlots(in: type(of: self))
    }

    /// Returns a model of another class, the same schema and the same values.
    package final func copySlots(in modelClass: DynamicModel.Type) -> DynamicModel {
        let copy = copyBlock(in: modelClass)
        if let companion = companion { copy.companion = companion.copy() }
        return copy
    }
}

extension DynamicModel {
    /// Unsets every property that may hold models.
    package final func clearModels() {
        for index in holderIndices { slot(at: index).clear() }
    }
}

/// Copies a graph of models, one model at a time.
package struct ModelGraphCopy {
    /// Whether tracked models are copied in the state of their base.
    private var ofBases = false
    private var copies: [ObjectIdentifier: DynamicModel] = [:]
    /// Shallow copies, which still refer to models of the original graph.
    private var pending: [DynamicModel] = []
    /// Slots of copies with a weak reference, and the reference. They are set once every model is copied. `copies`
    /// keeps the copies, and so their slots.
    private var weakReferences: [(slot: PropertySlot, reference: WeakModelBox)] = []
    /// Copies with parent references to them, in the order in which they were visited.
    private var parents: [DynamicModel] = []

    static func copy<Model: DynamicModel>(_ root: Model) -> Model {
        var graph = ModelGraphCopy()
        return graph.copyAll(from: root)
    }

    /// Returns copies in which reading writes nothing, and all their models. All lazily made values are made.
    static func preparedCopies(of roots: [DynamicModel]) -> (roots: [DynamicModel], all: [DynamicModel]) {
        let copies = copies(of: roots)
        for model in copies.all {
            for index in model.slotIndices { model.slot(at: index).prepare() }
            // Many threads read the copy, and notes about reads are writes.
            if model.layout.isObserved { model.ensureCompanion().isFrozen = true }
        }
        return copies
    }

    /// Copies the base of a graph, in models of the same classes; nil for a model that is not tracked.
    package static func copyOfBase(of root: DynamicModel) -> DynamicModel? {
        guard root.trackedBase != nil else { return nil }
        var graph = ModelGraphCopy(ofBases: true)
        return graph.copyAll(from: root)
    }

    /// Copies graphs that may share models, and returns the copies of the roots and those of all models.
    ///
    /// Copies of models that form a cycle do so, too: whoever drops them takes them apart.
    package static func copies(of roots: [DynamicModel]) -> (roots: [DynamicModel], all: [DynamicModel]) {
        var graph = ModelGraphCopy()
        let copies = roots.map { graph.copy(of: $0) }
        graph.finish()
        return (copies, Array(graph.copies.values))
    }

    private mutating func copyAll<Model: DynamicModel>(from root: Model) -> Model {
        let copy = copy(of: root)
        finish()
        return copy.known(as: Model.self)
    }

    /// Copies what the shallow copies still refer to.
    private mutating func finish() {
        while let copy = pending.popLast() {
            for index in copy.slotIndices { deepen(copy.slot(at: index)) }
        }
        for parent in parents { parent.linkChildren() }
        redirectWeakReferences()
    }

    /// Returns the shallow copy of a model, which the first call makes.
    private mutating func copy(of model: DynamicModel) -> DynamicModel {
        if let existing = copies[ObjectIdentifier(model)] { return existing }
        let copy = ofBases ? model.stateBefore() : model.copy()
        copies[ObjectIdentifier(model)] = copy
        pending.append(copy)
        if copy.hasChildProperties { parents.append(copy) }
        return copy
    }

    /// Replaces the models in a slot of a shallow copy with their copies.
    private mutating func deepen(_ slot: PropertySlot) {
        guard slot.hasValue else { return }
        let state = slot.slotState
        switch slot.description.kind {
        case .model:
            slot.replace(with: copy(of: slot.model), state: state)
        case .weakModel:
            weakReferences.append((slot, slot.weakReference))
            slot.clear()
        case .array, .set:
            let list = slot.list
            let copied = SlotList.make(like: list, capacity: list.count)
            for index in 0..<list.count { copyElement(list.slot(at: index), to: copied.appendSlot()) }
            slot.replace(with: copied, state: state)
        case .dictionary:
            let list = slot.dictionary
            let copied = SlotDictionary(like: list)
            for index in 0..<list.count { copyElement(list.slot(at: index), to: copied.slot(forKey: list.keys[index])) }
            slot.replace(with: copied, state: state)
        default: break
        }
    }

    /// Sets weak references to models of the graph to their copies; other references stay empty.
    private func redirectWeakReferences() {
        for (slot, reference) in weakReferences {
            guard let target = reference.model, let copy = copies[ObjectIdentifier(target)] else { continue }
            slot.replace(with: WeakModelBox(copy))
        }
    }

    private mutating func copyElement(_ element: PropertySlot, to target: PropertySlot) {
        target.copyContent(of: element)
        deepen(target)
    }
}
