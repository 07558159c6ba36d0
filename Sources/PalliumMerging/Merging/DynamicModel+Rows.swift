package import PalliumCore
import PalliumJSON

// The states of rows, and of the models that a session keeps of them. References of states lead to instances already, so
// only the reference itself is compared.

extension PropertySlot {
    /// Whether another state of the slot would be stored in another way.
    func differs(from other: PropertySlot, leftSide: ModelDifference.LeftSide) -> Bool {
        if slotState.propertyBits != other.slotState.propertyBits { return true }
        return ModelDifference.differ(self, other, leftSide: leftSide)
            || storedRest(before: leftSide != .present) != other.storedRest(before: false)
    }

    /// The stored content of a model of which differences of models do not tell.
    private struct StoredRest: Equatable {
        /// The members that no property maps.
        let members: JSONObject
        /// The properties that are null, not unset.
        let nulls: [Int]
    }

    /// The content of which differences do not tell, of the models without an identity in the slot and below.
    ///
    /// - Parameter before: Whether models count as they were when they began to be tracked.
    private func storedRest(before: Bool) -> [StoredRest] {
        guard description.kind.mayHoldModels else { return [] }
        var found: [StoredRest] = []
        forEachModel { model in
            if model.isUnique { return }
            model.forEachReachableModel(where: { !$0.isUnique }) { part in
                let part = before ? part.trackedBase ?? part : part
                let rest = StoredRest(
                    members: part.unknownMembers ?? JSONObject(),
                    nulls: part.slotIndices.filter { part.slot(at: $0).slotState.isNull })
                if !rest.members.isEmpty || !rest.nulls.isEmpty { found.append(rest) }
            }
        }
        return found
    }
}

extension DynamicModel {
    /// Takes the state of the model's row, and keeps the edits since `takeBaseOfRow()`.
    ///
    /// - Returns: The changes of the model, the values that were kept, and the conflicts.
    /// - Throws: ``ModelError`` if a rule or a validator refuses the result; the model is then as it was.
    package final func takeState(of row: DynamicModel) throws(ModelError) -> ModelChanges {
        try WriteTransaction.run { _ throws(ModelError) in
            var options = ModelMerge.Options()
            options.sourceKind = .row
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
