import PalliumCore

/// Stubs of a source: identities that a document has in place of models.
extension ModelMerge {
    /// Whether a source refers to the model that another slot holds, and so says nothing new.
    func refersToKnownModel(_ source: PropertySlot, _ known: PropertySlot) -> Bool {
        guard source.hasValue, source.description.kind == .model, takesStubsAsReferences(source) else { return false }
        return known.hasValue && source.model.isStub && ModelIdentity(source.model) == ModelIdentity(known.model)
    }

    /// Returns the collection of a source with the target's models for stubs of their identities; nil if there are none.
    func replacingStubs(_ source: PropertySlot, by target: PropertySlot) throws(ModelError) -> TemporarySlot? {
        guard source.hasValue, target.hasValue, source.description.kind != .model, takesStubsAsReferences(source) else {
            return nil
        }
        var models: [ModelIdentity: DynamicModel] = [:]
        target.forEachModel { model in
            if !model.isStub, let identity = ModelIdentity(model) { models[identity] = model }
        }
        if models.isEmpty { return nil }
        return try source.replacingModels { $0.isStub ? ModelIdentity($0).flatMap { models[$0] } : nil }
    }

    /// Whether models of a slot may be given by their identity, and no identity map or store finds them.
    private func takesStubsAsReferences(_ slot: PropertySlot) -> Bool {
        guard case .values = options.sourceKind, unification == nil else { return false }
        return slot.description.innermost.property.isByIdentity
    }
}
