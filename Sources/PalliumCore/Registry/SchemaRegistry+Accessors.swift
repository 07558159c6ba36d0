extension SchemaRegistry {
    /// Checks accessors of a class against its schema, without running into one that does not fit.
    ///
    ///     try SchemaRegistry.shared.verifyAccessors(of: Issue.self, \.number, \.title, \.state)
    ///
    /// An accessor that does not fit the schema otherwise ends the program at its first use. Where schemas come from
    /// documents, that is a mistake of the deployment: call this at start-up, after the documents were loaded. It tells of
    /// keys that the schema does not have, of types that do not fit, and of cases that a Swift enumeration lacks. What is
    /// not named is not checked.
    ///
    /// Each accessor is read once, on a model that no one else sees. Its nullable properties are empty; the others hold
    /// their defaults or made-up values: 0, empty text, the first case, empty collections, a model. So an accessor that
    /// computes something must bear these values. `samples` are values of your own types, for the accessors of `custom`
    /// properties that are not optional, because nobody else can make one up.
    ///
    /// - Throws: ``SchemaError`` with every mistake, in the order of the accessors.
    /// - Complexity: O(*n*) in the number of accessors and of the properties that the class and the models it requires
    ///   have.
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
