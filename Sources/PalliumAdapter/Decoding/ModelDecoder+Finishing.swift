import PalliumCore
import PalliumJSON

/// Finishes models whose object has ended: deferred properties, defaults, required properties, hooks.
extension ModelDecoder {
    /// Finishes the model of the innermost frame, whose object has ended.
    @inline(never)
    mutating func finishModel() throws {
        let plan = frames.top.plan.object
        guard try decodeDeferred(plan) else { return }
        frames.top.current = DecodingPosition.wholeObject
        // The object of a model frame is its model once the object has ended.
        let model = frames.top.model!.object
        if frames.top.isPartial {
            // Decoding partial models throws the first problem, so none were collected.
            popKnown()
            try keepUnknownMembers(in: model, plan)
            return commit()
        }
        // Problems of members were reported; rules are about the others.
        var unsound = Set(session.isCollecting ? plan.values.indices.filter { frames.top.slots[$0] == .mentioned } : [])
        for slot in plan.defaulted where frames.top.slots[slot].isUnset {
            frames.top.slot(slot).property.takeDefault(plan.layout.defaultSlot(slot))
        }
        for (slot, member) in plan.required {
            let state = frames.top.slots[slot]
            // Null is stored only where it is a value.
            if state.hasValue || state.isNull || state == .mentioned { continue }
            let problem = ModelError(
                .missingProperty, expected: "the member \(ModelError.quote(member)) of \(plan.layout.schema.name)",
                found: "none", schema: plan.layout.schema.name, property: plan.values[slot].descriptor.key
            ).missing(plan.path(of: slot))
            guard session.isCollecting else { throw problem }
            valueOffset = frames.top.offset
            try reportAtEnd(locate(problem))
            unsound.insert(slot)
            frames.top.hasFailed = true
        }
        if !frames.top.hasFailed {
            clearMentions(plan)
            try keepUnknownMembers(in: model, plan)
            model.linkChildren()
        }
        let problems = problems(of: model, plan, except: unsound)
        if !problems.isEmpty {
            // An element that is skipped needs no locations, and finding them is slow.
            if !session.isCollecting, isInSkippedElement { throw ModelError(problems) }
            var located: [ModelError] = []
            for problem in problems {
                // Locates the refused value, as far as the document contains it.
                valueOffset = frames.top.offset
                if let tokens = problem.wholePointer?.tokens {
                    valueOffset = source.offset(of: tokens, from: valueOffset)
                }
                located.append(locate(problem))
            }
            guard session.isCollecting else { throw ModelError(located).located() }
            for problem in located { try reportAtEnd(problem) }
            frames.top.hasFailed = true
        }
        if frames.top.hasFailed { return dropFailed() }
        commit()
    }

    /// Runs rules and hooks of the innermost frame's model; those that are code for whole models only if none of its
    /// members had a problem without which the model cannot be made.
    private func problems(of model: DynamicModel, _ plan: JSONPlan, except unsound: Set<Int>) -> [ModelError] {
        // Models of partial documents are checked when they are attached, but bad elements are skipped here, and here it is
        // known what was read of a model.
        guard plan.runsHooks, session.partialModels == .none || session.options.elements == .skip || !plan.isUnprojected
        else { return [] }
        let extras = frames.top.extras
        func path(_ slot: Int) -> [String] { extras?.chosenPaths[slot] ?? plan.path(of: slot) }
        func isSound(_ slot: Int) -> Bool { !unsound.contains(slot) && plan.selection?.contains(slot) ?? true }
        if !plan.isUnprojected || frames.top.hasFailed { return model.problems(ofSelected: isSound, path: path) }
        if session.partialModels != .none { return model.brokenRules(selecting: isSound, path: path) }
        return model.problemsOfNewModel(selecting: isSound, path: path)
    }

    /// Reports a problem of a whole object, which comes after all problems of its members.
    private func reportAtEnd(_ problem: ModelError) throws {
        if !session.findsFirstProblem { try session.report(problem) }
    }

    /// Forgets which members the document mentions without a value.
    private func clearMentions(_ plan: JSONPlan) {
        guard session.isCollecting || duplicates != .lastWins else { return }
        for slot in plan.values.indices where frames.top.slots[slot].isUnset { frames.top.slots.clearMention(slot) }
    }

    private mutating func keepUnknownMembers(in model: DynamicModel, _ plan: JSONPlan) throws {
        guard let extras = frames.top.extras else { return }
        if keepsUnknownMembers, let end = extras.ends?.object {
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
}
