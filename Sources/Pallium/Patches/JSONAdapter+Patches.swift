public import PalliumCore
import PalliumJSON

extension JSONAdapter {
    // MARK: To a model

    /// Makes of a model what a patch makes of its document.
    ///
    ///     try adapter.apply(JSONPatch(parsing: #"[{"op": "add", "path": "/labels/-", "value": "bug"}]"#), to: issue)
    ///
    /// A property becomes what the patched document says, whatever its merge policy: a patch says itself what changes. A
    /// member that the patch removes leaves its property unset, or with the schema's default; null makes it null. Properties
    /// that the patch does not change stay as they are, those included that are not in JSON. Models that the policies merge
    /// in place stay the same objects, others are replaced. Validators, rules and hooks run as in a merge. What changed is
    /// pending if the model is tracked, as an edit of the program.
    ///
    /// - Returns: What changed.
    /// - Throws: ``ModelError`` as ``JSONPatch/applied(to:)``, and with the pointer into the patched document when the model
    ///   cannot become that, or its own document cannot be read back; the model is then as it was.
    /// - Complexity: O(*n*) in the size of the model and the patch.
    @discardableResult
    public func apply(_ patch: JSONPatch, to model: Model) throws(ModelError) -> ModelChanges {
        let document = try document(of: model).value
        return try change(model, from: document, to: patch.applied(to: document))
    }

    /// Makes of a model what a merge patch makes of its document, as ``apply(_:to:)-(JSONPatch,_)``.
    ///
    /// ``merge(_:into:)`` is different: there null is null, and the merge policies decide.
    @discardableResult
    public func apply(_ patch: JSONMergePatch, to model: Model) throws(ModelError) -> ModelChanges {
        let document = try document(of: model).value
        return try change(model, from: document, to: patch.applied(to: document))
    }

    private func change(
        _ model: Model, from old: JSONValue, to new: JSONValue
    ) throws(ModelError) -> ModelChanges {
        var patching = ModelPatching(mergeOptions)
        return try patching.apply(
            from: part(JSONDocument(old), of: model), to: part(JSONDocument(new), of: model), in: model)
    }

    // MARK: From a model

    /// The body still to be sent of a model whose changes are tracked: what makes its document of today of the one it had
    /// when tracking began. Models inside that are tracked count as they were then, too. Empty when nothing changed, or
    /// changes are not tracked.
    ///
    ///     issue.trackChanges()
    ///     issue.title = "Crash on launch"
    ///     let body = try adapter.jsonPatch(for: issue)  // [{"op":"replace","path":"/title","value":"Crash on launch"}]
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:)-(Model,_,_)``.
    /// - Complexity: O(*n* log *n*) in the size of the model.
    public func jsonPatch(for model: Model) throws(ModelError) -> JSONPatch {
        guard let base = model.copyOfBase() else { return JSONPatch([]) }
        return JSONPatch(from: try untyped.document(of: base), to: try document(of: model))
    }

    /// The body still to be sent of a model whose changes are tracked, as ``jsonPatch(for:)``; what became null or absent
    /// is null.
    public func mergePatch(for model: Model) throws(ModelError) -> JSONMergePatch {
        guard let base = model.copyOfBase() else { return JSONMergePatch([:]) }
        return JSONMergePatch(from: try untyped.document(of: base), to: try document(of: model))
    }

    // MARK: Between models

    /// The patch that makes the document of one model of that of another; empty when they are equal.
    ///
    ///     let patch = try adapter.jsonPatch(from: old, to: new)
    ///
    /// A set that holds the same in another order is no difference, and one that differs keeps its order: what goes is
    /// removed, what comes stands behind.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:)-(Model,_,_)``.
    /// - Complexity: O(*n* log *n*) in the size of the models.
    public func jsonPatch(from old: Model, to new: Model) throws(ModelError) -> JSONPatch {
        JSONPatch(from: try document(of: old), to: try document(of: new))
    }

    /// The merge patch that makes the document of one model of that of another, as ``jsonPatch(from:to:)``; what became
    /// null or absent is null.
    public func mergePatch(from old: Model, to new: Model) throws(ModelError) -> JSONMergePatch {
        JSONMergePatch(from: try document(of: old), to: try document(of: new))
    }
}
