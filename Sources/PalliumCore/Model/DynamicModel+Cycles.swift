extension DynamicModel {
    /// Frees models of the library's own making, although they refer to each other in cycles.
    ///
    /// Nothing is done if your code may have kept one of them: a class of yours, a rule or hook in Swift, a merger, or a
    /// transformer of models.
    ///
    /// - Complexity: O(*n*) in the size of the graph that the models reach.
    package static func release(_ models: [DynamicModel]) {
        var reached: [DynamicModel] = []
        var seen: Set<ObjectIdentifier> = []
        var pending = models
        while let model = pending.popLast() {
            guard seen.insert(ObjectIdentifier(model)).inserted else { continue }
            guard type(of: model) == DynamicModel.self, !model.layout.showsModels else { return }
            reached.append(model)
            for index in model.slotIndices { model.slot(at: index).forEachModel { pending.append($0) } }
        }
        for model in reached {
            for index in model.slotIndices where model.slot(at: index).holdsModels { model.slot(at: index).clear() }
        }
    }
}

extension ModelLayout {
    /// Whether your code may see whole models of the schema, or what their properties hold.
    fileprivate var showsModels: Bool {
        hasValidators || !decodingHooks.isEmpty || hasMergePolicies
            || properties.contains { $0.schema.holdsModels && !$0.schema.transformers.isEmpty }
    }
}
