import PalliumAdapter
package import PalliumCore
import PalliumJSON

/// Merges states of rows into the models that a session keeps of them.
///
/// Other sources say something about some properties. A state says everything that a store holds: a property without an
/// edit becomes what the state says, whatever its policy, and what is unset there becomes unset.
///
/// ```
///   base ── state    the same        another one, or unset
///     │              ─────────────   ─────────────────────────────────────
///   no edit          nothing         the property becomes what the state has
///   an edit          the edit stays  conflict: the policy decides
/// ```
/// References of states lead to instances already, so only the reference itself is compared.
extension ModelMerge {
    mutating func mergeState(of pair: Pair) throws(ModelError) {
        let layout = pair.target.layout
        for (index, property) in layout.properties.enumerated() where property.isStored {
            do throws(ModelError) { try mergeState(index, of: pair) } catch {
                throw located(error, at: index, of: pair)
            }
        }
        if pair.target.preservedMembers != pair.source.preservedMembers {
            transaction.openRecord().add(pair.target)
            pair.target.preservedMembers = pair.source.preservedMembers
        }
    }

    private mutating func mergeState(_ index: Int, of pair: Pair) throws(ModelError) {
        guard let base = pair.base?.slot(at: index) else { return }
        let (target, source) = (pair.target.slot(at: index), pair.source.slot(at: index))
        guard base.differs(from: source, leftSide: .baseOfOthers) else { return }
        let rule = pair.target.layout.mergeRules[index]
        if !base.differs(from: target, leftSide: .baseOfValues) {
            try write(source, at: index, of: pair, ModelDifference.Note(decision: .taken))
        } else {
            if case .recurse = rule, try mergeInPlace(index, of: pair, rule, target: target, source: source) { return }
            if target.differs(from: source, leftSide: .present) {
                let resolution = try resolve(conflictAt: index, of: pair, rule, target, source, base)
                if case .take = resolution {
                    let note = ModelDifference.Note(decision: .taken, isConflict: true)
                    try write(source, at: index, of: pair, note)
                } else {
                    try apply(resolution, to: index, of: pair, target, source, isConflict: true)
                }
            }
        }
        writeBase(TemporarySlot(copying: source), at: index, of: pair)
    }

    private mutating func resolve(
        conflictAt index: Int, of pair: Pair, _ rule: MergeRule, _ target: PropertySlot, _ source: PropertySlot,
        _ base: PropertySlot
    ) throws(ModelError) -> Resolution {
        if rule.prefersEdits { return .keep }
        if source.hasValue { return try resolve(index, of: pair, rule, target, source, base) }
        // Other policies ignore that there is no value.
        if case .replace = rule { return .take }
        return .keep
    }
}

extension PropertySlot {
    /// Whether another state of the slot would be stored in another way.
    fileprivate func differs(from other: PropertySlot, leftSide: ModelDifference.LeftSide) -> Bool {
        if slotState.isUnset != other.slotState.isUnset || slotState.isNull != other.slotState.isNull
            || slotState.isDefaulted != other.slotState.isDefaulted
        {
            return true
        }
        return ModelDifference.differ(self, other, leftSide: leftSide)
            || preservedMembers(before: leftSide != .present) != other.preservedMembers(before: false)
    }

    /// The members that no property maps, of the models without an identity in the slot and below. Differences of models tell
    /// nothing of them.
    ///
    /// - Parameter before: Whether models count as they were when they began to be tracked.
    private func preservedMembers(before: Bool) -> [JSONObject] {
        guard description.kind.mayHoldModels else { return [] }
        var found: [JSONObject] = []
        forEachModel { model in
            if model.isUnique { return }
            model.forEachReachableModel(where: { !$0.isUnique }) { part in
                let members = before ? (part.trackedBase ?? part).preservedMembers : part.preservedMembers
                if let members, !members.isEmpty { found.append(members) }
            }
        }
        return found
    }
}

extension ModelLayout.Property {
    /// Whether rows of stores have the property.
    fileprivate var isStored: Bool { StoredForm.holds(self) && !schema.isWeak }
}

extension DynamicModel {
    /// Takes the state of the model's row, and keeps the edits since `takeBaseOfRow()`.
    ///
    /// - Returns: The changes of the model, the values that were kept, and the conflicts.
    /// - Throws: ``ModelError`` if a rule or a validator refuses the result; the model is then as it was.
    package final func takeState(of row: DynamicModel) throws(ModelError) -> ModelChanges {
        try WriteTransaction.run { _ throws(ModelError) in
            var options = ModelMerge.Options()
            options.isState = true
            var merge = ModelMerge(options)
            let changes = try merge.merge(row, into: self, base: trackedBase)
            forEachModelOfRow { if $0.trackedBase == nil { $0.takeBase() } }
            return changes
        }
    }

    /// Makes what the model and the models without an identity in it are now what edits are told from.
    package final func takeBaseOfRow() { forEachModelOfRow { $0.takeBase() } }

    /// Whether something was edited since `takeBaseOfRow()`, in the model or in a model without an identity in it.
    package final var isRowEdited: Bool {
        guard let base = trackedBase else { return false }
        return layout.properties.indices.contains { index in
            layout.properties[index].isStored
                && base.slot(at: index).differs(from: slot(at: index), leftSide: .baseOfValues)
        }
    }

    /// Takes back what was edited since `takeBaseOfRow()`, in the model and in models without an identity that it held then
    /// or holds now.
    package final func revertRow() {
        var models: [DynamicModel] = []
        forEachModelOfRow(throughBases: true) { models.append($0) }
        WriteTransaction.run { _ in
            for model in models { model.takeContentOfBase() }
        }
    }

    /// Visits the model, and the models without an identity in it.
    private final func forEachModelOfRow(throughBases: Bool = false, _ body: (DynamicModel) -> Void) {
        forEachReachableModel(throughBases: throughBases, where: { !$0.isUnique }, body)
    }
}
