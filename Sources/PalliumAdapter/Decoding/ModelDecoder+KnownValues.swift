import PalliumCore
import PalliumJSON

/// Leaves out values that the target of a root object has already.
///
/// ```
///   document  "title": "Crash", "user": {"id": 7, …}, "labels": [{…}, {…}]
///   target     title    same     user     same          labels   differs      equal values are left out
///   partial    title ◀──┘        user ◀───┘             labels   decoded      or shared with the merge
/// ```
/// Servers mostly repeat data. The decoder compares bytes with slots up to the first difference. There it rewinds to
/// the beginning of the value and decodes it as usual. It compares only values that the library converts itself, so none of
/// your code runs during a comparison. A merge leaves equal values as they are, so nobody can tell whether they were
/// decoded.
///
/// Safety: a slot is read as the type that the operation of its value says, whose table is of the layout that the model
/// or list has; a text is compared within its count, before the reader goes on.
extension ModelDecoder {
    /// How deep values are compared; deeper ones are decoded.
    private static var maximumComparisonDepth: Int { 8 }

    /// Whether values may be left out at all. A comparison would not notice repeated members or skip bad elements, as
    /// decoding does.
    static func mayKnowValues(_ session: DecodingSession) -> Bool {
        !session.tracksTargets && session.targets?.sharesValues ?? false && session.options.elements != .skip
            && session.options.reading.duplicateMembers == .lastWins
    }

    /// Finds what the targets hold where the values of the innermost frame belong: of a root object, and in an import of the
    /// models and lists below it, too.
    @inline(never)
    mutating func findKnownValues() {
        guard let targets = session.targets else { return }
        let frame = unsafe frames + (frameCount - 1)
        if unsafe frame.pointee.kind == .model
            && (frameCount == 1 || frameCount == 2 && frames.pointee.kind == .array)
        {
            guard let plan = unsafe frame.pointee.plan?.takeUnretainedValue() else { return }
            if let root = targets.root {
                guard unsafe frameCount == 1 && root.rawLayout == plan.rawLayout else { return }
                return known.append(KnownValues(root, frame: 0, isRoot: true, identitySlot: -1))
            }
            if let instance = instance(of: plan, targets), unsafe instance.rawLayout == plan.rawLayout {
                targets.leaveOut(instance, root: frameCount == 1 ? 0 : unsafe frames.pointee.current)
                let identitySlot = plan.layout.identitySlots[0]
                return known.append(
                    KnownValues(instance, frame: frameCount - 1, isRoot: true, identitySlot: identitySlot))
            }
        }
        guard identityMap != 0, let holder = known.last, holder.frame == frameCount - 2 else { return }
        if unsafe frame.pointee.kind == .path { return known.append(KnownValues(holder, frame: frameCount - 1)) }
        let below = unsafe frame - 1
        let index =
            unsafe below.pointee.kind == .array
            ? below.pointee.current : (frame.pointee.target - below.pointee.slots) / 16
        guard index < holder.count, unsafe SlotState(rawValue: holder.states[index]).hasValue else { return }
        let object = unsafe SlotOperations.box(AnyObject.self, holder.slots + index * 16)
        if let model = object as? DynamicModel {
            guard
                unsafe frame.pointee.plan?._withUnsafeGuaranteedRef({ unsafe $0.rawLayout == model.rawLayout }) ?? false
            else {
                return
            }
            known.append(KnownValues(model, frame: frameCount - 1, isRoot: false, identitySlot: -1))
        } else if unsafe frame.pointee.kind == .array, let list = object as? SlotList, list.count > 0 {
            known.append(KnownValues(list, frame: frameCount - 1))
        }
    }

    /// Whether the innermost frame has known values.
    @inline(__always)
    var hasKnownValues: Bool { knownFrame >= 0 && knownFrame == frameCount &- 1 }

    /// Forgets the known values of the innermost frame, which ends.
    @inline(__always)
    mutating func popKnown() {
        if hasKnownValues { forgetKnown() }
    }

