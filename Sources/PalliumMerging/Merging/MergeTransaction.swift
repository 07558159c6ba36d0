import PalliumCore

/// The models that a merge changes, with what it takes to restore them.
///
/// The first write to a model keeps a shadow, a copy of its slots. The changes of the merge are what differs between the
/// shadows and the models.
///
/// Safety: slots are numbered by the table of the model, and a shadow has the same table.
struct MergeTransaction {
    /// A model that was written to.
    struct Modified {
        let model: DynamicModel
        let path: Int
        /// The slots as they were.
        let shadow: DynamicModel
        /// Whether changes are reported and parent references moved. False for bases, which are nobody's parent, and for
        /// models that the merge attaches or makes: parent references to attached models are set at the end.
        fileprivate(set) var isReported: Bool
        /// By slot, what the last write was about; nil where nothing was written.
        fileprivate(set) var notes: [ModelDifference.Note?]

        /// The slots that were written to.
        var slots: some Sequence<Int> { notes.indices.lazy.filter { notes[$0] != nil } }
    }

    private(set) var modified: [Modified] = []
    private var numbers = AddressTable()
    /// Parent references as they were before models were attached or detached.
    private var parents: [(child: DynamicModel, slot: Int, content: TemporarySlot)] = []

    /// Gives a slot other content, and moves the parent references of the models there.
    ///
    /// - Parameter shadow: A copy of the model as it is, if there is one already.
    mutating func write(
        _ content: PropertySlot, at index: Int, of model: DynamicModel, _ note: ModelDifference.Note,
        shadow: DynamicModel? = nil, path: @autoclosure () -> Int, isReported: @autoclosure () -> Bool
    ) {
        let number: Int
        if let last = modified.indices.last, modified[last].model === model {
            number = last
        } else if let former = numbers.insert(modified.count, for: model) {
            number = former
        } else {
            number = modified.count
            modified.append(
                Modified(
                    model: model, path: path(), shadow: shadow ?? model.copySlots(in: DynamicModel.self),
                    isReported: isReported(),
                    notes: Array(repeating: nil, count: unsafe model.table.pointee.slotCount)))
        }
        modified[number].notes[index] = note
        let slot = model.slot(at: index)
        func fill() {
            slot.clear()
            slot.copyContent(of: content)
        }
        guard modified[number].isReported else { return fill() }
        keepParents(in: slot, at: index, of: model)
        keepParents(in: content, at: index, of: model)
        model.change(slot, by: fill)
    }

    /// Leaves out the changes of a model.
    mutating func stopReporting(_ model: DynamicModel) {
        if let number = numbers[model] { modified[number].isReported = false }
    }

    /// Points the parent references of all children of a model at it.
    mutating func linkChildren(of model: DynamicModel) {
        guard unsafe model.table.pointee.hasChildren else { return }
        for child in model.layout.childSlots {
            keepParents(in: model.slot(at: child.slot), at: child.slot, of: model)
        }
        model.linkChildren()
    }

    /// Keeps the parent references of the models in the content of a slot, where the property keeps them right.
    private mutating func keepParents(in content: PropertySlot, at index: Int, of model: DynamicModel) {
        guard unsafe model.table.pointee.hasChildren,
            let place = model.layout.childSlots.first(where: { $0.slot == index })
        else { return }
        content.forEachModel { child in
            parents.append((child, place.inverse, TemporarySlot(copying: child.slot(at: place.inverse))))
        }
    }

    /// Restores all models.
    mutating func rollBack() {
        for entry in modified {
            let (model, shadow) = (entry.model, entry.shadow)
            for index in model.slotIndices {
                let slot = model.slot(at: index)
                if slot.holdsSameBytes(as: shadow.slot(at: index)) { continue }
                func restore() { slot.takeContent(of: shadow.slot(at: index)) }
                if entry.isReported { model.change(slot, by: restore) } else { restore() }
            }
        }
        for parent in parents.reversed() { parent.child.slot(at: parent.slot).takeContent(of: parent.content.slot) }
        self = MergeTransaction()
    }

    /// The differences between the shadows and the models.
    func changes(_ paths: ChangePaths) -> [ModelChange] {
        var difference = ModelDifference(paths: paths)
        for number in modified.indices where modified[number].isReported {
            let (model, shadow, path) = (modified[number].model, modified[number].shadow, modified[number].path)
            let layout = model.layout
            for index in model.comparedSlotIndices {
                let (old, new) = (shadow.slot(at: index), model.slot(at: index))
                if old.holdsSameBytes(as: new) { continue }
                difference.compare(
                    old, new, key: layout.properties[index].key, path: path, step: .property(index, layout),
                    note: modified[number].notes[index] ?? ModelDifference.Note(decision: .corrected))
            }
        }
        difference.finish()
        return difference.changes
    }
}
