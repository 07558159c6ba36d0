import PalliumJSON

/// Models that code writes to, each with a copy of its slots as they were before the first write.
package final class WriteRecord {
    package struct Entry {
        package let model: DynamicModel
        /// A plain model of the same layout.
        package let shadow: DynamicModel
        /// The base of tracked changes; nil when they were not tracked.
        fileprivate let base: DynamicModel?
        /// The number by which a merge knows the model; -1 if it does not.
        fileprivate var mergeNumber = -1

        /// The slots whose content is not the same as before.
        package var changedSlots: [Int] {
            model.slotIndices.filter { model.slot(at: $0).hasChanged(from: shadow.slot(at: $0)) }
        }
    }

    // Each access is a single one that calls nothing else.
    @safe @exclusivity(unchecked) package private(set) final var entries: [Entry] = []
    @safe @exclusivity(unchecked) private final var numbers = AddressTable()
    /// Other steps that take the writes back.
    @safe @exclusivity(unchecked) private final var undoings: [() -> Void] = []
    /// Whether one of the models is observed.
    @safe @exclusivity(unchecked) private(set) final var holdsObserved = false

    package init() {}

    /// Adds a model unless the record has it. Returns the number of its entry.
    ///
    /// - Parameter shadow: A copy of the model as it is, if there is one already.
    @discardableResult
    package final func add(_ model: DynamicModel, shadow: DynamicModel? = nil) -> Int {
        if let known = enter(model) { return known }
        entries.append(
            Entry(
                model: model, shadow: shadow ?? model.copySlots(in: DynamicModel.self), base: model.trackedBase))
        return entries.count - 1
    }

    /// Adds a model unless the record has it, and numbers it for a merge.
    ///
    /// - Parameter next: The number of a model that the merge does not know yet.
    /// - Returns: The number by which the merge knows the model, and its shadow.
    package final func add(
        _ model: DynamicModel, shadow: DynamicModel?, mergeNumber next: Int
    ) -> (number: Int, shadow: DynamicModel) {
        let index = add(model, shadow: shadow)
        if entries[index].mergeNumber < 0 { entries[index].mergeNumber = next }
        return (entries[index].mergeNumber, entries[index].shadow)
    }

    /// Returns the number by which a merge knows a model; nil if it does not.
    package final func mergeNumber(of model: DynamicModel) -> Int? {
        number(of: model).map { entries[$0].mergeNumber }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Takes over a transaction inside this one, which has ended.
    final func take(_ inner: WriteRecord) {
        guard entries.isEmpty else { return add(inner) }
        entries = inner.entries
        numbers = inner.numbers
        undoings += inner.undoings
        holdsObserved = inner.holdsObserved
        for index in entries.indices { entries[index].mergeNumber = -1 }
    }

    /// Adds the models of a later record that this one does not have, if they are wanted.
    package final func add(_ later: WriteRecord, where isWanted: (DynamicModel) -> Bool = { _ in true }) {
        for var entry in later.entries where isWanted(entry.model) && enter(entry.model) == nil {
            entry.mergeNumber = -1
            entries.append(entry)
        }
        undoings += later.undoings
    }

    /// Adds a step that runs when the writes are taken back.
    package final func onRestoring(_ undo: @escaping () -> Void) { undoings.append(undo) }

    /// Returns the number of a model; nil if the record does not have it, but expects it next.
    private final func enter(_ model: DynamicModel) -> Int? {
        if let last = entries.last, last.model === model { return entries.count - 1 }
        // Most records have one model and need no table.
        if entries.count == 1 { numbers.insert(0, for: entries[0].model) }
        if !entries.isEmpty, let former = numbers.insert(entries.count, for: model) { return former }
        if model.layout.isObserved { holdsObserved = true }
        return nil
    }

    /// Returns the number of the entry of a model; nil when the record does not have it.
    package final func number(of model: DynamicModel) -> Int? {
        if entries.count == 1 { return entries[0].model === model ? 0 : nil }
        return numbers[model]
    }

    /// Returns the slots of a model as they were before; nil when the record does not have the model.
    package final func shadow(of model: DynamicModel) -> DynamicModel? { number(of: model).map { entries[$0].shadow } }

    /// Gives all models the slots that they had before, the members that no property maps, and the base of tracked changes.
    ///
    /// Parent references need no care of their own: the code that moves one adds its model to the record.
    final func restore() {
        for entry in entries {
            for index in entry.model.slotIndices {
                let (slot, former) = (entry.model.slot(at: index), entry.shadow.slot(at: index))
                if !slot.holdsSameBytes(as: former) { slot.takeContent(of: former) }
            }
            entry.model.unknownMembers = entry.shadow.unknownMembers
            entry.model.trackedBase = entry.base
        }
        for undo in undoings.reversed() { undo() }
    }
}