    @inline(never)
    private mutating func forgetKnown() { known.removeLast() }

    /// The instance of the object that has just begun, if its identity is an integer or a text near the beginning. An
    /// instance whose changes are tracked must see every value of the document.
    private mutating func instance(of plan: JSONPlan, _ targets: any MergeTargets) -> DynamicModel? {
        guard plan.layout.identitySlots.count == 1 else { return nil }
        let mark = source.mark()
        defer { source.rewind(to: mark) }
        guard let identity = (try? readIdentity(plan)) ?? nil, let instance = targets.instance(identity),
            instance.trackedBase == nil
        else { return nil }
        return instance
    }

    private mutating func readIdentity(_ plan: JSONPlan) throws(JSONSyntaxError) -> ModelIdentity? {
        let start = source.offset
        var isFirst = true
        while try source.nextMember(first: isFirst), source.offset - start <= Self.lookAhead {
            isFirst = false
            let name = try unsafe source.readName()
            let number = unsafe plan.input.table.find(name.start, name.count)
            guard number >= 0, let value = unsafe plan.input.entries[number].uncheckedValue,
                unsafe plan.input.entries[number].slot == plan.layout.identitySlots[0]
            else {
                try source.skipValue()
                continue
            }
            return try unsafe PropertySlot.withTemporary(value.pointee.descriptor) { slot throws(JSONSyntaxError) in
                switch unsafe value.pointee.operation {
                case .integer:
                    guard let integer = try source.readPlainInteger() else { return nil }
                    slot.replace(with: integer)
                case .string:
                    guard source.startsText() else { return nil }
                    slot.replace(with: try source.readString())
                default: return nil
                }
                return ModelIdentity(plan.layout, plan.layout.identitySlots[0], slot)
            }
        }
        return nil
    }

    /// Leaves out or shares the target's value if the next value is equal. Returns false, with nothing consumed, if it
    /// differs or is decoded faster than compared.
    @inline(never)
    mutating func takeKnown(
        _ index: Int, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        switch unsafe value.pointee.operation {
        case .string, .url, .model, .array, .set: break
        default: return false
        }
        // A copy of the frame would retain and release its object.
        let holder = known.count - 1
        guard remainingComparison > 0, index < known[holder].count else { return false }
        let present = unsafe PropertySlot(
            pointer: known[holder].slots + index &* 16, state: known[holder].states + index,
            descriptor: value.pointee.descriptor)
        guard present.hasValue, known[holder].mayShare(index) else { return false }
        let isOmitted = known[holder].mayOmit(index) && !present.slotState.isDefaulted
        // Only an instance of an identity map may have several holders.
        guard isOmitted || identityMap == 0 || present.holdsOnlyInstances(of: identityMap) else { return false }
        let mark = source.mark()
        let start = source.offset
        let unchangedCount = unchanged.count
        if (try? unsafe isSame(value, present.pointer, present.slotState, depth: 0)) ?? false {
            if isOmitted { return true }
            let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
            target.copyContent(of: present)
            target.slotState = target.slotState.withoutMark
            return true
        }
        // Limits the cost: on average no byte is compared more than twice.
        remainingComparison -= source.offset - start
        if unchanged.count > unchangedCount { unchanged.removeLast(unchanged.count - unchangedCount) }
        source.rewind(to: mark)
        return false
    }

