import PalliumCore

/// The models that a merge changes, and what it changed them for.
///
/// The first write opens a transaction, which keeps the slots of each model as they were. The changes of the merge are
/// what differs from that.
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

        /// Whether a slot holds something else than before, other than a set in another order.
        var isChanged: Bool {
            slots.contains { index in
                let (old, new) = (shadow.slot(at: index), model.slot(at: index))
                guard new.hasChanged(from: old) else { return false }
                guard old.hasValue, new.hasValue, old.slotState.propertyBits == new.slotState.propertyBits,
                    old.description.kind == .set, old.description.holdsModels
                else { return true }
                return old.modelAddresses != new.modelAddresses
            }
        }

        /// The slots that were written to.
        var slots: some Sequence<Int> { notes.indices.lazy.filter { notes[$0] != nil } }
    }

    private(set) var modified: [Modified] = []
    /// The transaction; nil before the first write.
    private var record: WriteRecord?

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
        } else {
            let entry = openRecord().add(model, shadow: shadow, mergeNumber: modified.count)
            number = entry.number
            if number == modified.count {
                modified.append(
                    Modified(
                        model: model, path: path(), shadow: entry.shadow, isReported: isReported(),
                        notes: Array(repeating: nil, count: model.slotIndices.count)))
            }
        }
        modified[number].notes[index] = note
        let slot = model.slot(at: index)
        func fill() {
            slot.clear()
            slot.copyContent(of: content)
        }
        if modified[number].isReported { model.change(slot, by: fill) } else { fill() }
    }

    /// Begins the transaction unless a write did: hooks and mergers, which may write, belong to it.
    @discardableResult
    mutating func openRecord() -> WriteRecord {
        if let record { return record }
        let record = WriteTransaction.begin()
        self.record = record
        return record
    }

    /// Leaves out the changes of a model.
    mutating func stopReporting(_ model: DynamicModel) {
        if let number = record?.mergeNumber(of: model) { modified[number].isReported = false }
    }

    /// Points the parent references of all children of a model at it.
    mutating func linkChildren(of model: DynamicModel) {
        let children = model.layout.childSlots
        if children.isEmpty { return }
        let record = openRecord()
        for child in children { model.slot(at: child.slot).forEachModel { record.add($0) } }
        model.linkChildren()
    }

    /// Ends the transaction and restores all models.
    mutating func rollBack() {
        if let record { WriteTransaction.rollBack(record) }
        self = MergeTransaction()
    }

    /// Ends the transaction; observers hear of it.
    mutating func commit() {
        if let record { WriteTransaction.commit(record) }
        record = nil
    }

    /// The differences between the shadows and the models.
    func changes(_ paths: GraphPaths) -> [ModelChange] {
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

extension PropertySlot {
    fileprivate var modelAddresses: Set<ObjectIdentifier> {
        var addresses: Set<ObjectIdentifier> = []
        forEachModel { addresses.insert(ObjectIdentifier($0)) }
        return addresses
    }
}
