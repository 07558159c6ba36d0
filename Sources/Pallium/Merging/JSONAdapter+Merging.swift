public import Foundation
public import PalliumCore
public import PalliumJSON

// Safety: the session reads the document only while it is lent.
extension JSONAdapter {
    /// Takes over what a document says about a model, which may be any part of it.
    ///
    ///     try adapter.merge(#"{"title": "Crash on launch", "assignee": null}"#, into: issue)
    ///
    /// What is absent changes nothing, null clears, a value goes in as the schema's merge policies want it; see
    /// ``DynamicModel/merge(from:)``. Required members may be absent, also in models below that are merged in place; a
    /// model that becomes a new one must be complete. The model keeps its class: a discriminator of another one is refused.
    /// Validators of the changed properties, the rules of the changed models and their hooks after decoding run;
    /// models inside that the document describes just as they are stay the same objects and run none.
    ///
    /// - Returns: What changed.
    /// - Throws: ``ModelError`` with the JSON Pointer and line:column; the model is then as it was.
    /// - Complexity: O(*n*) in the number of bytes and in the size of what is merged.
    @discardableResult
    public func merge(_ bytes: some ContiguousBytes, into model: Model) throws(ModelError) -> ModelChanges {
        do throws(ModelError) { return try apply(part(bytes, of: model, sharing: true), to: model) } catch {
            throw error.located(in: bytes, options.reading)
        }
    }

    /// Takes over what a document in a string says about a model, as ``merge(_:into:)-(ContiguousBytes,_)``.
    @discardableResult
    public func merge(_ text: String, into model: Model) throws(ModelError) -> ModelChanges {
        try merge(Array(text.utf8), into: model)
    }

    /// Takes over what a dictionary that someone else parsed says about a model, as for bytes, without line and column.
    @discardableResult
    public func merge(_ dictionary: [String: Any], into model: Model) throws(ModelError) -> ModelChanges {
        try merge(tree(dictionary), into: model)
    }

    /// Takes over what a tree says about a model, as for bytes, without line and column.
    @discardableResult
    public func merge(_ value: JSONValue, into model: Model) throws(ModelError) -> ModelChanges {
        try apply(part(value, of: model), to: model)
    }

    // MARK: Rebasing

    /// Takes over what a document, which may be any part of it, says about a model, and keeps the edits that were made
    /// since its changes began to be tracked; see ``DynamicModel/rebase(onto:)``.
    ///
    /// - Returns: What changed in the model, what was kept, and both sides' conflicts.
    /// - Throws: ``ModelError`` as ``merge(_:into:)-(ContiguousBytes,_)``; the model and its pending changes are then as
    ///   they were.
    @discardableResult
    public func rebase(_ model: Model, onto bytes: some ContiguousBytes) throws(ModelError) -> ModelChanges {
        do throws(ModelError) { return try model.rebase(onto: part(bytes, of: model), mergeOptions) } catch {
            throw error.located(in: bytes, options.reading)
        }
    }

    /// Rebases a model onto a document in a string, as onto bytes.
    @discardableResult
    public func rebase(_ model: Model, onto text: String) throws(ModelError) -> ModelChanges {
        try rebase(model, onto: Array(text.utf8))
    }

    /// Rebases a model onto a dictionary that someone else parsed, as onto bytes, without line and column.
    @discardableResult
    public func rebase(_ model: Model, onto dictionary: [String: Any]) throws(ModelError) -> ModelChanges {
        try rebase(model, onto: tree(dictionary))
    }

    /// Rebases a model onto a tree, as onto bytes, without line and column.
    @discardableResult
    public func rebase(_ model: Model, onto value: JSONValue) throws(ModelError) -> ModelChanges {
        try model.rebase(onto: part(value, of: model), mergeOptions)
    }

    // MARK: How

    private func apply(_ part: DynamicModel, to model: Model) throws(ModelError) -> ModelChanges {
        var merge = ModelMerge(mergeOptions)
        try merge.plan(part, into: model)
        return try merge.commit()
    }

    /// How models that were decoded as parts are merged.
    var mergeOptions: ModelMerge.Options {
        var options = ModelMerge.Options()
        options.isPartial = true
        let programs = programs
        options.path = { layout, slot in
            programs.program(for: layout)?.path(of: slot) ?? [layout.properties[slot].key]
        }
        return options
    }

    /// The model that a document is part of, with everything unset that the document does not mention. It can share with
    /// the model what both say, which a rebase must not: the base, too, may hold what is shared.
    func part(
        _ bytes: some ContiguousBytes, of model: Model, sharing: Bool = false
    ) throws(ModelError) -> DynamicModel {
        let root = try root(of: model)
        let result = unsafe bytes.withUnsafeBytes { raw in
            unsafe session(collecting: false, document: raw, parts: .root, known: sharing ? model : nil)
                .readModel(root)
        }
        return try document(result.get())
    }

    func part(_ value: JSONValue, of model: Model) throws(ModelError) -> DynamicModel {
        var decoder = unsafe ModelDecoder<TreeSource>(
            TreeSource(value, maximumDepth: options.reading.maximumDepth),
            session: session(collecting: false, parts: .root))
        return try document(decoder.decodeModel(root(of: model)))
    }

    /// How a document about a model is read: by the model's own schema, whatever the document says it is.
    private func root(of model: Model) throws(ModelError) -> RootValue {
        if model.layout === layout { return root }
        guard let program = programs.program(for: model.layout) else {
            throw ModelError(
                .unknownSchema, expected: "a model of \(schema.name) or a descendant, from the adapter's registry",
                found: "a model of \(model.schema.name)")
        }
        return RootValue(program)
    }
}
