import PalliumCore
import PalliumJSON

/// Finds the counterparts of frames: what the live models hold where the document's values belong.
///
/// Safety: the frame is the innermost one; entries and slots are numbered by its plan, and a counterpart has the table of
/// that plan.
extension ModelDecoder where Source: ~Copyable {
    /// Finds the counterpart of the innermost frame, which is partial.
    @inline(never)
    mutating func findExisting() {
        guard let models = session.existing else { return }
        let frame = unsafe frames + (frameCount - 1)
        switch models {
        case .root(let model) where frameCount == 1:
            if unsafe hasCounterpart(model, frame) {
                return pushExisting(ExistingFrame(model, frame: 0, omitsEqualValues: true))
            }
        case .instances(_, let find) where isRoot:
            guard let instance = unsafe instance(of: frame, find) else { return }
            let number = frameCount == 1 ? 0 : unsafe frames.pointee.current
            reused.counterparts.append((number, instance))
            return pushExisting(
                ExistingFrame(
                    instance, frame: frameCount - 1, omitsEqualValues: true,
                    identitySlot: instance.layout.identitySlots[0]))
        default: break
        }
        guard existingFrame == frameCount - 2, let holder = existing.last else { return }
        if unsafe frame.pointee.kind == .path {
            return pushExisting(ExistingFrame(holder, frame: frameCount - 1))
        }
        let below = unsafe frame - 1
        let index =
            unsafe below.pointee.kind == .array
            ? below.pointee.current : (frame.pointee.target - below.pointee.slots) / 16
        guard index < holder.count, unsafe SlotState(rawValue: holder.states[index]).hasValue else { return }
        let object = unsafe SlotOperations.box(AnyObject.self, holder.slots + index * 16)
        switch unsafe frame.pointee.kind {
        case .model:
            guard let model = object as? DynamicModel, unsafe hasCounterpart(model, frame) else { return }
            pushExisting(ExistingFrame(model, frame: frameCount - 1))
        case .array:
            guard let list = object as? SlotList, list.count > 0 else { return }
            pushExisting(ExistingFrame(list, frame: frameCount - 1))
        case .dictionary, .path: return
        }
    }

    private mutating func pushExisting(_ frame: ExistingFrame) {
        existing.append(frame)
        existingFrame = frameCount - 1
    }

    /// Forgets the counterpart of the innermost frame, which ends.
    @inline(__always)
    mutating func popExisting() {
        if hasExisting { forgetExisting() }
    }

    /// Whether the innermost frame has a counterpart.
    @inline(__always)
    var hasExisting: Bool { existingFrame >= 0 && existingFrame == frameCount &- 1 }

    @inline(never)
    private mutating func forgetExisting() {
        existing.removeLast()
        existingFrame = existing.last?.frame ?? -1
    }

    private func hasCounterpart(_ model: DynamicModel, _ frame: UnsafeMutablePointer<DecodingFrame>) -> Bool {
        guard let plan = unsafe frame.pointee.plan else { return false }
        return unsafe plan._withUnsafeGuaranteedRef { unsafe $0.table == model.table }
    }

    // MARK: Instances

    /// Whether the innermost frame is that of a root object.
    private var isRoot: Bool {
        guard unsafe frames[frameCount - 1].kind == .model, prefix.isEmpty else { return false }
        return unsafe frameCount == 1 || frameCount == 2 && frames.pointee.kind == .array
    }

    /// The instance of the object that has just begun, if its identity is an integer or a text near the beginning. An
    /// instance whose changes are tracked must see every value of the document.
    private mutating func instance(
        of frame: UnsafeMutablePointer<DecodingFrame>, _ find: (ModelIdentity) -> DynamicModel?
    ) -> DynamicModel? {
        guard let plan = unsafe frame.pointee.plan?.takeUnretainedValue(), plan.layout.identitySlots.count == 1
        else { return nil }
        let mark = source.mark()
        defer { source.rewind(to: mark) }
        guard let identity = (try? readIdentity(plan)) ?? nil, let instance = find(identity),
            instance.trackedBase == nil, unsafe hasCounterpart(instance, frame)
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
            guard number >= 0 else {
                try source.skipValue()
                continue
            }
            let entry = unsafe plan.input.entries + number
            guard let value = unsafe entry.pointee.uncheckedValue,
                unsafe entry.pointee.slot == plan.layout.identitySlots[0]
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
                return unsafe ModelIdentity(plan.layout, entry.pointee.slot, slot)
            }
        }
        return nil
    }

    /// Whether a model may stay as it is in an import: not one that has a base, which the import would change, and of a
    /// schema with an identity only the instance of the map.
    mutating func mayStay(_ model: DynamicModel, _ plan: JSONPlan) -> Bool {
        guard model.trackedBase == nil else { return false }
        if plan.layout.identitySlots.isEmpty { return true }
        guard model.identityMap == identityMap else { return false }
        reused.unchanged.append(model)
        return true
    }

    /// Forgets the unchanged instances of a value that is not the same after all.
    mutating func forgetUnchanged(downTo count: Int) {
        if reused.unchanged.count > count { reused.unchanged.removeLast(reused.unchanged.count - count) }
    }
}

extension PropertySlot {
    /// Whether all models in the slot are instances of an identity map.
    func holdsOnlyInstances(of map: UInt64) -> Bool {
        var result = true
        forEachModel { if $0.identityMap != map { result = false } }
        return result
    }
}
