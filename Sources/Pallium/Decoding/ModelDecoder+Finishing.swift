import PalliumCore
import PalliumJSON

/// What happens once the object of a model has ended and its deferred properties are decoded: defaults, required properties,
/// hooks.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the program
/// of the model that the frame owns.
extension ModelDecoder where Source: ~Copyable {
    @inline(never)
    mutating func finishModel(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        let object = unsafe frame.pointee.object!
        let plan = unsafe frame.pointee.plan!.takeUnretainedValue()
        guard try unsafe decodeDeferred(frame, plan) else { return }
        unsafe frame.pointee.current = DecodingPlace.wholeObject
        if unsafe frame.pointee.isPart {
            unsafe clearMentions(frame, plan)
            return unsafe finishPart(frame)
        }
        for slot in plan.defaulted where unsafe SlotState(rawValue: frame.pointee.states[slot]).isUnset {
            let place = unsafe self.slot(slot, in: frame)
            place.copyContent(of: plan.layout.defaultSlot(slot))
            place.slotState = place.slotState.asDefaulted
        }
        for (slot, member) in plan.required {
            let state = unsafe SlotState(rawValue: frame.pointee.states[slot])
            if state.hasValue || state == .mentioned { continue }
            let descriptor = plan.values[slot].descriptor
            let problem = ModelError(
                .missingProperty, expected: "the member \(ModelError.quote(member)) of \(plan.layout.schema.name)",
                found: "none", schema: plan.layout.schema.name, property: descriptor.key)
            guard isCollecting else { throw problem }
            valueOffset = unsafe frame.pointee.offset
            try reportAtEnd(locate(problem))
            unsafe frame.pointee.hasFailed = true
        }
        if unsafe frame.pointee.hasFailed { return unsafe dropFailed(frame) }
        unsafe clearMentions(frame, plan)
        // The object of a model frame is the model that `pushModel` put there.
        let model = unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) }
        unsafe keepUnknownMembers(of: frame, in: model, plan)
        model.linkChildren()
        if plan.runsHooks {
            let extras = unsafe frame.pointee.extras
            let problems = model.problemsOfNewModel { extras?.chosenPaths[$0] ?? plan.path(of: $0) }
            if !problems.isEmpty {
                // Nobody learns where the problems of an element are that is left out, and finding them takes long.
                if !isCollecting, isInSkippedElement { throw ModelError(problems) }
                var located: [ModelError] = []
                for problem in problems {
                    // Where the value stands that was refused, as far as the document has it.
                    valueOffset = unsafe frame.pointee.offset
                    if baseOffset == nil, let tokens = problem.pointer?.tokens {
                        valueOffset = session.offset(of: tokens, from: valueOffset)
                    }
                    located.append(locate(problem))
                }
                guard isCollecting else { throw ModelError(located).located() }
                for problem in located { try reportAtEnd(problem) }
                return unsafe dropFailed(frame)
            }
        }
        unsafe commit(frame)
    }

    /// Notes a problem of a whole object, which comes after those of its members wherever they stand.
    private func reportAtEnd(_ problem: ModelError) throws {
        if session.search == nil { try session.report(problem) }
    }

    /// Forgets which members came without leaving a value.
    private func clearMentions(_ frame: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan) {
        guard isCollecting || duplicates != .lastWins else { return }
        for slot in plan.values.indices where unsafe SlotState(rawValue: frame.pointee.states[slot]).isUnset {
            unsafe frame.pointee.states[slot] = SlotState.unset.rawValue
        }
    }

    private func keepUnknownMembers(
        of frame: UnsafeMutablePointer<DecodingFrame>, in model: DynamicModel, _ plan: JSONPlan
    ) {
        guard unknownMembers == .keep, let extras = unsafe frame.pointee.extras else { return }
        for (name, value) in plan.output.leftover(of: extras.captured) {
            extras.preserved.updateValue(value, forKey: name)
        }
        if !extras.preserved.isEmpty { model.preservedMembers = extras.preserved }
    }

    /// Ends a model of which part is enough. Whoever asks for parts wants the first problem, so none were collected.
    private mutating func finishPart(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        popKnown()
        if let plan = unsafe frame.pointee.plan, let object = unsafe frame.pointee.object {
            unsafe keepUnknownMembers(
                of: frame, in: object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) },
                plan.takeUnretainedValue())
        }
        unsafe commit(frame)
    }
}
