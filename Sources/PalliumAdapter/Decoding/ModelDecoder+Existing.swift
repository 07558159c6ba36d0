import PalliumCore
import PalliumJSON

/// Reuses values of the existing model that the document repeats unchanged.
///
/// ```
///   document  "title": "Crash", "user": {"id": 7, …}, "labels": [{…}, {…}]
///   model      title    same     user     same          labels   differs      equal values are left out
///   partial    title ◀──┘        user ◀───┘             labels   decoded      or shared with the merge
/// ```
/// Servers mostly repeat known data. The decoder compares bytes with slots up to the first difference. There it rewinds to
/// the beginning of the value and decodes it as usual. It compares only values that the library converts itself, so none of
/// your code runs during a comparison.
///
/// Safety: a slot is read as the type that the operation of its value says, whose table is of the layout that the model
/// or list has; a text is compared within its count, before the reader goes on.
extension ModelDecoder where Source: ~Copyable {
    /// How deep values are compared; deeper ones are decoded.
    private static var maximumComparisonDepth: Int { 8 }

    /// Whether values of the existing model may be reused at all. A comparison would not notice repeated members or
    /// skip bad elements, as decoding does.
    static func mayReuseExisting(_ session: DecodingSession) -> Bool {
        !Source.isTree && session.existing != nil && session.options.elements != .skip
            && session.options.reading.duplicateMembers == .lastWins
    }

    /// Reuses the counterpart's value if the next value is equal. Returns false, with nothing consumed, if it differs
    /// or is decoded faster than compared.
    @inline(never)
    mutating func takeExisting(
        _ index: Int, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        switch unsafe value.pointee.operation {
        case .string, .url, .model, .array, .set: break
        default: return false
        }
        // A copy of the frame would retain and release its object.
        let holder = existing.count - 1
        guard remainingComparison > 0, index < existing[holder].count else { return false }
        let counterpart = unsafe PropertySlot(
            pointer: existing[holder].slots + index &* 16, state: existing[holder].states + index,
            descriptor: value.pointee.descriptor)
        guard counterpart.hasValue, existing[holder].mayShare(index) else { return false }
        let isOmitted = existing[holder].mayOmit(index) && !counterpart.slotState.isDefaulted
        // Only an instance of an identity map may have several holders.
        guard isOmitted || identityMap == 0 || counterpart.holdsOnlyInstances(of: identityMap) else { return false }
        let mark = source.mark()
        let start = source.offset
        let unchangedCount = reused.unchanged.count
        if (try? unsafe isSame(value, counterpart.pointer, counterpart.slotState, depth: 0)) ?? false {
            if isOmitted { return true }
            let target = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
            target.copyContent(of: counterpart)
            target.slotState = target.slotState.withoutMark
            return true
        }
        // Limits the cost: on average no byte is compared more than twice.
        remainingComparison -= source.offset - start
        forgetUnchanged(downTo: unchangedCount)
        source.rewind(to: mark)
        return false
    }

    /// Whether the next value equals that of a slot with a value; equal values are consumed.
    private mutating func isSame(
        _ value: UnsafePointer<ValueTable>, _ existing: UnsafeRawPointer, _ state: SlotState, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        switch unsafe value.pointee.operation {
        case .url:
            guard source.startsText() else { return false }
            return unsafe SlotOperations.hasURLText(existing, state, try source.readText())
        case .string:
            guard source.startsText(), state.withoutMark == .value else { return false }
            let text = try unsafe source.readText()
            return unsafe UTF8Text.equal(existing.assumingMemoryBound(to: String.self), text.start, text.count)
        case .integer:
            guard let integer = try source.readPlainInteger() else { return false }
            return unsafe existing.load(as: Int64.self) == integer
        case .bool:
            switch try source.peekKind() {
            case .true, .false: return unsafe (existing.load(as: UInt64.self) != 0) == (try source.readBool())
            default: return false
            }
        case .double:
            guard try source.peekKind() == .number else { return false }
            return unsafe existing.load(as: UInt64.self) == (try source.readDouble()).bitPattern
        case .iso8601Date:
            guard source.startsText() else { return false }
            let text = try unsafe source.readText()
            return unsafe ISO8601Text.parse(text.bytes) == existing.load(as: Double.self)
        case .enumeration:
            guard source.startsText(), state.withoutMark == .enumerationCase,
                let enumeration = unsafe value.pointee.enumeration
            else { return false }
            let text = try unsafe source.readText()
            let number = unsafe enumeration._withUnsafeGuaranteedRef { unsafe $0.caseNumber(text.start, text.count) }
            return unsafe number == existing.load(as: Int.self)
        case .model:
            guard source.startsObject(), depth < Self.maximumComparisonDepth, let plan = unsafe value.pointee.model
            else {
                return false
            }
            return unsafe try isSameModel(
                plan._withUnsafeGuaranteedRef { $0 },
                Unmanaged<DynamicModel>.fromOpaque(existing.load(as: UnsafeRawPointer.self)), depth: depth)
        case .array, .set:
            guard source.startsArray(), depth < Self.maximumComparisonDepth, let element = unsafe value.pointee.element
            else { return false }
            return unsafe try isSameList(element, SlotOperations.box(SlotList.self, existing), depth: depth)
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

    /// Whether the next object equals a model. A property that the object does not mention must be unset, as in a new
    /// model.
    private mutating func isSameModel(
        _ plan: JSONPlan, _ model: Unmanaged<DynamicModel>, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        let (table, slots, isOfClass) = unsafe model._withUnsafeGuaranteedRef {
            unsafe ($0.table, $0.slots, plan.isClass(of: $0))
        }
        guard plan.comparesWithDocuments, isOfClass, unsafe table == plan.table else { return false }
        if identityMap != 0, unsafe !model._withUnsafeGuaranteedRef({ mayStay($0, plan) }) { return false }
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

extension JSONPlan {
    fileprivate func isClass(of model: DynamicModel) -> Bool { type(of: model) == layout.modelClass }
}
