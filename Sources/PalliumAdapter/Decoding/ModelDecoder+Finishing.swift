import PalliumCore
import PalliumJSON

/// Finishes models whose object has ended: deferred properties, defaults, required properties, hooks.
///
/// Safety: the frame is the innermost one and stays until it is committed or dropped; slots are numbered by the plan of
/// the model that the frame owns.
extension ModelDecoder {
    @inline(never)
    mutating func finishModel(_ finished: UnsafeMutablePointer<DecodingFrame>) throws {
        let object = unsafe finished.pointee.object!
        let plan = unsafe finished.pointee.plan!.takeUnretainedValue()
        guard try unsafe decodeDeferred(finished, plan) else { return }
        // A transformer's input may have moved the frames.
        let frame = unsafe frames + (frameCount - 1)
        unsafe frame.pointee.current = DecodingPosition.wholeObject
        if unsafe frame.pointee.isPartial { return try unsafe finishPartial(frame) }
        for slot in plan.defaulted where unsafe SlotState(rawValue: frame.pointee.states[slot]).isUnset {
            unsafe self.slot(slot, in: frame).takeDefault(plan.layout.defaultSlot(slot))
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
        // The object of a model frame is its model.
        let model = unsafe object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) }
        try unsafe keepUnknownMembers(of: frame, in: model, plan)
        model.linkChildren()
        // Models of partial documents are checked when they are attached, but bad elements are skipped here, and here it is
        // known what was read of a model.
        if plan.runsHooks, partialModels == .none || session.options.elements == .skip || !plan.isWhole {
            let extras = unsafe frame.pointee.extras
            func path(_ slot: Int) -> [String] { extras?.chosenPaths[slot] ?? plan.path(of: slot) }
            let problems =
                plan.selection.map { model.problems(ofSelected: $0.contains, path: path) }
                ?? (partialModels == .none ? model.problemsOfNewModel(path) : model.brokenRules(path))
            if !problems.isEmpty {
                // An element that is skipped needs no locations, and finding them is slow.
                if !isCollecting, isInSkippedElement { throw ModelError(problems) }
                var located: [ModelError] = []
                for problem in problems {
                    // Locates the refused value, as far as the document contains it.
                    valueOffset = unsafe frame.pointee.offset
                    if let tokens = problem.wholePointer?.tokens {
                        valueOffset = source.offset(of: tokens, from: valueOffset)
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

    /// Reports a problem of a whole object, which comes after all problems of its members.
    private func reportAtEnd(_ problem: ModelError) throws {
        if !session.findsFirstProblem { try session.report(problem) }
    }

    /// Resets the marks of members that the document mentions without a value.
    private func clearMentions(_ frame: UnsafeMutablePointer<DecodingFrame>, _ plan: JSONPlan) {
        guard isCollecting || duplicates != .lastWins else { return }
        for slot in plan.values.indices where unsafe SlotState(rawValue: frame.pointee.states[slot]).isUnset {
            unsafe frame.pointee.states[slot] = SlotState.unset.rawValue
        }
    }

    private mutating func keepUnknownMembers(
        of frame: UnsafeMutablePointer<DecodingFrame>, in model: DynamicModel, _ plan: JSONPlan
    ) throws {
        guard let extras = unsafe frame.pointee.extras else { return }
        if unsafe keepsUnknownMembers(frame), let end = extras.end {
            var captured = JSONObject()
            for (entry, mark) in extras.captured {
                source.rewind(to: mark)
                captured.updateValue(try source.readValue(), forKey: plan.input.members[entry].name)
            }
            source.rewind(to: end)
            for (name, value) in plan.output.unknownMembers(of: captured) {
                extras.preserved.updateValue(value, forKey: name)
            }
        }
        // The stored form has them whatever the option says.
        if !extras.preserved.isEmpty { model.unknownMembers = extras.preserved }
    }

    /// Finishes a partial model. Decoding partial models throws the first problem, so none were collected.
    private mutating func finishPartial(_ frame: UnsafeMutablePointer<DecodingFrame>) throws {
        popKnown()
        if let plan = unsafe frame.pointee.plan, let object = unsafe frame.pointee.object {
            try unsafe keepUnknownMembers(
                of: frame, in: object._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: DynamicModel.self) },
                plan.takeUnretainedValue())
        }
        unsafe commit(frame)
    }
}
