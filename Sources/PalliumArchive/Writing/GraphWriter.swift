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
/// Safety: the models are reached through unmanaged references. The roots, which the caller holds, keep them alive.
/// Only your transformers could change the graph meanwhile, so the writer retains every object before the first of them
/// runs, and from then on.
@safe
struct GraphWriter: ~Copyable {
    @unsafe
    struct Object {
        let model: Unmanaged<DynamicModel>
        let plan: Unmanaged<ArchiveWritingPlan>
    }

    var buffer: JSONByteBuffer
    private(set) var index = JSONByteBuffer(capacity: 1024)
    private(set) var objects: [Object] = unsafe []
    private(set) var roots: [Int] = []
    private var plans: [ArchiveWritingPlan] = []
    private var planByLayout: [UnsafePointer<RawLayout>: Int] = unsafe [:]
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
    ) throws(ModelError) -> (memory: UnsafeMutableRawPointer, count: Int) {
        var writer = GraphWriter(capacity: capacity, validates: validates)
        let (memory, count) = try unsafe writer.write(models)
        guard validates else { return unsafe (memory, count) }
        let archive = unsafe UnsafeRawBufferPointer(start: memory, count: count)
        do throws(ModelError) { try unsafe writer.tryReading(archive) } catch {
            // The memory has no other owner.
            unsafe free(memory)
            throw error
        }
        return unsafe (memory, count)
    }

    /// Throws if the archive could not be opened.
    ///
    /// If your validators, rules or transformers decide that, the archive is read. Rules may correct models, depend on
    /// values that archives leave out, and ask for the parent of a child, so nothing short of reading predicts them.
    private func tryReading(_ archive: UnsafeRawBufferPointer) throws(ModelError) {
        guard plans.contains(where: \.mustBeTried) || rulesRefuse() else { return }
        var reader = try unsafe GraphReader(archive, .layouts(plans.map(\.layout)), ReadingProblems())
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
        let models = unsafe held ?? objects.map { unsafe $0.model.takeUnretainedValue() }
        return models.contains { model in
            if !model.keepsRules { return true }
            guard model.layout.classMayRefuse else { return false }
            do throws(ModelError) { try model.copy().runModelRules { _ in [] } } catch { return true }
            return false
        }
    }

    private mutating func write(
        _ models: [DynamicModel]
    ) throws(ModelError) -> (memory: UnsafeMutableRawPointer, count: Int) {
        buffer.beginArchive()
        var written = 0
        for (position, model) in models.enumerated() {
            models.prefetchElement(after: position)
            unsafe roots.append(try number(of: Unmanaged.passUnretained(model), isShared: true))
            while unsafe written < objects.count {
                try writeRecord(written)
                written += 1
            }
        }
        let recordsLength = buffer.count - ArchiveHeader.byteCount
        try writeIndex()
        return unsafe buffer.finishArchive(recordsLength: recordsLength, plans.map(\.schema))
    }

    // MARK: Objects

    /// Returns the number of an object, and gives it one if necessary.
    ///
    /// - Parameter isShared: Whether there can be further references to it.
    mutating func number(of model: Unmanaged<DynamicModel>, isShared: Bool) throws(ModelError) -> Int {
        guard isShared || numbersAll else { return try unsafe add(model) }
        if let number = unsafe numbers[UInt(bitPattern: model.toOpaque())] { return number }
        let number = try unsafe add(model)
        unsafe numbers.insert(number, for: UInt(bitPattern: model.toOpaque()))
        return number
    }

    @inline(__always)
    private mutating func add(_ model: Unmanaged<DynamicModel>) throws(ModelError) -> Int {
        let (rawLayout, hasCompanion) = unsafe model._withUnsafeGuaranteedRef { unsafe ($0.rawLayout, $0.hasCompanion) }
        let plan = try unsafe plan(for: rawLayout)
        let number = unsafe objects.count
        unsafe objects.append(Object(model: model, plan: plan.reference))
        unsafe index.append(variable: UInt64(plan.number))
        if hasCompanion { preserving.append(number) }
        unsafe held?.append(model.takeUnretainedValue())
        return number
    }

    @inline(__always)
    private mutating func plan(
        for rawLayout: UnsafePointer<RawLayout>
    ) throws(ModelError) -> (reference: Unmanaged<ArchiveWritingPlan>, number: Int) {
        // A graph has few schemas; the first ones are found without hashing.
        var number = 0
        while number < min(plans.count, 8) {
            if unsafe plans[number].rawLayout == rawLayout {
                return unsafe (Unmanaged.passUnretained(plans[number]), number)
            }
            number &+= 1
        }
        return try unsafe findPlan(for: rawLayout)
    }

    @inline(never)
    private mutating func findPlan(
        for rawLayout: UnsafePointer<RawLayout>
    ) throws(ModelError) -> (reference: Unmanaged<ArchiveWritingPlan>, number: Int) {
        if let number = unsafe planByLayout[rawLayout] {
            return unsafe (Unmanaged.passUnretained(plans[number]), number)
        }
        let number = plans.count
        let plan = try unsafe ArchiveWritingPlan(
            rawLayout.pointee.layout.takeUnretainedValue(), number: number, validates: validates)
        plans.append(plan)
        unsafe planByLayout[rawLayout] = number
        if plan.hasConditionalEntries, !numbersAll {
            numbersAll = true
            for number in unsafe objects.indices {
                unsafe numbers.insert(number, for: UInt(bitPattern: objects[number].model.toOpaque()))
            }
        }
        if plan.runsTransformers, held == nil { held = unsafe objects.map { unsafe $0.model.takeUnretainedValue() } }
        return unsafe (Unmanaged.passUnretained(plan), number)
    }

    // MARK: Records

    private mutating func writeRecord(_ number: Int) throws(ModelError) {
        let object = unsafe objects[number]
        let (entries, count, runsTransformers) = unsafe object.plan._withUnsafeGuaranteedRef {
            unsafe ($0.entries, $0.count, $0.runsTransformers)
        }
        let (slots, rawLayout) = unsafe object.model._withUnsafeGuaranteedRef { unsafe ($0.slots, $0.rawLayout) }
        let states = unsafe (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        unsafe DynamicModel.prefetchHeld(slots, rawLayout)
        let start = buffer.count
        unsafe writeStates(states, entries, count)
        if runsTransformers {
            transformers = unsafe rawLayout.pointee.layout.takeUnretainedValue().transformers
            return try unsafe writeConverting(number, entries, count, slots, states, start)
        }
        var position = 0
        do throws(ModelError) {
            while position < count {
                try unsafe writeValue(number, position, entries + position, slots, states)
                position &+= 1
            }
        } catch { throw located(error, number, position) }
    }

    @inline(__always)
    private mutating func writeValue(
        _ number: Int, _ position: Int, _ entry: UnsafePointer<WritingEntry>, _ slots: UnsafeMutableRawPointer,
        _ states: UnsafeMutablePointer<UInt8>
    ) throws(ModelError) {
        let slot = unsafe entry.pointee.slot
        if unsafe SlotState(rawValue: states[slot]).hasValue {
            if unsafe entry.pointee.isConditional {
                conditional.append((number, position))
            } else {
                try unsafe write(entry.pointee.kind, slots + slot &* 16, states + slot, entry.pointee.descriptor, false)
            }
        } else if unsafe entry.pointee.isRequired {
            // The archive could not be opened.
            let descriptor = unsafe entry.pointee.descriptor.takeUnretainedValue()
            throw ModelError(
                .missingProperty, descriptor, expected: "a value for the required property", found: "none")
        }
    }

    /// Writes the values of a model with transformers of yours.
    ///
    /// Throws if a transformer changes a state that was written already, because the record could not be read.
    @inline(never)
    private mutating func writeConverting(
        _ number: Int, _ entries: UnsafePointer<WritingEntry>, _ count: Int, _ slots: UnsafeMutableRawPointer,
        _ states: UnsafeMutablePointer<UInt8>, _ start: Int
    ) throws(ModelError) {
        for position in 0..<count {
            let entry = unsafe entries + position
            let state = unsafe SlotState(rawValue: states[entry.pointee.slot])
            let byte = unsafe buffer.withBytes { unsafe $0[start + position / 4] }
            do throws(ModelError) {
                guard unsafe entry.pointee.archivedState(state).rawValue == byte >> UInt8(position % 4 * 2) & 3 else {
                    let descriptor = unsafe entry.pointee.descriptor.takeUnretainedValue()
                    throw ModelError(
                        .transformerFailed, descriptor, expected: "transformers that leave models as they are",
                        found: "one that changed \(descriptor.path) while it was archived")
                }
                try unsafe writeValue(number, position, entry, slots, states)
            } catch { throw located(error, number, position) }
        }
    }

    /// Two bits for each property, four properties a byte: `ArchivedState`.
    @inline(__always)
    private mutating func writeStates(
        _ states: UnsafeMutablePointer<UInt8>, _ entries: UnsafePointer<WritingEntry>, _ count: Int
    ) {
        let length = (count &+ 3) &>> 2
        _ = unsafe buffer.appendBytes(atMost: length) { target in
            var position = 0
            var byte: UInt8 = 0
            while position < count {
                let state = unsafe SlotState(rawValue: states[entries[position].slot])
                let code = unsafe entries[position].archivedState(state)
                byte |= code.rawValue &<< UInt8(truncatingIfNeeded: (position & 3) &* 2)
                position &+= 1
                if position & 3 == 0 || position == count {
                    unsafe target[(position &- 1) &>> 2] = byte
                    byte = 0
                }
            }
            return length
        }
    }

    func located(_ error: ModelError, _ object: Int, _ entry: Int) -> ModelError {
        let property = unsafe objects[object].plan.takeUnretainedValue().schema.properties[entry]
        return error.under(property: property.key, isSensitive: property.isSensitive).at(["objects", "\(object)"])
            .located()
    }

    // MARK: Values

    /// Writes a value.
    ///
    /// - Parameter isShared: Whether a collection around the value is shared, so that its elements have more references
    ///   than they count.
    @inline(__always)
    mutating func write(
        _ kind: ArchivedKind, _ pointer: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<UInt8>,
        _ descriptor: Unmanaged<ValueDescriptor>, _ isShared: Bool
    ) throws(ModelError) {
        switch kind {
        case .bool: unsafe buffer.append(byte: pointer.load(as: UInt64.self) == 0 ? 0 : 1)
        case .integer: unsafe buffer.append(zigzag: pointer.load(as: Int64.self))
        case .double, .moment: unsafe buffer.append(fixed: pointer.load(as: Double.self).bitPattern)
        case .date:
            unsafe buffer.append(fixed: pointer.load(as: Double.self).bitPattern)
            unsafe buffer.append(variable: pointer.load(as: SpelledDate.self).spelling.rawValue)
        case .string: unsafe buffer.append(text: UnsafePointer(pointer.assumingMemoryBound(to: String.self)))
        case .url where unsafe !SlotState(rawValue: state.pointee).isBoxed:
            if unsafe SlotState(rawValue: state.pointee).isPacked {
                unsafe buffer.append(counted: UnsafeRawBufferPointer(SlotOperations.packedText(pointer)))
            } else {
                unsafe buffer.append(text: UnsafePointer(pointer.assumingMemoryBound(to: String.self)))
            }
        case .enumeration where unsafe !SlotState(rawValue: state.pointee).isBoxed:
            unsafe buffer.append(variable: UInt64(pointer.load(as: Int.self)))
        case .model:
            // The slot holds one reference, so a model with a single reference was not visited before. The check writes
            // nothing.
            let isShared =
                unsafe isShared
                || !isKnownUniquelyReferenced(&pointer.assumingMemoryBound(to: DynamicModel.self).pointee)
            let model = unsafe Unmanaged<DynamicModel>.fromOpaque(pointer.load(as: UnsafeRawPointer.self))
            unsafe buffer.append(variable: UInt64(try number(of: model, isShared: isShared)))
        case .array, .set:
            let isShared =
                unsafe isShared || !isKnownUniquelyReferenced(&pointer.assumingMemoryBound(to: SlotList.self).pointee)
            try unsafe writeElements(SlotOperations.box(SlotList.self, pointer), isShared)
        default:
            try unsafe writeOther(kind, PropertySlot(pointer: pointer, state: state, descriptor: descriptor), isShared)
        }
    }
}
