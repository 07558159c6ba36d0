import PalliumJSON

/// From planned steps to changed models.
///
/// Safety: slots are numbered by the table of the model, and a shadow has the same table; slots with a value hold what
/// their kinds say.
extension ModelMerge {
    // MARK: Incoming models that stay

    /// Notes that what came stands on the own side, or in a base, as it is: of a part of a document it must be complete.
    mutating func adoptPart(_ slot: PropertySlot, place: Int) {
        if options.isPartial { adopt(slot, place: place) }
    }

    /// Notes the models in a slot of the incoming side that become part of the own side as they are.
    mutating func adopt(_ slot: PropertySlot, place: Int) {
        // In a unification it is known at the end only which models stay.
        guard slot.hasValue, unification == nil else { return }
        switch slot.description.kind {
        case .model: unsafe adopted.append((SlotOperations.box(DynamicModel.self, slot.pointer), place))
        case .array, .set:
            let list = slot.list
            for index in 0..<list.count where list.slot(at: index).hasValue {
                adopt(list.slot(at: index), place: paths.append(index, to: place))
            }
        default: break
        }
    }

    /// Gives adopted models, and those below that a part of a document sufficed for, what a whole document would have
    /// given them.
    mutating func completeAdopted() throws(ModelError) {
        var number = 0
        while number < adopted.count {
            let (model, place) = adopted[number]
            number += 1
            for (index, rule) in model.layout.mergeRules.enumerated() where rule.mergesInPlace {
                adopt(model.slot(at: index), place: paths.append(property: index, of: model.layout, to: place))
            }
            do throws(ModelError) { try model.complete() } catch { throw error.at(origin(of: place)) }
        }
    }

    // MARK: Applying

    /// Applies the steps, runs the validators and hooks they concern, and tells what changed. When something is refused,
    /// all models are as they were.
    package mutating func commit() throws(ModelError) -> ModelChanges {
        var links = SavedLinks()
        if !touched.isEmpty {
            for number in touched.indices {
                let model = touched[number].model
                if !touched[number].isBase {
                    for step in touched[number].steps {
                        links.save(in: model.slot(at: steps[step].slot), at: steps[step].slot, of: model)
                        links.save(in: steps[step].content.slot, at: steps[step].slot, of: model)
                    }
                }
                let shadow = unsafe DynamicModel(storage: ModelStorage(model.table))
                model.copySlots(to: shadow)
                touched[number].shadow = shadow
            }
            for touched in touched {
                for step in touched.steps { touched.fill(steps[step].slot, from: steps[step].content.slot) }
            }
        }
        var problems: [ModelError] = []
        do throws(ModelError) {
            try adoptUnified()
            for (model, _) in adopted {
                links.save(below: model)
                model.linkChildren()
            }
            problems = check()
        } catch { problems = error.problems }
        if !problems.isEmpty {
            for touched in touched {
                guard let shadow = touched.shadow else { continue }
                for index in unsafe 0..<touched.model.table.pointee.slotCount {
                    touched.replace(index, by: shadow.slot(at: index))
                }
            }
            links.restore()
            throw ModelError(problems)
        }
        for pair in pairsWithMembers { pair.own.takePreservedMembers(of: pair.incoming) }
        trackUnified()
        return ModelChanges(changes(), kept: kept)
    }

    /// Runs the validators of changed properties, the rules of changed models and, for what came from outside, the hooks;
    /// inner models first.
    private func check() -> [ModelError] {
        var problems: [ModelError] = []
        for (model, place) in adopted.reversed() {
            let found = model.problemsOfNewModel { options.path(model.layout, $0) }
            problems += found.map { $0.at(origin(of: place)) }
        }
        for touched in touched.reversed() where !touched.isBase {
            let model = touched.model
            let layout = model.layout
            do throws(ModelError) {
                if !layout.validatedSlots.isEmpty {
                    for step in touched.steps {
                        let slot = steps[step].slot
                        do throws(ModelError) { try model.runValidators(at: slot) } catch {
                            throw error.at(options.path(layout, slot))
                        }
                    }
                }
                try model.runModelRules()
                if options.isPartial { try model.runDecodingHooks() }
            } catch {
                // Of several each has its place.
                problems += error.at(origin(of: touched.place)).problems
            }
        }
        return problems
    }

