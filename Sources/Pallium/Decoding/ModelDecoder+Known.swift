import PalliumCore
import PalliumJSON

/// Values that the model holds already which a document is about: they are taken from there instead of being made again.
///
/// ```
///   document  "title": "Crash", "user": {"id": 7, …}, "labels": [{…}, {…}]
///   model      title    same     user     same          labels   another      what is the same is shared,
///   part       title ◀──┘        user ◀───┘             labels   made anew    and the merge sees one reference
/// ```
/// Most of what a server sends is known. Bytes are compared with slots; nothing is allocated before the first difference,
/// where the source goes back to the beginning of the value and it is decoded as always. Only what the library converts
/// itself is compared, and no code of the program runs meanwhile.
///
/// Safety: slots are compared as what the operation of their value says, whose table is of the layout that the model or
/// list has; a text is compared within its count, before the reader goes on.
extension ModelDecoder where Source: ~Copyable {
    /// How deep values are compared; deeper ones are decoded.
    private static var maximumKnownDepth: Int { 8 }

    /// Whether values may be taken from a model at all. Repeated members and elements that are left out would have to be
    /// counted while comparing, as decoding counts them.
    static func mayReuseKnown(_ session: DecodingSession) -> Bool {
        !Source.isTree && session.known != nil && session.options.elements != .skip
            && session.options.reading.duplicateMembers == .lastWins
    }

    // MARK: Frames

    /// Notes what the innermost frame, which is a part, has its counterparts in.
    @inline(never)
    mutating func noteKnown() {
        guard let root = session.known else { return }
        let frame = unsafe frames + (frameCount - 1)
        if frameCount == 1 { return unsafe pushKnown(root, for: frame) }
        guard knownFrame == frameCount - 2, let holder = known.last else { return }
        if unsafe frame.pointee.kind == .path {
            known.append(KnownFrame(holder, frame: frameCount - 1))
            return knownFrame = frameCount - 1
        }
        let below = unsafe frame - 1
        let index =
            unsafe below.pointee.kind == .array
            ? below.pointee.current : (frame.pointee.target - below.pointee.slots) / 16
        guard index < holder.count, unsafe SlotState(rawValue: holder.states[index]).hasValue else { return }
        unsafe pushKnown(SlotOperations.box(AnyObject.self, holder.slots + index * 16), for: frame)
    }

    private mutating func pushKnown(_ object: AnyObject, for frame: UnsafeMutablePointer<DecodingFrame>) {
        switch unsafe frame.pointee.kind {
        case .model:
            guard let model = object as? DynamicModel, let plan = unsafe frame.pointee.plan,
                unsafe plan._withUnsafeGuaranteedRef({ unsafe $0.table == model.table })
            else { return }
            known.append(KnownFrame(model, frame: frameCount - 1))
        case .array:
            guard let list = object as? SlotList, list.count > 0 else { return }
            known.append(KnownFrame(list, frame: frameCount - 1))
        case .dictionary, .path: return
        }
        knownFrame = frameCount - 1
    }

    /// Forgets the counterparts of the innermost frame, which ends.
    @inline(__always)
    mutating func popKnown() {
        if knownFrame == frameCount &- 1 { forgetKnown() }
    }

    @inline(never)
    private mutating func forgetKnown() {
        known.removeLast()
        knownFrame = known.last?.frame ?? -1
    }

    // MARK: Values

    /// Takes the next value from the counterpart of the innermost frame when both are the same. False, with nothing
    /// consumed, when they are not or are quicker decoded than compared.
    @inline(never)
    mutating func takeKnown(
        _ index: Int, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        switch unsafe value.pointee.operation {
        case .string, .url, .model, .array, .set: break
        default: return false
        }
        // Taken out of the list, the frame would be counted as held.
        let holder = known.count - 1
        guard remainingComparison > 0, index < known[holder].count else { return false }
        let counterpart = unsafe PropertySlot(
            pointer: known[holder].slots + index &* 16, state: known[holder].states + index,
            descriptor: value.pointee.descriptor)
        guard counterpart.hasValue, known[holder].mayShare(index) else { return false }
        let mark = source.mark()
        let start = source.offset
        if (try? unsafe isSame(value, counterpart.pointer, counterpart.slotState, depth: 0)) ?? false {
            let place = unsafe PropertySlot(pointer: slot, state: state, descriptor: value.pointee.descriptor)
            place.copyContent(of: counterpart)
            place.slotState = place.slotState.withoutMark
            return true
        }
        // However often values begin like the known ones, no byte is compared more than twice on average.
        remainingComparison -= source.offset - start
        source.rewind(to: mark)
        return false
    }

