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
/// Safety: known values are those of the frame's slots: the target has the frame's layout. A text is compared before the
/// reader goes on.
extension ModelDecoder {
    /// How deep values are compared; deeper ones are decoded.
    private static var maximumComparisonDepth: Int { 8 }

    /// Finds what the targets hold where the values of the innermost frame belong: of a root object, and in an import of the
    /// models and lists below it, too.
    @inline(never)
    mutating func findKnownValues() {
        guard let targets = session.targets else { return }
        let count = frames.count
        if frames.top.kind == .model && (count == 1 || count == 2 && frames[0].kind == .array) {
            let plan = frames.top.plan.object
            if let root = targets.root {
                guard count == 1, plan.isLayout(of: root) else { return }
                return known.push(KnownValues(root, frame: 0, isRoot: true, identitySlot: -1))
            }
            if let instance = instance(of: plan, targets), plan.isLayout(of: instance) {
                targets.leaveOut(instance, root: count == 1 ? 0 : frames[0].current)
                let identitySlot = plan.layout.identitySlots[0]
                return known.push(
                    KnownValues(instance, frame: count - 1, isRoot: true, identitySlot: identitySlot))
            }
        }
        guard known.identityMap != 0, let holder = known.frames.last, holder.frame == count - 2 else { return }
        if frames.top.kind == .path { return known.push(KnownValues(holder, frame: count - 1)) }
        let index =
            frames[count - 2].kind == .array
            ? frames[count - 2].current : frames[count - 2].slots.number(of: frames.top.target)
        let object = holder.object(at: index)
        if let model = object as? DynamicModel {
            guard frames.top.hasMembers, frames.top.plan.object.isLayout(of: model) else { return }
            known.push(KnownValues(model, frame: count - 1, isRoot: false, identitySlot: -1))
        } else if frames.top.kind == .array, let list = object as? SlotList, list.count > 0 {
            known.push(KnownValues(list, frame: count - 1))
        }
    }

    /// Whether the innermost frame has known values.
    @inline(__always)
    var hasKnownValues: Bool { known.frameCount == frames.count }

