import PalliumCore
import PalliumJSON

/// Begins and ends the objects of models.
///
/// Safety: the slots of a frame in scratch memory were taken for its plan.
extension ModelDecoder {
    /// Begins the next object. Returns false when it pushed a frame.
    @inline(__always)
    mutating func beginModel(_ plan: Unowned<JSONPlan>, _ slot: WritableSlot) throws -> Bool {
        if plan.object.varies || session.tracksTargets { return try beginVariant(plan, slot) }
        try source.enterObject()
        try pushModel(plan, slot)
        return false
    }

    @inline(__always)
    mutating func pushModel(_ plan: Unowned<JSONPlan>, _ slot: WritableSlot) throws {
        guard session.hasRoom(slots: plan.with { $0.slotCount }) else { throw tooManyValues() }
        let isPartial = session.partialModels != .none && isPartial(slot.value)
        // The values of a partial model are copied into another one, where texts cannot be packed.
        if plan.object.packsTexts, !isPartial, let slots = plan.with({ scratch.takeSlots(for: $0) }) {
            unsafe frames.push(
                DecodingFrame(
                    scratch: slots, textStart: scratch.textCount, plan, target: slot, offset: valueOffset))
        } else {
            frames.push(DecodingFrame(plan, target: slot, offset: valueOffset))
        }
        if isPartial { markPartial() }
    }

    @inline(never)
    func tooManyValues() -> JSONSyntaxError {
        JSONSyntaxError(.tooManyValues, at: source.offset, limit: session.options.reading.maximumValues)
    }

    /// Whether the model or list that is about to begin is partial.
    @inline(never)
    func isPartial(_ value: ValueHandle) -> Bool {
        if session.partialModels == .all { return true }
        guard !frames.isEmpty else { return session.partialModels == .root }
        guard frames.top.isPartial else { return false }
        return frames.top.hasMembers ? value.descriptor.object.property.merge?.mergesInPlace ?? false : true
    }

    /// Marks the innermost frame as partial.
    @inline(never)
    mutating func markPartial() {
        frames.top.isPartial = true
        if known.mayShare { findKnownValues() }
    }

    /// Whether the value that is being decoded is a property of a partial model.
    var isPropertyOfPartialModel: Bool { isProperty(ofPartialModelAt: frames.count - 1) }

    /// Whether the value that is being decoded is an entry of a dictionary that is a property of a partial model.
    var isEntryOfPartialModel: Bool {
        !frames.isEmpty && frames.top.kind == .dictionary && isProperty(ofPartialModelAt: frames.count - 2)
    }

    private func isProperty(ofPartialModelAt number: Int) -> Bool {
        number >= 0 && frames[number].isPartial && frames[number].hasMembers
    }

    /// Handles the end of the innermost frame's object.
    @inline(__always)
    mutating func endObject() throws {
        if frames.top.kind == .path { return endPath() }
        if frames.top.isInScratch { frames.top.makeModel(by: &scratch) }
        if try finishSimply() { return commit() }
        frames.top.deferred = 0
        try finishModel()
    }

    /// Finishes a model without deferred properties and validators, as most are. Returns false, with nothing done, if
    /// there is more to do, a required property or one with a default is missing, or a rule is broken.
    @inline(__always)
    private mutating func finishSimply() throws -> Bool {
        guard frames.top.mayFinishSimply else { return false }
        guard frames.top.plan.object.runsHooks else { return true }
        guard session.partialModels == .none else { return false }
        return try runHooks()
    }

    /// Runs the rules and hooks of a model. Returns false if a rule is broken.
    @inline(__always)
    private mutating func runHooks() throws -> Bool {
        let plan = frames.top.plan
        guard let model = frames.top.model else { return true }
        do {
            if plan.object.isRuled, model.with({ !$0.keepsRules }) { return false }
            if plan.object.isUnprojected { try model.with { try $0.runOverriddenHooks() } }
            return true
        } catch {
            // Like every problem that is found after the members, this one concerns the whole object.
            frames.top.deferred = 0
            frames.top.current = DecodingPosition.wholeObject
            valueOffset = frames.top.offset
            throw error
        }
    }

    private mutating func endPath() {
        let hasFailed = frames.top.hasFailed
        let preserved = frames.top.extras?.preserved
        popKnown()
        frames.pop()
        if hasFailed { frames.top.hasFailed = true }
        guard keepsUnknownMembers else { return }
        // The unknown members are kept even if there are none, so that an object without mapped members is written
        // back.
        let name = frames.top.memberName
        frames.top.neededExtras.preserved.updateValue(.object(preserved ?? JSONObject()), forKey: name)
    }

    /// Stores the finished model or list of the innermost frame in its target and removes the frame.
    @inline(__always)
    mutating func commit() {
        frames.top.storeInTarget()
        frames.pop()
    }

    mutating func endList() {
        popKnown()
        if frames.top.hasFailed { return dropFailed() }
        if session.recovers, frames.top.kind == .dictionary { frames.top.dictionary.removeUnsetElements() }
        if frames.top.target.value.operation == .set {
            let list = frames.top.list.object
            let unique = list.removingDuplicates()
            session.moveSkippedElements(from: list, to: unique)
            frames.top.storeInTarget(insteadOfList: unique)
            return frames.pop()
        }
        commit()
    }

    /// Removes the innermost frame, whose content had problems; the target stays unset and the frame below is notified.
    mutating func dropFailed() {
        let target = frames.top.target
        frames.pop()
        recordFailure(of: target)
    }
}
