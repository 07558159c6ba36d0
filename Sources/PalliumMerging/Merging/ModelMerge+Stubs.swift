import PalliumCore

/// Stubs of a source: identities that a document has in place of models.
extension ModelMerge {
    /// Whether stubs of a source refer to models of the target. An identity map or a store finds them otherwise.
    var takesStubsAsReferences: Bool {
        guard case .values = options.sourceKind else { return false }
        return unification == nil
    }

    /// Whether a source refers to the model that another slot holds, and so says nothing new.
    func refersToKnownModel(_ source: PropertySlot, _ known: PropertySlot) -> Bool {
        guard source.hasValue, known.hasValue, source.description.kind == .model, source.model.isStub else {
            return false
        }
        return ModelIdentity(source.model) == ModelIdentity(known.model)
    }

    /// Returns the collection of a source with the target's models for stubs of their identities; nil if there are none.
    func replacingStubs(_ source: PropertySlot, by target: PropertySlot) throws(ModelError) -> TemporarySlot? {
        guard source.hasValue, target.hasValue, source.description.kind != .model else { return nil }
        var models: [ModelIdentity: DynamicModel] = [:]
        target.forEachModel { model in
            if !model.isStub, let identity = ModelIdentity(model) { models[identity] = model }
        }
        if models.isEmpty { return nil }
        return try source.replacingModels { $0.isStub ? ModelIdentity($0).flatMap { models[$0] } : nil }
    }
}
