public import PalliumCore

extension DynamicModel {
    /// Merges another model into this one, property by property, by the merge policies of the schema.
    ///
    /// Properties that are unset or defaulted in the other model change nothing. Null clears: a property with a default
    /// gets it, a required one refuses null. If the schemas differ and have a common ancestor, the common keys are merged;
    /// otherwise the model is refused, whatever keys it shares. An equal value stays the same object. Nested models that
    /// replace others are shared with the other model, as in `copy()`. Validators of the changed properties and the rules
    /// of the changed models run afterwards.
    ///
    /// - Returns: The changes; none without another model.
    /// - Throws: ``ModelError`` with the pointer, or with the code `typeMismatch` where the schemas have no common
    ///   ancestor; the model is then as it was.
    /// - Complexity: O(*n*) in the size of what is merged, on a constant stack; cycles are fine.
    @discardableResult
    public final func merge(from other: DynamicModel?) throws(ModelError) -> ModelChanges {
        guard let other else { return ModelChanges() }
        var merge = ModelMerge()
        return try merge.merge(other, into: self)
    }

    /// Merges one property of another model into this one.
    ///
    /// Without another model, only a merger of yours is called, which then gets nil.
    ///
    /// - Throws: ``ModelError`` as ``merge(from:)``, and with the code `unknownKey` when one of the models has no such
    ///   property.
    @discardableResult
    public final func merge(_ key: String, from other: DynamicModel?) throws(ModelError) -> ModelChanges {
        guard let index = layout.index(of: key) else { throw layout.unknownKeyError(key) }
        var merge = ModelMerge()
        return try merge.merge(index, from: other, into: self)
    }

    /// Refuses a model of an unrelated schema: its identity, and whatever else has the same key by chance, would be taken.
    final func requireRelated(_ other: DynamicModel) throws(ModelError) {
        if layoutIdentifier == other.layoutIdentifier || layout.sharesAncestor(with: other.layout) { return }
        let name = schema.name
        throw ModelError(
            .typeMismatch,
            expected: "a model of \(name) or of a schema that has an ancestor in common with it",
            found: "a model of \(other.schema.name)", schema: name)
    }
}
