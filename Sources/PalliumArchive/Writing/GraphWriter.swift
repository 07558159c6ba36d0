import Foundation
import PalliumCore
import PalliumJSON

/// Writes graphs of models in one pass and without recursion. Objects are numbered when they are first visited, and
/// their records follow one another in the order of the numbers.
///
/// ```
///   objects   0 Issue │ 1 User │ 2 Label │ 3 Label │ …        visited so far
///   records   [ 0 ][ 1 ][ 2 ]                                written so far; writing one may add objects at the end
/// ```
/// An object is looked up by its address only if there can be a second reference to it. One whose only reference is the
/// current slot is visited once only.
///
/// Safety: the entries of a plan have numbers of slots of its layout, which is that of the model.
///
/// The models are reached through references that are not counted. The roots, which the caller holds, keep them alive.
/// Only your transformers could change the graph meanwhile, so the writer retains every object before the first of them
/// runs, and from then on.
struct GraphWriter: ~Copyable {
    struct Object {
        let model: Unowned<DynamicModel>
        let plan: Unowned<ArchiveWritingPlan>
    }

    var buffer: JSONByteBuffer
    private(set) var index = JSONByteBuffer(capacity: 1024)
    private(set) var objects: [Object] = []
    private(set) var roots: [Int] = []
    private var plans: [ArchiveWritingPlan] = []
    private var planByLayout: [LayoutIdentifier: Int] = [:]
    private(set) var numbers = AddressTable()
    /// Whether every object is in `numbers`, because weak references do not count as references.
    private var numbersAll = false
    private var held: [DynamicModel]?
    /// The values of conditional properties. The models that are in the archive for other reasons are known only at the
    /// end.
    private(set) var conditional: [(object: Int, entry: Int)] = []
    private(set) var preserving: [Int] = []
    /// The transformers of the object that is written.
    var transformers = TransformerRegistry.shared

    /// Whether archives that could not be opened are refused.
    private let validates: Bool

    init(capacity: Int, validates: Bool) {
        buffer = JSONByteBuffer(capacity: capacity + ArchiveHeader.byteCount)
        self.validates = validates
    }

    /// Writes an archive of the models and everything they hold.
    static func archive(
        _ models: [DynamicModel], capacity: Int, validates: Bool
    ) throws(ModelError) -> OwnedBytes {
        var writer = GraphWriter(capacity: capacity, validates: validates)
        let archive = try writer.write(models)
        if validates { try archive.withBorrowedBytes { bytes throws(ModelError) in try writer.tryReading(bytes) } }
        return archive
    }

    /// Throws if the archive could not be opened.
    ///
    /// If your validators, rules or transformers decide that, the archive is read. Rules may correct models, depend on
    /// values that archives leave out, and ask for the parent of a child, so nothing short of reading predicts them.
    private func tryReading(_ archive: BorrowedBytes) throws(ModelError) {
        guard plans.contains(where: \.mustBeTried) || rulesRefuse() else { return }
        var reader = try GraphReader(archive, .layouts(plans.map(\.layout)), ReadingProblems())
        try reader.tryReading()
    }

    /// Whether rules that are data, or the rule of a class, may refuse the archived models.
    ///
    /// The rule of a class checks copies of models that hold exactly what the archive holds, which is cheaper than
    /// reading. A rule that refuses a copy may have looked for the original model, so then the archive is read.
    private func rulesRefuse() -> Bool {
        guard plans.contains(where: { $0.layout.isRuled || $0.layout.classMayRefuse }) else { return false }
        if plans.contains(where: \.leavesValuesOut) { return true }
        // Your rules could change the graph.
        let models = held ?? objects.map { $0.model.object }
        return models.contains { model in
            if !model.keepsRules { return true }
            guard model.layout.classMayRefuse else { return false }
            do throws(ModelError) { try model.copy().runModelRules { _ in [] } } catch { return true }
            return false
        }
    }

    private mutating func write(_ models: [DynamicModel]) throws(ModelError) -> OwnedBytes {
        buffer.beginArchive()
        var written = 0
        for (position, model) in models.enumerated() {
            models.prefetchElement(after: position)
            roots.append(try number(of: model.unowned, isShared: true))
            while written < objects.count {
                try writeRecord(written)
                written += 1
            }
        }
        let recordsLength = buffer.count - ArchiveHeader.byteCount
        try writeIndex()
        return buffer.finishArchive(recordsLength: recordsLength, plans.map(\.schema))
    }

    // MARK: Objects

    /// Returns the number of an object, and gives it one if necessary.
    ///
    /// - Parameter isShared: Whether there can be further references to it.
    mutating func number(of model: Unowned<DynamicModel>, isShared: Bool) throws(ModelError) -> Int {
        guard isShared || numbersAll else { return try add(model) }
        if let number = numbers[model.address] { return number }
        let number = try add(model)
        numbers.insert(number, for: model.address)
        return number
    }

    @inline(__always)
    private mutating func add(_ model: Unowned<DynamicModel>) throws(ModelError) -> Int {
        let plan = try plan(for: model)
        let number = objects.count
        objects.append(Object(model: model, plan: plan.reference))
        index.append(variable: UInt64(plan.number))
        if model.with({ $0.hasCompanion }) { preserving.append(number) }
        held?.append(model.object)
        return number
    }

    @inline(__always)
    private mutating func plan(
        for model: Unowned<DynamicModel>
    ) throws(ModelError) -> (reference: Unowned<ArchiveWritingPlan>, number: Int) {
        let layout = model.with { $0.layoutIdentifier }
        // A graph has few schemas; the first ones are found without hashing.
        var number = 0
        while number < min(plans.count, 8) {
            if plans[number].layoutIdentifier == layout { return (plans[number].unowned, number) }
            number &+= 1
        }
        return try findPlan(for: model, layout)
    }

