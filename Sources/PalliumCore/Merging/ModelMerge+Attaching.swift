/// Sources that become part of a target as they are, and what validators, rules and hooks say at the end.
///
/// Safety: slots are numbered by the table of the model; slots with a value hold what their kinds say.
extension ModelMerge {
    /// Notes that what a slot of the source holds is attached, or stands in a base: of a partial document it must be
    /// complete.
    mutating func attachPartial(_ slot: PropertySlot, path: Int) {
        if options.isPartial { attach(slot, path: path) }
    }

    /// Notes the models in a slot of the source that are attached as they are.
    mutating func attach(_ slot: PropertySlot, path: Int) {
        // In a unification it is known only at the end which models stay.
        guard slot.hasValue, unification == nil else { return }
        switch slot.description.kind {
        case .model: unsafe attached.append((SlotOperations.box(DynamicModel.self, slot.pointer), path))
        case .array, .set:
            let list = slot.list
            for index in 0..<list.count where list.slot(at: index).hasValue {
                attach(list.slot(at: index), path: paths.append(index, to: path))
            }
        default: break
        }
    }

    /// Completes attached models, and those below for which a partial document sufficed, as a whole document would have.
    mutating func attachAll() throws(ModelError) {
        attachUnified()
        var number = 0
        while number < attached.count {
            let (model, path) = attached[number]
            number += 1
            for (index, rule) in model.layout.mergeRules.enumerated() where rule.mergesInPlace {
                attach(model.slot(at: index), path: paths.append(property: index, of: model.layout, to: path))
            }
            do throws(ModelError) { try model.complete() } catch { throw error.at(sourceTokens(to: path)) }
            reachUnified(below: model)
        }
        for (model, _) in attached { transaction.linkChildren(of: model) }
    }

    /// Runs the validators of changed properties, the rules of changed models and, for what came from outside, the hooks;
    /// inner models first.
    ///
    /// - Throws: ``ModelError`` with all problems.
    func check() throws(ModelError) {
        var problems: [ModelError] = []
        for (model, path) in attached.reversed() {
            let found = model.problemsOfNewModel { options.path(model.layout, $0) }
            problems += found.map { $0.at(sourceTokens(to: path)) }
        }
        for entry in transaction.modified.reversed() where entry.isReported {
            let (model, layout) = (entry.model, entry.model.layout)
            do throws(ModelError) {
                for slot in layout.validatedSlots where entry.notes[slot] != nil {
                    do throws(ModelError) { try model.runValidators(at: slot) } catch {
                        throw error.at(options.path(layout, slot))
                    }
                }
                try model.runModelRules()
                if options.isPartial { try model.runDecodingHooks() }
            } catch {
                // Of several each has its path.
                problems += error.at(sourceTokens(to: entry.path)).problems
            }
        }
        if !problems.isEmpty { throw ModelError(problems) }
    }
}
