extension DynamicModel {
    /// Takes over what another model says and keeps the edits that were made since ``trackChanges()``.
    ///
    /// Property by property, where the model was not edited it takes what comes as ``merge(from:)`` does; where the other
    /// side says the same as before, the edit stays; where both changed, that is a conflict, and the policy decides: an
    /// edit survives unless the policy is `replace`, `newest`, `max`, `min`, `union`, `append` or a merger, which do what
    /// they are for. Afterwards the other model's state is what changes are told against, so only edits that survived are
    /// pending. A model whose changes are not tracked is tracked from now on.
    ///
    /// - Returns: What changed in the model; what was kept; and both sides' conflicts.
    /// - Throws: ``ModelError`` as ``merge(from:)``; the model and its pending changes are then as they were.
    @discardableResult
    public final func rebase(onto other: DynamicModel) throws(ModelError) -> ModelChanges {
        try rebase(onto: other, ModelMerge.Options())
    }

    /// Rebases onto a model that may have been made from a part of a document.
    package final func rebase(
        onto other: DynamicModel, _ options: ModelMerge.Options
    ) throws(ModelError) -> ModelChanges {
        var options = options
        options.isRebase = trackedBase != nil
        var merge = ModelMerge(options)
        let changes = try merge.merge(other, into: self)
        // Models that came are tracked like those that were there, also those to which only a revert leads.
        forEachReachableModel(throughBases: true) { if $0.trackedBase == nil { $0.takeBase() } }
        return changes
    }
}