    /// Whether the next value equals that of a slot with a value; equal values are consumed.
    private mutating func isSame(
        _ value: UnsafePointer<ValueTable>, _ present: UnsafeRawPointer, _ state: SlotState, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        switch unsafe value.pointee.operation {
        case .url:
            guard source.startsText() else { return false }
            return unsafe SlotOperations.hasURLText(present, state, try source.readText())
        case .string:
            guard source.startsText(), state.withoutMark == .value else { return false }
            let text = try unsafe source.readText()
            return unsafe UTF8Text.equal(present.assumingMemoryBound(to: String.self), text.start, text.count)
        case .integer:
            guard let integer = try source.readPlainInteger() else { return false }
            return unsafe present.load(as: Int64.self) == integer
        case .bool:
            switch try source.peekKind() {
            case .true, .false: return unsafe (present.load(as: UInt64.self) != 0) == (try source.readBool())
            default: return false
            }
        case .double:
            guard try source.peekKind() == .number else { return false }
            return unsafe present.load(as: UInt64.self) == (try source.readDouble()).bitPattern
        case .iso8601Date:
            guard source.startsText() else { return false }
            let text = try unsafe source.readText()
            return unsafe ISO8601Text.parse(text.bytes)?.seconds == present.load(as: Double.self)
        case .enumeration:
            guard source.startsText(), state.withoutMark == .enumerationCase,
                let enumeration = unsafe value.pointee.enumeration
            else { return false }
            let text = try unsafe source.readText()
            let number = unsafe enumeration._withUnsafeGuaranteedRef { unsafe $0.caseNumber(text.start, text.count) }
            return unsafe number == present.load(as: Int.self)
        case .model:
            guard source.startsObject(), depth < Self.maximumComparisonDepth, let plan = unsafe value.pointee.model
            else {
                return false
            }
            return unsafe try isSameModel(
                plan._withUnsafeGuaranteedRef { $0 },
                Unmanaged<DynamicModel>.fromOpaque(present.load(as: UnsafeRawPointer.self)), depth: depth)
        case .array, .set:
            guard source.startsArray(), depth < Self.maximumComparisonDepth, let element = unsafe value.pointee.element
            else { return false }
            return unsafe try isSameList(element, SlotOperations.box(SlotList.self, present), depth: depth)
        default: return false
        }
    }

    private mutating func isSameList(
        _ element: UnsafePointer<ValueTable>, _ list: SlotList, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        try source.enterArray()
        var index = 0
        while try source.nextElement(first: index == 0) {
            guard index < list.count else { return false }
            let slot = list.slot(at: index)
            guard slot.hasValue, try unsafe isSame(element, slot.pointer, slot.slotState, depth: depth + 1) else {
                return false
            }
            index += 1
        }
        return index == list.count
    }

    /// Whether a model may stay as it is in an import: not one that has a base, which the import would change, and of a
    /// schema with an identity only the instance of the map.
    private mutating func mayStay(_ model: DynamicModel, _ plan: JSONPlan) -> Bool {
        guard model.trackedBase == nil else { return false }
        if plan.layout.identitySlots.isEmpty { return true }
        guard model.identityMap == identityMap else { return false }
        unchanged.append(model)
        return true
    }

