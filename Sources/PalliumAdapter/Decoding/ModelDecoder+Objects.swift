import PalliumCore
import PalliumJSON

/// Begins and ends the objects of models.
///
/// Safety: a frame is used while it is on the stack of frames; pushing may move the frames, so no older address is read
/// afterwards. Entries are numbered by the frame's node, slots by the plan of the model that the frame owns.
extension ModelDecoder {
    /// Begins the next object. Returns false when it pushed a frame.
    @inline(__always)
    mutating func beginModel(
        _ model: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws -> Bool {
        let varies = unsafe model._withUnsafeGuaranteedRef { $0.varies }
        if varies || tracksTargets { return try unsafe beginVariant(model, value, slot, state) }
        try source.enterObject()
        try unsafe pushModel(model, value, slot, state)
        return false
    }

    @inline(__always)
    mutating func pushModel(
        _ plan: Unmanaged<JSONPlan>, _ value: UnsafePointer<ValueTable>, _ slot: UnsafeMutableRawPointer,
        _ state: UnsafeMutablePointer<UInt8>
    ) throws {
        guard session.hasRoom(slots: unsafe plan._withUnsafeGuaranteedRef { unsafe $0.rawLayout.pointee.slotCount })
        else {
            throw tooManyValues()
        }
        let offset = valueOffset
        let isPartial = unsafe partialModels != .none && isPartial(value)
        unsafe plan._withUnsafeGuaranteedRef { owner in
            let node = owner.input
            let slots: UnsafeMutableRawPointer
            var object: Unmanaged<AnyObject>?
            var textStart = -1
            // The values of a partial model are copied into another one, where texts cannot be packed.
            if owner.packsTexts, !isPartial, let taken = unsafe scratch.takeSlots(owner.rawLayout) {
                unsafe slots = taken
                textStart = scratch.textCount
            } else {
                let model = owner.makeModel()
                unsafe slots = model.slots
                unsafe object = Unmanaged.passRetained(model as AnyObject)
            }
            unsafe push(
                DecodingFrame(
                    kind: .model, entries: node.entries, entryCount: node.count, node: Unmanaged.passUnretained(node),
                    plan: plan, slots: slots,
                    states: (slots + owner.rawLayout.pointee.stateOffset).assumingMemoryBound(to: UInt8.self),
                    object: object, element: nil, target: slot, targetState: state, targetValue: value, offset: offset,
                    textStart: textStart))
        }
        if isPartial { markPartial() }
    }

    @inline(never)
    private func tooManyValues() -> JSONSyntaxError {
        JSONSyntaxError(.tooManyValues, at: source.offset, limit: session.options.reading.maximumValues)
    }

    /// Whether the model or list that is about to begin is partial.
    @inline(never)
    func isPartial(_ value: UnsafePointer<ValueTable>) -> Bool {
        if partialModels == .all { return true }
        guard frameCount > 0 else { return partialModels == .root }
        let holder = unsafe frames + (frameCount - 1)
        guard unsafe holder.pointee.isPartial else { return false }
        switch unsafe holder.pointee.kind {
        case .model, .path: return unsafe value.descriptor.property.merge?.mergesInPlace ?? false
        case .array, .dictionary: return true
        }
    }

    /// Marks the innermost frame as partial.
    @inline(never)
    mutating func markPartial() {
        unsafe frames[frameCount - 1].isPartial = true
        if knowsValues { findKnownValues() }
    }

    /// Whether the value that is being decoded is a property of a partial model.
    var isPropertyOfPartialModel: Bool { isProperty(ofPartialModelAt: frameCount - 1) }

    /// Whether the value that is being decoded is an entry of a dictionary that is a property of a partial model.
    var isEntryOfPartialModel: Bool {
        guard frameCount > 0, unsafe frames[frameCount - 1].kind == .dictionary else { return false }
        return isProperty(ofPartialModelAt: frameCount - 2)
    }

    private func isProperty(ofPartialModelAt number: Int) -> Bool {
        guard number >= 0 else { return false }
        let holder = unsafe frames + number
        return unsafe holder.pointee.isPartial && (holder.pointee.kind == .model || holder.pointee.kind == .path)
    }

    /// Handles the end of the frame's object.
    @inline(__always)
    mutating func endObject(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        if unsafe frame.pointee.kind == .path { return unsafe endPath(frame) }
        if unsafe frame.pointee.textStart >= 0 { unsafe makeModel(of: frame) }
        if try unsafe finishSimply(frame) { return unsafe commit(frame) }
        unsafe frame.pointee.deferred = 0
        try unsafe finishModel(frame)
    }

    /// Allocates the model of a frame whose slots were put together in scratch memory.
    @inline(__always)
    private mutating func makeModel(of frame: UnsafeMutablePointer<DecodingFrame>) {
        unsafe frame.pointee.plan.unsafelyUnwrapped._withUnsafeGuaranteedRef { plan in
            let model = unsafe scratch.makeModel(plan, frame.pointee.slots, textStart: frame.pointee.textStart)
            unsafe frame.pointee.textStart = -1
            unsafe frame.pointee.slots = model.slots
            unsafe frame.pointee.states = model.stateBytes
            unsafe frame.pointee.object = Unmanaged.passRetained(model as AnyObject)
        }
    }

    /// Finishes a model without deferred properties and validators, as most are. Returns false, with nothing done, if
    /// there is more to do, a required property or one with a default is missing, or a rule is broken.
    @inline(__always)
    private mutating func finishSimply(_ frame: UnsafeMutablePointer<DecodingFrame>) throws -> Bool {
        guard let plan = unsafe frame.pointee.plan, unsafe frame.pointee.extras == nil,
            unsafe !frame.pointee.hasFailed,
            unsafe !frame.pointee.isPartial
        else {
            return false
        }
        let states = unsafe frame.pointee.states
        let (isComplete, isChecked) = unsafe plan._withUnsafeGuaranteedRef { plan -> (Bool, Bool) in
            guard plan.finishesSimply else { return (false, false) }
            guard unsafe plan.expectedSlots.allSatisfy({ unsafe states[$0] & 2 != 0 }) else { return (false, false) }
            return (true, plan.runsHooks)
        }
        guard isComplete, !isChecked || partialModels == .none else { return false }
        if isChecked, let object = unsafe frame.pointee.object {
            let (isRuled, isWhole) = unsafe plan._withUnsafeGuaranteedRef { ($0.isRuled, $0.isWhole) }
            do {
                let keepsRules = try unsafe object._withUnsafeGuaranteedRef { object in
                    // The object of a model frame is its model.
                    let model = unsafe unsafeDowncast(object, to: DynamicModel.self)
                    if isRuled, !model.keepsRules { return false }
                    if isWhole { try model.runOverriddenHooks() }
                    return true
                }
                if !keepsRules { return false }
            } catch {
                // Like every problem that is found after the members, this one concerns the whole object.
                unsafe frame.pointee.deferred = 0
                unsafe frame.pointee.current = DecodingPosition.wholeObject
                valueOffset = unsafe frame.pointee.offset
                throw error
            }
        }
        return true
    }

    private mutating func endPath(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let hasFailed = unsafe frame.pointee.hasFailed
        let extras = unsafe frame.pointee.extras
        popKnown()
        unsafe pop(frame)
        let below = unsafe frames + (frameCount - 1)
        if hasFailed { unsafe below.pointee.hasFailed = true }
        guard unsafe keepsUnknownMembers(below) else { return }
        // The unknown members are kept even if there are none, so that an object without mapped members is written
        // back.
        unsafe self.extras(of: below).preserved.updateValue(
            .object(extras?.preserved ?? JSONObject()), forKey: memberName(in: below))
    }

    /// Stores the finished model or list in its target and removes the frame.
    @inline(__always)
    mutating func commit(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let target = unsafe frame.pointee.target
        let state = unsafe frame.pointee.targetState
        if let object = unsafe frame.pointee.object {
            unsafe target.storeBytes(of: UnsafeRawPointer(object.toOpaque()), as: UnsafeRawPointer.self)
            unsafe state.pointee = SlotState.value.rawValue
        }
        unsafe pop(frame)
    }

    mutating func endList(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        popKnown()
        if unsafe frame.pointee.hasFailed { return unsafe dropFailed(frame) }
        if unsafe frame.pointee.extras?.hasGaps ?? false, let object = unsafe frame.pointee.object {
            unsafe SlotOperations.dictionary(object).removeUnsetElements()
        }
        if unsafe frame.pointee.targetValue.pointee.operation == .set, let object = unsafe frame.pointee.object {
            let list = unsafe SlotOperations.list(object)
            let unique = list.removingDuplicates()
            session.moveSkippedElements(from: list, to: unique)
            unsafe frame.pointee.target.storeBytes(
                of: UnsafeRawPointer(Unmanaged.passRetained(unique as AnyObject).toOpaque()), as: UnsafeRawPointer.self)
            unsafe frame.pointee.targetState.pointee = SlotState.value.rawValue
            unsafe pop(frame)
            unsafe object.release()
            return
        }
        unsafe commit(frame)
    }

    /// Removes a frame whose content had problems; the target stays unset and the frame below is notified.
    mutating func dropFailed(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        let (value, state) = unsafe (frame.pointee.targetValue, frame.pointee.targetState)
        let object = unsafe frame.pointee.object
        unsafe pop(frame)
        unsafe object?.release()
        unsafe recordFailure(of: value, state)
    }
}
