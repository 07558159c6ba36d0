/// Verifies the accessors of model classes.
extension SchemaRegistry {
    /// Checks accessors of a class against its schema, without trapping.
    ///
    ///     try SchemaRegistry.shared.verifyAccessors(of: Issue.self, \.number, \.title, \.state)
    ///
    /// At its first use, an accessor that does not fit the schema ends the program. If schemas come from documents,
    /// call this at start-up, after loading the documents. It reports keys that the schema does not have, types that do
    /// not fit, and cases that a Swift enumeration lacks. It checks only the accessors you pass.
    ///
    /// Each accessor is read once, on a private model. Nullable properties of the model are empty; others hold their
    /// defaults or made-up values: 0, empty text, the first case, empty collections, a model. Computed accessors must
    /// work with these values. For a non-optional accessor of a `custom` property, pass an example value in
    /// `samples`.
    ///
    /// - Throws: ``SchemaError`` with every mistake, in the order of the accessors.
    /// - Complexity: Linear in the accessors plus the properties of the class and of the models that it requires.
    public func verifyAccessors<Model: DynamicModel>(
        of modelClass: Model.Type, _ accessors: PartialKeyPath<Model>...,
        samples: [any PropertyValue & Hashable & Sendable] = []
    ) throws(SchemaError) {
        guard let layout = layout(for: modelClass) else {
            throw SchemaError([
                SchemaError.Problem(
                    message: "no schema is registered for the class \(modelClass)", fix: "register one before")
            ])
        }
        let probe = AccessorProbe(layout, registry: self, samples: samples)
        defer { probe.end() }
        guard let model = probe.makeModel() as? Model else { return }
        for accessor in accessors {
            if let type = Swift.type(of: accessor).valueType as? any PropertyValue.Type, probe.lacksSample(of: type) {
                probe.note(
                    SchemaError.Problem(
                        schema: layout.schema.name,
                        message: "an accessor gives \(type), of which no value can be made up",
                        fix: "pass one in samples"))
            } else {
                _ = model[keyPath: accessor]
            }
        }
        if !probe.problems.isEmpty { throw SchemaError(probe.problems) }
    }
}
