// Identifies frozen models, as lists of views need it.
extension Frozen: Identifiable where Model: Identifiable {
    /// The `id` of the model: an accessor of the class, or the identity that its schema declares.
    ///
    ///     ForEach(frozenIssues) { issue in Text(issue.title ?? "") }
    ///
    /// An `id` that is not a ``PropertyValue`` must be `Sendable`.
    public var id: Model.ID {
        // A conformance cannot require that `ID` is `Sendable`. Of the types of accessors only those with models are
        // not, and a model of the graph must not leave it.
        Self.idHoldsModels ? _model.deepCopy().id : _model.id
    }

    private static var idHoldsModels: Bool {
        guard let type = Model.ID.self as? any PropertyValue.Type, let kind = type._naturalKind else { return false }
        return PropertySchema(kind).holdsModels
    }
}
