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
extension ModelDecoder where Source: ~Copyable {
    /// How deep values are compared; deeper ones are decoded.
    private static var maximumComparisonDepth: Int { 8 }

    /// Whether values may be left out at all. A comparison would not notice repeated members or skip bad elements, as
    /// decoding does.
    static func mayKnowValues(_ session: DecodingSession) -> Bool {
        !Source.isTree && session.targets?.sharesValues ?? false && session.options.elements != .skip
            && session.options.reading.duplicateMembers == .lastWins
    }

    /// Notes the target of the root object that has just begun.
    @inline(never)
    mutating func findKnownModel() {
        guard let targets = session.targets, unsafe frames[frameCount - 1].kind == .model, prefix.isEmpty,
            unsafe frameCount == 1 || frameCount == 2 && frames.pointee.kind == .array,
            let plan = unsafe frames[frameCount - 1].plan?.takeUnretainedValue()
        else { return }
        let number = frameCount == 1 ? 0 : unsafe frames.pointee.current
        var identitySlot: Int?
        let model: DynamicModel
        if let root = targets.root {
            model = root
        } else {
            guard let instance = instance(of: plan, targets) else { return }
            identitySlot = plan.layout.identitySlots[0]
            model = instance
        }
        guard unsafe model.table == plan.table else { return }
        if identitySlot != nil { targets.leaveOut(model, root: number) }
        known = KnownModel(model, identitySlot: identitySlot)
        knownFrame = frameCount - 1
    }

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
        guard remainingComparison > 0, let targets = session.targets, let present = known?.slot(at: index),
            present.hasValue
        else { return false }
        let isOmitted = known?.mayOmit(index) ?? false && !present.slotState.isDefaulted
        // Only an instance of an identity map may have several holders.
        guard isOmitted || targets.identityMap == 0 || present.holdsOnlyInstances(of: targets.identityMap) else {
            return false
        }
        let mark = source.mark()
        let start = source.offset
        let unchangedCount = targets.identityMap == 0 ? 0 : targets.unchanged.count
        if (try? unsafe isSame(value, present.pointer, present.slotState, depth: 0)) ?? false {
            if isOmitted { return true }
            let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
            target.copyContent(of: present)
            target.slotState = target.slotState.withoutMark
            return true
        }
        // Limits the cost: on average no byte is compared more than twice.
        remainingComparison -= source.offset - start
        if targets.identityMap != 0 { targets.unchanged.removeLast(targets.unchanged.count - unchangedCount) }
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
            return unsafe ISO8601Text.parse(text.bytes) == present.load(as: Double.self)
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
    private func mayStay(_ model: DynamicModel, _ plan: JSONPlan, _ targets: any MergeTargets) -> Bool {
        guard model.trackedBase == nil else { return false }
        if plan.layout.identitySlots.isEmpty { return true }
        guard model.identityMap == targets.identityMap else { return false }
        targets.unchanged.append(model)
        return true
    }

    /// Whether the next object equals a model. A property that the object does not mention must be unset, as in a new
    /// model.
    private mutating func isSameModel(
        _ plan: JSONPlan, _ model: Unmanaged<DynamicModel>, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        let (table, slots, isOfClass) = unsafe model._withUnsafeGuaranteedRef {
            unsafe ($0.table, $0.slots, plan.isClass(of: $0))
        }
        guard plan.comparesWithDocuments, isOfClass, unsafe table == plan.table else { return false }
        if let targets = session.targets, targets.identityMap != 0,
            unsafe !model._withUnsafeGuaranteedRef({ mayStay($0, plan, targets) })
        {
            return false
        }
        let states = unsafe (slots + table.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        let (entries, count) = unsafe (plan.input.entries, plan.input.count)
        var visited = SlotMask()
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
            guard let value = unsafe entry.pointee.uncheckedValue, visited.insert(index) else { return false }
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
        for number in unsafe 0..<table.pointee.comparedCount {
            let index = unsafe Int(table.pointee.compared[number].index)
            let state = unsafe SlotState(rawValue: states[index])
            if state.hasValue, !state.isDefaulted, !visited.contains(index) { return false }
        }
        return unsafe plan.requiredSlots.allSatisfy { visited.contains($0) }
    }
}

/// The target of a root object, whose values the object may repeat.
///
/// Safety: the model is held here. Your code may run between comparisons and change its slots, but does not move them.
struct KnownModel {
    private let model: DynamicModel
    /// Whether the source of the merge need not mention a value that is the same: that leaves the value as it is.
    private let omitsEqualValues: Bool
    /// The slot by which an import finds the instance of the source once more.
    private let identitySlot: Int?

    init(_ model: DynamicModel, identitySlot: Int?) {
        self.model = model
        omitsEqualValues = !model.layout.hasMergePolicies
        self.identitySlot = identitySlot
    }

    /// The slot whose value source and target of a merge may share; nil if they may not.
    func slot(at index: Int) -> PropertySlot? {
        omitsEqualValues || model.layout.mergeRules[index].acceptsOwnContent ? model.slot(at: index) : nil
    }

    /// Whether the source of the merge need not mention an equal value in a slot.
    func mayOmit(_ index: Int) -> Bool { omitsEqualValues && index != identitySlot }
}

/// A set of slots below 128 that needs no allocation; models that mention higher slots are decoded.
private struct SlotMask {
    private var words: (UInt64, UInt64) = (0, 0)

    /// Returns false if the number is in the set already, or too large.
    mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number & 63)
        switch number >> 6 {
        case 0:
            defer { words.0 |= bit }
            return words.0 & bit == 0
        case 1:
            defer { words.1 |= bit }
            return words.1 & bit == 0
        default: return false
        }
    }

    func contains(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number & 63)
        return switch number >> 6 {
        case 0: words.0 & bit != 0
        case 1: words.1 & bit != 0
        default: false
        }
    }
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
