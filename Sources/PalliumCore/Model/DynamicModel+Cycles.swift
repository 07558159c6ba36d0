extension DynamicModel {
    /// Frees models of the library's own making, although they refer to each other in cycles.
    ///
    /// Nothing is done if your code may have kept one of them: a method of a class, a rule or hook in Swift, a merger, or a
    /// transformer of models.
    ///
    /// - Complexity: O(*n*) in the size of the graph that the models reach.
    package static func release(_ models: [DynamicModel]) {
        var reached: [DynamicModel] = []
        var seen: Set<ObjectIdentifier> = []
        var pending = models
        var allowed: Set<ObjectIdentifier> = []
        while let model = pending.popLast() {
            guard seen.insert(ObjectIdentifier(model)).inserted else { continue }
            if allowed.insert(ObjectIdentifier(model.layout)).inserted, model.layout.showsModels { return }
            reached.append(model)
            for index in model.slotIndices { model.slot(at: index).forEachModel { pending.append($0) } }
        }
        for model in reached { model.clearModels() }
    }
}
