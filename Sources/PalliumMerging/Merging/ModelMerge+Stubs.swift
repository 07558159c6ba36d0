import PalliumCore

/// Stubs of a source: identities that a document has in place of models.
extension ModelMerge {
    /// Merges a slot whose stubs refer to models of the target.
    mutating func mergeStubs(_ index: Int, of pair: Pair, _ source: PropertySlot) throws(ModelError) {
        let target = pair.target.slot(at: index)
        guard source.description.holdsIdentities else { return try mergeSlot(index, of: pair, source) }
        if refersToKnownModel(source, pair.base?.slot(at: index) ?? target) { return }
        let known = try replacingStubs(source, by: target)
        defer { withExtendedLifetime(known) {} }
        try mergeSlot(index, of: pair, known?.slot ?? source)
    }

    /// Whether a source refers to the model that another slot holds, and so says nothing new.
    private func refersToKnownModel(_ source: PropertySlot, _ known: PropertySlot) -> Bool {
        guard source.hasValue, known.hasValue, source.description.kind == .model, source.model.isStub else {
            return false
        }
        return ModelIdentity(source.model) == ModelIdentity(known.model)
    }

    /// Returns the collection of a source with the target's models for stubs of their identities; nil if there are none.
    private func replacingStubs(
        _ source: PropertySlot, by target: PropertySlot
    ) throws(ModelError) -> TemporarySlot? {
        guard source.hasValue, target.hasValue, source.description.kind != .model else { return nil }
        var models: [ModelIdentity: DynamicModel] = [:]
        target.forEachModel { model in
            if !model.isStub, let identity = ModelIdentity(model) { models[identity] = model }
        }
        if models.isEmpty { return nil }
        return try source.replacingModels { $0.isStub ? ModelIdentity($0).flatMap { models[$0] } : nil }
    }
}