    /// Whether the next value is what a slot holds that has a value; it is then consumed.
    private mutating func isSame(
        _ value: UnsafePointer<ValueTable>, _ known: UnsafeRawPointer, _ state: SlotState, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        switch unsafe value.pointee.operation {
        case .string, .url:
            guard source.startsText(), state.withoutMark == .value else { return false }
            let text = try unsafe source.readText()
            return unsafe UTF8Text.equal(known.assumingMemoryBound(to: String.self), text.start, text.count)
        case .integer:
            guard let integer = try source.readPlainInteger() else { return false }
            return unsafe known.load(as: Int64.self) == integer
        case .bool:
            switch try source.peekKind() {
            case .true, .false: return unsafe (known.load(as: UInt64.self) != 0) == (try source.readBool())
            default: return false
            }
        case .double:
            guard try source.peekKind() == .number else { return false }
            return unsafe known.load(as: UInt64.self) == (try source.readDouble()).bitPattern
        case .iso8601Date:
            guard source.startsText() else { return false }
            let text = try unsafe source.readText()
            return unsafe ISO8601Text.parse(text.bytes) == known.load(as: Double.self)
        case .enumeration:
            guard source.startsText(), state.withoutMark == .enumerationCase,
                let enumeration = unsafe value.pointee.enumeration
            else { return false }
            let text = try unsafe source.readText()
            let number = unsafe enumeration._withUnsafeGuaranteedRef { unsafe $0.caseNumber(text.start, text.count) }
            return unsafe number == known.load(as: Int.self)
        case .model:
            guard source.startsObject(), depth < Self.maximumKnownDepth, let plan = unsafe value.pointee.model else {
                return false
            }
            return unsafe try isSameModel(
                plan._withUnsafeGuaranteedRef { $0 },
                Unmanaged<DynamicModel>.fromOpaque(known.load(as: UnsafeRawPointer.self)), depth: depth)
        case .array, .set:
            guard source.startsArray(), depth < Self.maximumKnownDepth, let element = unsafe value.pointee.element
            else { return false }
            return unsafe try isSameList(element, SlotOperations.box(SlotList.self, known), depth: depth)
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

    /// Whether the next object is a model: what it has no members for must not be set, as it is not in a new model.
    private mutating func isSameModel(
        _ plan: JSONPlan, _ model: Unmanaged<DynamicModel>, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        let (table, slots, isOfClass) = unsafe model._withUnsafeGuaranteedRef {
            unsafe ($0.table, $0.slots, plan.isClass(of: $0))
        }
        guard plan.comparesWithDocuments, isOfClass, unsafe table == plan.table else { return false }
        let states = unsafe (slots + table.pointee.stateOffset).assumingMemoryBound(to: UInt8.self)
        let (entries, count) = unsafe (plan.input.entries, plan.input.count)
        var seen = SlotMask()
        var hint = 0
        var isFirst = true
        try source.enterObject()
        while try source.nextMember(first: isFirst) {
            isFirst = false
            if hint < count, try unsafe source.matchName(entries[hint].name, entries[hint].nameCount) {
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
            guard unsafe entry.pointee.action == .value, unsafe entry.pointee.check == nil,
                let value = unsafe entry.pointee.value, seen.insert(index)
            else { return false }
            let state = unsafe SlotState(rawValue: states[index])
            // What the document says is no default any more.
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
            if state.hasValue, !state.isDefaulted, !seen.contains(index) { return false }
        }
        return unsafe plan.requiredSlots.allSatisfy { seen.contains($0) }
    }
}

/// Numbers of slots below 128, which need no allocation; models with more that are mentioned are decoded.
private struct SlotMask {
    private var words: (UInt64, UInt64) = (0, 0)

    /// False when the number is there already, or too large.
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
