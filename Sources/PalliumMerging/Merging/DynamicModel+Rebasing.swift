public import PalliumCore

extension DynamicModel {
    /// Merges another model into this one and keeps the edits that were made since ``trackChanges()``.
    ///
    /// A property that was not edited is merged as by ``merge(from:)``. If the other model says the same as the base, the edit
    /// stays. If both changed, that is a conflict, and the policy decides: the edit survives unless the policy is `replace`,
    /// `newest`, `max`, `min`, `union`, `append` or a merger. Afterwards the other model's state is the base, so only edits
    /// that survived are pending. A model whose changes are not tracked is tracked from now on.
    ///
    /// - Returns: The changes of the model, the values that were kept, and the conflicts.
    /// - Throws: ``ModelError`` as ``merge(from:)``; the model and its pending changes are then as they were.
    @discardableResult
    public final func rebase(onto other: DynamicModel) throws(ModelError) -> ModelChanges {
        try rebase(onto: other, ModelMerge.Options())
    }

    /// Rebases onto a model that may have been made from a partial document.
    final func rebase(
        onto other: DynamicModel, _ options: ModelMerge.Options
    ) throws(ModelError) -> ModelChanges {
        // Observers may ask for pending changes.
        try WriteTransaction.run { _ throws(ModelError) in
            var merge = ModelMerge(options)
            let changes = try merge.merge(other, into: self, base: trackedBase)
            // New models are tracked like all others, also those that are reached only after a revert.
            forEachReachableModel(throughBases: true) { if $0.trackedBase == nil { $0.takeBase() } }
            return changes
        }
    }
}