    @inline(never)
    private mutating func findPlan(
        for model: Unowned<DynamicModel>, _ layout: LayoutIdentifier
    ) throws(ModelError) -> (reference: Unowned<ArchiveWritingPlan>, number: Int) {
        if let number = planByLayout[layout] { return (plans[number].unowned, number) }
        let number = plans.count
        let plan = try ArchiveWritingPlan(model.object.layout, number: number, validates: validates)
        plans.append(plan)
        planByLayout[layout] = number
        if plan.hasConditionalEntries, !numbersAll {
            numbersAll = true
            for number in objects.indices { numbers.insert(number, for: objects[number].model.address) }
        }
        if plan.runsTransformers, held == nil { held = objects.map { $0.model.object } }
        return (plan.unowned, number)
    }

    // MARK: Records

    private mutating func writeRecord(_ number: Int) throws(ModelError) {
        let object = objects[number]
        let entries = object.plan.object.entries
        let slots = object.model.with { $0.modelSlots }
        slots.prefetchHeld()
        let start = buffer.count
        writeStates(slots, entries)
        if object.plan.object.runsTransformers {
            transformers = object.model.object.layout.transformers
            return try writeConverting(number, entries, slots, start)
        }
        var position = 0
        do throws(ModelError) {
            while position < entries.count {
                try writeValue(number, position, entries[position], slots)
                position &+= 1
            }
        } catch { throw located(error, number, position) }
    }

    @inline(__always)
    private mutating func writeValue(
        _ number: Int, _ position: Int, _ entry: WritingEntry, _ slots: ModelSlots
    ) throws(ModelError) {
        let slot = unsafe slots[known: entry.slot]
        if slot.hasValue {
            if entry.isConditional {
                conditional.append((number, position))
            } else {
                try write(entry.kind, slot, false)
            }
        } else if entry.isRequired, slot.isMissing, !objects[number].model.object.isAllowedStub {
            // The archive could not be opened.
            let descriptor = entry.descriptor.object
            throw ModelError(
                .missingProperty, descriptor, expected: "a value for the required property", found: "none")
        }
    }

    /// Writes the values of a model with transformers of yours.
    ///
    /// Throws if a transformer changes a state that was written already, because the record could not be read.
    @inline(never)
    private mutating func writeConverting(
        _ number: Int, _ entries: FixedArray<WritingEntry>, _ slots: ModelSlots, _ start: Int
    ) throws(ModelError) {
        for position in 0..<entries.count {
            let entry = entries[position]
            let state = slots.state(of: entry.slot)
            let byte = buffer[start + position / 4]
            do throws(ModelError) {
                guard entry.archivedState(state).rawValue == byte >> UInt8(position % 4 * 2) & 3 else {
                    let descriptor = entry.descriptor.object
                    throw ModelError(
                        .transformerFailed, descriptor, expected: "transformers that leave models as they are",
                        found: "one that changed \(descriptor.path) while it was archived")
                }
                try writeValue(number, position, entry, slots)
            } catch { throw located(error, number, position) }
        }
    }

    /// Two bits for each property, four properties a byte: `ArchivedState`.
    @inline(__always)
    private mutating func writeStates(_ slots: ModelSlots, _ entries: FixedArray<WritingEntry>) {
        let count = entries.count
        let length = (count &+ 3) &>> 2
        buffer.appendBytes(atMost: length) { room in
            var position = 0
            var byte: UInt8 = 0
            while position < count {
                let entry = entries[position]
                let code = unsafe entry.archivedState(slots[known: entry.slot].slotState)
                byte |= code.rawValue &<< UInt8(truncatingIfNeeded: (position & 3) &* 2)
                position &+= 1
                if position & 3 == 0 || position == count {
                    room.store(byte, at: (position &- 1) &>> 2)
                    byte = 0
                }
            }
            return length
        }
    }

    func located(_ error: ModelError, _ object: Int, _ entry: Int) -> ModelError {
        let property = objects[object].plan.object.schema.properties[entry]
        return error.under(property: property.key, isSensitive: property.isSensitive).at(["objects", "\(object)"])
            .located()
    }

    // MARK: Values

    /// Writes a value.
    ///
    /// - Parameter isShared: Whether a collection around the value is shared, so that its elements have more references
    ///   than they count.
    @inline(__always)
    mutating func write(_ kind: ArchivedKind, _ slot: PropertySlot, _ isShared: Bool) throws(ModelError) {
        switch kind {
        case .bool: buffer.append(byte: slot.load(UInt64.self) == 0 ? 0 : 1)
        case .integer: buffer.append(zigzag: slot.load(Int64.self))
        case .double, .moment: buffer.append(fixed: slot.load(Double.self).bitPattern)
        case .date:
            buffer.append(fixed: slot.load(Double.self).bitPattern)
            buffer.append(variable: slot.load(SpelledDate.self).spelling.rawValue)
        case .string: buffer.append(textOf: slot)
        case .url where !slot.slotState.isBoxed:
            if slot.slotState.isPacked { buffer.append(counted: slot.packedText) } else { buffer.append(textOf: slot) }
        case .enumeration where !slot.slotState.isBoxed: buffer.append(variable: UInt64(slot.load(Int.self)))
        case .model:
            // The slot holds one reference, so a model with a single reference was not visited before.
            let isShared = isShared || !slot.hasUniqueModel
            buffer.append(variable: UInt64(try number(of: slot.unownedModel, isShared: isShared)))
        case .array, .set:
            // Asked before a reference to the list is counted.
            let isShared = isShared || !slot.hasUniqueList
            try writeElements(slot.list, isShared)
        default: try writeOther(kind, slot, isShared)
        }
    }
}