    /// Forgets the known values of the innermost frame, which ends.
    @inline(__always)
    mutating func popKnown() {
        if hasKnownValues { known.pop() }
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
            let number = try unsafe TokenText(source.readName()).number(in: plan.input.table)
            guard number >= 0, let value = plan.input.entries[number].uncheckedValue,
                plan.input.entries[number].slot == plan.layout.identitySlots[0]
            else {
                try source.skipValue()
                continue
            }
            return try value.withTemporary { slot throws(JSONSyntaxError) in
                switch slot.typed {
                case .integer(let slot):
                    guard let integer = try source.readPlainInteger() else { return nil }
                    slot.store(integer)
                case .string(let slot):
                    guard source.startsText() else { return nil }
                    slot.store(try source.readString())
                default: return nil
                }
                return ModelIdentity(plan.layout, plan.layout.identitySlots[0], slot.property)
            }
        }
        return nil
    }

    /// Leaves out or shares the target's value for a slot or element of the innermost frame if the next value is equal.
    /// Returns false, with nothing consumed, if it differs or is decoded faster than compared.
    @inline(never)
    mutating func takeKnown(_ index: Int, _ slot: WritableSlot) -> Bool {
        switch slot.value.operation {
        case .string, .url, .model, .array, .set: break
        default: return false
        }
        // A copy of the values would retain and release their object.
        let holder = known.frames.count - 1
        guard known.remainingComparison > 0, let present = unsafe known.frames[holder].value(at: index, slot.value),
            known.frames[holder].mayShare(index)
        else { return false }
        let isOmitted = known.frames[holder].mayOmit(index) && !present.slot.state.isDefaulted
        // Only an instance of an identity map may have several holders.
        guard
            isOmitted || known.identityMap == 0 || present.slot.property.holdsOnlyInstances(of: known.identityMap)
        else { return false }
        let mark = source.mark()
        let start = source.offset
        let unchangedCount = known.unchanged.count
        if (try? isSame(present, depth: 0)) ?? false {
            if isOmitted { return true }
            let target = slot.property
            target.copyContent(of: present.slot.property)
            target.slotState = target.slotState.withoutMark
            return true
        }
        // Limits the cost: on average no byte is compared more than twice.
        known.remainingComparison -= source.offset - start
        if known.unchanged.count > unchangedCount {
            known.unchanged.removeLast(known.unchanged.count - unchangedCount)
        }
        source.rewind(to: mark)
        return false
    }

    /// Whether the next value equals that of a slot; equal values are consumed.
    private mutating func isSame(_ present: FilledSlot, depth: Int) throws(JSONSyntaxError) -> Bool {
        switch present.value.operation {
        case .string, .url:
            guard source.startsText() else { return false }
            return present.holds(try unsafe TokenText(source.readText()))
        case .double:
            guard try source.peekKind() == .number else { return false }
            return present.double?.bitPattern == (try source.readDouble()).bitPattern
        case .enumeration:
            guard source.startsText(), let number = present.caseNumber, let enumeration = present.value.enumeration
            else { return false }
            let text = try unsafe TokenText(source.readText())
            return enumeration.with { text.number(in: $0) } == number
        default: break
        }
        switch present.content {
        case .integer(let integer): return try source.readPlainInteger() == integer
        case .bool(let bool):
            switch try source.peekKind() {
            case .true, .false: return bool == (try source.readBool())
            default: return false
            }
        case .date(let date):
            guard source.startsText() else { return false }
            return try unsafe TokenText(source.readText()).date?.seconds == date.seconds
        case .model(let model):
            guard source.startsObject(), depth < Self.maximumComparisonDepth, let plan = present.value.model else {
                return false
            }
            return try isSameModel(plan.object, model, depth: depth)
        case .elements(let elements):
            guard !elements.isDictionary, source.startsArray(), depth < Self.maximumComparisonDepth else {
                return false
            }
            return try isSameList(elements, depth: depth)
        default: return false
        }
    }

    private mutating func isSameList(_ elements: SlotElements, depth: Int) throws(JSONSyntaxError) -> Bool {
        try source.enterArray()
        var index = 0
        while try source.nextElement(first: index == 0) {
            guard index < elements.count, let element = elements[index], try isSame(element, depth: depth + 1) else {
                return false
            }
            index += 1
        }
        return index == elements.count
    }

    /// Whether a model may stay as it is in an import: not one that has a base, which the import would change, and of a
    /// schema with an identity only the instance of the map.
    private mutating func mayStay(_ model: DynamicModel, _ plan: JSONPlan) -> Bool {
        guard model.trackedBase == nil else { return false }
        if plan.layout.identitySlots.isEmpty { return true }
        guard model.identityMap == known.identityMap else { return false }
        known.unchanged.append(model)
        return true
    }

    /// Whether the next object equals a model. A property that the object does not mention must be unset, as in a new
    /// model. An import tells null from unset, as `ModelMerge` does; for other merges they are equal.
    private mutating func isSameModel(
        _ plan: JSONPlan, _ model: Unowned<DynamicModel>, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        let isFitting = model.with { plan.comparesWithDocuments && plan.isLayout(of: $0) && plan.isClass(of: $0) }
        guard isFitting, known.identityMap == 0 || model.with({ mayStay($0, plan) }) else { return false }
        let slots = model.with { unsafe SlotBlock(of: $0) }
        let entries = plan.input.entries
        // A bit for each slot; models that mention higher ones are decoded.
        var visited: UInt128 = 0
        var hint = 0
        var isFirst = true
        try source.enterObject()
        while try source.nextMember(first: isFirst) {
            isFirst = false
            if hint < entries.count, try entries.matches(hint, &source) {
                hint += 1
            } else {
                let found = try unsafe TokenText(source.readName()).number(in: plan.input.table)
                if found < 0 {
                    guard unknownMembers == .ignore, !plan.refusesUnknownMembers else { return false }
                    try source.skipValue()
                    continue
                }
                hint = found + 1
            }
            let entry = entries[hint - 1]
            let index = entry.slot
            guard let value = entry.uncheckedValue, index < 128, visited & 1 << UInt128(index) == 0 else {
                return false
            }
            visited |= 1 << UInt128(index)
            let present = unsafe slots.readable(index, value)
            // A value that the document mentions is not a default any more.
            if present.state.isDefaulted { return false }
            if let filled = present.filled {
                guard try isSame(filled, depth: depth + 1) else { return false }
            } else {
                guard present.state.isNull, value.operation != .json, !value.convertsNull,
                    try source.peekKind() == .null
                else { return false }
                try source.readNull()
            }
        }
        for index in plan.comparedSlots {
            let state = slots[index]
            guard state.hasValue ? !state.isDefaulted : known.identityMap != 0 && state.isNull else { continue }
            if index >= 128 || visited & 1 << UInt128(index) == 0 { return false }
        }
        // A new model has its defaults.
        for index in plan.defaulted where index >= 128 || visited & 1 << UInt128(index) == 0 {
            if !slots[index].isDefaulted { return false }
        }
        return plan.required.allSatisfy { $0.slot < 128 && visited & 1 << UInt128($0.slot) != 0 }
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