    /// What differs between the shadows and the models.
    private func changes() -> [ModelChange] {
        var difference = ModelDifference(paths: paths)
        for touched in touched where !touched.isBase {
            guard let shadow = touched.shadow else { continue }
            let model = touched.model
            let (table, layout) = unsafe (model.table, model.layout)
            // Steps come in the order of the slots; whatever else changed was changed by a validator or hook. A model
            // that was merged twice has steps out of order, of which the last ones count.
            var notes = ArraySlice(touched.steps)
            if !touched.isInOrder {
                notes = ArraySlice(touched.steps.sorted { (steps[$0].slot, $0) < (steps[$1].slot, $1) })
            }
            for number in unsafe 0..<table.pointee.comparedCount {
                let index = unsafe Int(table.pointee.compared[number].index)
                if shadow.slot(at: index).holdsSameBytes(as: model.slot(at: index)) { continue }
                var note = ModelDifference.Note(decision: .corrected)
                var content: TemporarySlot?
                while let last = notes.first, steps[last].slot <= index {
                    if steps[last].slot == index { (note, content) = (steps[last].note, steps[last].content) }
                    notes.removeFirst()
                }
                let key = layout.properties[index].key
                let step = ModelDifference.Step.property(index, layout)
                if let content,
                    difference.addReplaced(
                        shadow.slot(at: index), model.slot(at: index), content, key: key, place: touched.place,
                        step: step,
                        note: note)
                {
                    continue
                }
                difference.compare(
                    shadow.slot(at: index), model.slot(at: index), key: key, place: touched.place, step: step,
                    note: note)
            }
        }
        difference.finish()
        return difference.changes
    }
}

/// Links to parents as they were before models came to stand elsewhere.
private struct SavedLinks {
    private var links: [(child: DynamicModel, slot: Int, content: TemporarySlot)] = []

    /// Saves the links of the models in the content of a slot, where the property keeps them right.
    mutating func save(in content: PropertySlot, at slot: Int, of model: DynamicModel) {
        guard unsafe model.table.pointee.hasChildren,
            let place = model.layout.childSlots.first(where: { $0.slot == slot })
        else { return }
        content.forEachModel { child in
            links.append((child, place.inverse, TemporarySlot(copying: child.slot(at: place.inverse))))
        }
    }

    mutating func save(below model: DynamicModel) {
        guard unsafe model.table.pointee.hasChildren else { return }
        for place in model.layout.childSlots { save(in: model.slot(at: place.slot), at: place.slot, of: model) }
    }

    func restore() {
        for link in links.reversed() { link.child.slot(at: link.slot).takeContent(of: link.content.slot) }
    }
}

extension ModelMerge.Touched {
    /// Copies content into a slot of the model, and moves the links of the models there. A base is nobody's parent.
    fileprivate func fill(_ slot: Int, from content: PropertySlot) {
        let slot = model.slot(at: slot)
        func fill() {
            slot.clear()
            slot.copyContent(of: content)
        }
        if isBase { return fill() }
        model.change(slot, by: fill)
    }

    /// Moves content back into a slot of the model, and with it the links of the models there.
    fileprivate func replace(_ slot: Int, by content: PropertySlot) {
        let slot = model.slot(at: slot)
        if isBase { return slot.takeContent(of: content) }
        model.change(slot) { slot.takeContent(of: content) }
    }
}

extension DynamicModel {
    /// Takes over members that no property maps.
    fileprivate final func takePreservedMembers(of other: DynamicModel) {
        guard let members = other.preservedMembers, !members.isEmpty else { return }
        var own = preservedMembers ?? JSONObject()
        for (name, value) in members { own.updateValue(value, forKey: name) }
        preservedMembers = own
    }
}