    /// Whether the next object equals a model. A property that the object does not mention must be unset, as in a new
    /// model. An import tells null from unset, as `ModelMerge` does; for other merges they are equal.
    private mutating func isSameModel(
        _ plan: JSONPlan, _ model: Unmanaged<DynamicModel>, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        let (rawLayout, slots, isOfClass) = unsafe model._withUnsafeGuaranteedRef {
            unsafe ($0.rawLayout, $0.slots, plan.isClass(of: $0))
        }
        guard plan.comparesWithDocuments, isOfClass, unsafe rawLayout == plan.rawLayout else { return false }
        if identityMap != 0, unsafe !model._withUnsafeGuaranteedRef({ mayStay($0, plan) }) { return false }
        let states = unsafe (slots + rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        let (entries, count) = unsafe (plan.input.entries, plan.input.count)
        // A bit for each slot; models that mention higher ones are decoded.
        var visited: UInt128 = 0
        var hint = 0
        var isFirst = true
        try source.enterObject()
        while try source.nextMember(first: isFirst) {
            isFirst = false
            if hint < count, try unsafe source.matchName(entries[hint].name) {
                hint += 1
            } else {
                let name = try unsafe source.readName()
                let found = unsafe plan.input.table.find(name.start, name.count)
                if found < 0 {
                    guard unknownMembers == .ignore else { return false }
                    try source.skipValue()
                    continue
                }
                hint = found + 1
            }
            let entry = unsafe entries + (hint - 1)
            let index = unsafe entry.pointee.slot
            guard let value = unsafe entry.pointee.uncheckedValue, index < 128, visited & 1 << UInt128(index) == 0
            else {
                return false
            }
            visited |= 1 << UInt128(index)
            let state = unsafe SlotState(rawValue: states[index])
            // A value that the document mentions is not a default any more.
            if state.isDefaulted { return false }
            if state.hasValue {
                guard unsafe try isSame(value, slots + index &* 16, state, depth: depth + 1) else { return false }
            } else {
                guard state.isNull, unsafe value.pointee.operation != .json, unsafe !value.pointee.convertsNull,
                    try source.peekKind() == .null
                else { return false }
                try source.readNull()
            }
        }
        for number in unsafe 0..<rawLayout.pointee.comparedCount {
            let index = unsafe Int(rawLayout.pointee.compared[number].index)
            let state = unsafe SlotState(rawValue: states[index])
            guard state.hasValue ? !state.isDefaulted : identityMap != 0 && state.isNull else { continue }
            if index >= 128 || visited & 1 << UInt128(index) == 0 { return false }
        }
        // A new model has its defaults.
        for index in plan.defaulted where index >= 128 || visited & 1 << UInt128(index) == 0 {
            if unsafe !SlotState(rawValue: states[index]).isDefaulted { return false }
        }
        return unsafe plan.requiredSlots.allSatisfy { $0 < 128 && visited & 1 << UInt128($0) != 0 }
    }
}

/// A frame with what the targets hold where its values belong: the slots of a model or the elements of a list.
///
/// Safety: the object is held here, and nothing changes it while a document is compared with it. Your code may run
/// between comparisons and change a model's slots, but it does not move them; a list in a model never changes.
@safe
struct KnownValues {
    private(set) var frame: Int
    private let object: AnyObject
    let slots: UnsafeMutableRawPointer
    let states: UnsafeMutablePointer<UInt8>
    let count: Int
    /// The merge rules of a model that has merge policies.
    private let layout: ModelLayout?
    /// Whether the source of the merge need not mention a value that is the same. Only a root is sure to be merged into
    /// its target; a nested object may turn out to be another model, which then needs all its values.
    private let omitsEqualValues: Bool
    /// The slot by which an import finds the instance of the source once more; -1 for none.
    private let identitySlot: Int

    init(_ model: DynamicModel, frame: Int, isRoot: Bool, identitySlot: Int) {
        self.frame = frame
        object = model
        unsafe slots = model.slots
        unsafe states = model.stateBytes
        count = unsafe model.rawLayout.pointee.slotCount
        layout = model.layout.hasMergePolicies ? model.layout : nil
        omitsEqualValues = isRoot && layout == nil
        self.identitySlot = identitySlot
    }

    /// Makes the values of a list, which must not be empty.
    init(_ list: SlotList, frame: Int) {
        self.frame = frame
        object = list
        unsafe slots = list.slot(at: 0).pointer
        unsafe states = list.slot(at: 0).state
        count = list.count
        layout = nil
        omitsEqualValues = false
        identitySlot = -1
    }

    /// Makes the values of a path frame, which shares the slots of the frame below.
    init(_ holder: KnownValues, frame: Int) {
        self = holder
        self.frame = frame
    }

    /// Whether source and target of a merge may share the value of a slot.
    @inline(__always)
    func mayShare(_ index: Int) -> Bool { layout.map { $0.mergeRules[index].acceptsOwnContent } ?? true }

    /// Whether the source of the merge need not mention an equal value in a slot.
    @inline(__always)
    func mayOmit(_ index: Int) -> Bool { omitsEqualValues && index != identitySlot }
}

extension PropertySlot {
    /// Whether all models in the slot are instances of an identity map.
    fileprivate func holdsOnlyInstances(of map: UInt64) -> Bool {
        var result = true
        forEachModel { if $0.identityMap != map { result = false } }
        return result
    }
}

extension JSONPlan {
    fileprivate func isClass(of model: DynamicModel) -> Bool { type(of: model) == layout.modelClass }
}
