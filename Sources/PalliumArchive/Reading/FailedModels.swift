import PalliumCore

/// Removes failed models from their holders, and leaves out models that require them.
///
/// Models fail if they could not be read or if rules refuse them. The holders of all models are found once, when the
/// first model fails. Then each reference is visited once, and each collection is rebuilt at most twice.
///
/// Safety: a slot that has a value holds the type of its kind, and every slot is read by its kind.
struct FailedModels {
    /// A slot that holds a model.
    private struct Holder {
        let number: UInt32
        let slot: UInt32
    }

    private let total: Int
    /// The index of each model's first holder, and the end of the last one's; empty until it is needed.
    private var starts: [Int] = []
    private var holders: [Holder] = []
    /// The slots that hold failed models.
    private var dirty: [Int: Set<Int>] = [:]

    init(_ total: Int) { self.total = total }

    func isDirty(_ number: Int) -> Bool { dirty[number] != nil }

    /// Finds the models that require failed models, and removes failed models from all others.
    mutating func spread(_ reader: inout GraphReader) {
        for number in reader.problems.failed.keys.sorted() { spread(number, &reader) }
        cleanAll(&reader)
    }

    /// Finds the models that require a failed model.
    mutating func spread(_ number: Int, _ reader: inout GraphReader) {
        if starts.isEmpty { findHolders(reader) }
        var pending = [number]
        while let failed = pending.popLast() {
            for holder in holders[starts[failed]..<starts[failed + 1]] {
                let (number, slot) = (Int(holder.number), Int(holder.slot))
                guard reader.problems.failed[number] == nil, let model = reader.requestedObject(number) else {
                    continue
                }
                let property = model.layout.properties[slot]
                let isElement = property.descriptor.element != nil
                let survives =
                    isElement && reader.problems.dropsElements
                    || reader.problems.isReporting && !property.schema.isRequired
                if survives {
                    dirty[number, default: []].insert(slot)
                } else {
                    reader.problems.fail(number, becauseOf: failed)
                    pending.append(number)
                }
            }
        }
    }

    /// Removes the failed models from all holders that were not cleaned yet.
    mutating func cleanAll(_ reader: inout GraphReader) {
        for number in dirty.keys { clean(number, &reader) }
    }

    /// Removes the failed models from one holder.
    mutating func clean(_ number: Int, _ reader: inout GraphReader) {
        guard let slots = dirty.removeValue(forKey: number), let model = reader.requestedObject(number) else { return }
        // Hooks may have changed the models, so their present values are read.
        let failed = Set(slots.flatMap { failedModels(in: model.slot(at: $0), reader) })
        for index in slots {
            let slot = model.slot(at: index)
            if reader.problems.dropsElements, slot.description.element != nil {
                Self.remove(failed, from: slot)
            } else {
                reader.removeValue(index, of: model)
            }
        }
    }

    private func failedModels(in slot: PropertySlot, _ reader: borrowing GraphReader) -> [ObjectIdentifier] {
        var models: [ObjectIdentifier] = []
        slot.forEachModel { models.append(ObjectIdentifier($0)) }
        return models.filter { identifier in numbers[identifier].map { reader.problems.failed[$0] != nil } ?? false }
    }

    /// The numbers of all models.
    private var numbers: [ObjectIdentifier: Int] = [:]

    private mutating func findHolders(_ reader: borrowing GraphReader) {
        for number in 0..<total {
            if let model = reader.requestedObject(number) { numbers[ObjectIdentifier(model)] = number }
        }
        // Holders are counted first, then sorted by model.
        starts = Array(repeating: 0, count: total + 2)
        forEachReference(reader) { starts, _, held, _ in starts[held + 2] += 1 }
        for number in 2..<starts.count { starts[number] += starts[number - 1] }
        holders = Array(repeating: Holder(number: 0, slot: 0), count: starts[total + 1])
        forEachReference(reader) { starts, holders, held, holder in
            holders[starts[held + 1]] = holder
            starts[held + 1] += 1
        }
    }

    private mutating func forEachReference(
        _ reader: borrowing GraphReader, _ body: (inout [Int], inout [Holder], _ held: Int, Holder) -> Void
    ) {
        for number in 0..<total {
            guard let model = reader.requestedObject(number) else { continue }
            for index in model.layout.properties.indices {
                model.slot(at: index).forEachModel { held in
                    guard let position = numbers[ObjectIdentifier(held)] else { return }
                    body(&starts, &holders, position, Holder(number: UInt32(number), slot: UInt32(index)))
                }
            }
        }
    }

    /// Removes elements of collections. Recursion is bounded by the nesting of kinds.
    private static func remove(_ failed: Set<ObjectIdentifier>, from slot: PropertySlot) {
        guard slot.hasValue else { return }
        switch slot.description.kind {
        case .array, .set:
            let old = slot.list
            let list = SlotList.make(of: slot.description, capacity: old.count)
            for index in 0..<old.count where !isOne(of: failed, old.slot(at: index)) {
                let target = list.appendSlot()
                target.copyContent(of: old.slot(at: index))
                remove(failed, from: target)
            }
            slot.replace(with: list)
        case .dictionary:
            let old = slot.dictionary
            let list = SlotDictionary(of: slot.description)
            for index in 0..<old.count where !isOne(of: failed, old.slot(at: index)) {
                let target = list.slot(forKey: old.keys[index])
                target.copyContent(of: old.slot(at: index))
                remove(failed, from: target)
            }
            slot.replace(with: list as SlotList)
        default: break
        }
    }

    private static func isOne(of failed: Set<ObjectIdentifier>, _ slot: PropertySlot) -> Bool {
        guard slot.hasValue, slot.description.kind == .model else { return false }
        return failed.contains(ObjectIdentifier(slot.model))
    }
}
