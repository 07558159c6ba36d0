public import PalliumAdapter
public import PalliumCore
import PalliumJSON

extension JSONAdapter {
    /// Merges a document, which may be partial, into a model.
    ///
    ///     try adapter.merge(#"{"title": "Crash on launch", "assignee": null}"#, into: issue)
    ///
    /// An absent member changes nothing, null clears, a value is merged by the merge policies of the schema; see
    /// ``DynamicModel/merge(from:)``. Required members may be absent, also in models below that are merged in place; a
    /// model that is added or replaces another must be complete. The model keeps its class: a discriminator of another
    /// one is refused. Validators of the changed properties, the rules of the changed models and their hooks after
    /// decoding run; models inside that the document describes just as they are stay the same objects and run none.
    ///
    /// - Returns: What changed.
    /// - Throws: ``ModelError`` with the JSON Pointer and line:column; the model is then as it was.
    /// - Complexity: O(*n*) in the number of bytes and in the size of what is merged.
    @discardableResult
    public func merge(_ input: some JSONInput, into model: Model) throws(ModelError) -> ModelChanges {
        try input._withJSONDocument { document throws(ModelError) in
            do throws(ModelError) {
                let (part, options) = try part(document, of: model, sharing: true)
                var merge = ModelMerge(options)
                return try merge.merge(part, into: model)
            } catch { throw error.located(in: document, options.reading) }
        }
    }

    // MARK: Rebasing

    /// Merges a document, which may be partial, into a model, and keeps the edits since tracking began; see
    /// ``DynamicModel/rebase(onto:)``.
    ///
    /// - Returns: What changed in the model, what was kept, and both sides' conflicts.
    /// - Throws: ``ModelError`` as ``merge(_:into:)``; the model and its pending changes are then as
    ///   they were.
    @discardableResult
    public func rebase(_ model: Model, onto input: some JSONInput) throws(ModelError) -> ModelChanges {
        try input._withJSONDocument { document throws(ModelError) in
            do throws(ModelError) {
                let (part, options) = try part(document, of: model)
                return try model.rebase(onto: part, options)
            } catch { throw error.located(in: document, options.reading) }
        }
    }

    // MARK: How

    /// How the partial models are merged that a session has decoded.
    func mergeOptions(_ session: DecodingSession) -> ModelMerge.Options {
        var options = ModelMerge.Options()
        options.specified = Set(session.specified.map { ObjectIdentifier($0) })
        options.skippedElements = session.skippedElements
        options.isPartial = true
        options.isProjected = plans.hasSelections
        let plans = plans
        options.path = { layout, slot in
            plans.plan(for: layout)?.path(of: slot) ?? [layout.properties[slot].key]
        }
        return options
    }

    /// Decodes a partial document about a model, and tells how it is to be merged. Everything is unset that it does not
    /// mention. It can share unchanged values with the model.
    func part(
        _ input: JSONDocument, of model: Model, sharing: Bool = false
    ) throws(ModelError) -> (DynamicModel, ModelMerge.Options) {
        let targets = DocumentTargets(root: model, sharesValues: sharing)
        let session = session(input, partialModels: .root, targets: targets)
        let part = try document(session.read(root(of: model), as: .model).model)
        return (part, mergeOptions(session))
    }

    /// How a document about a model is read: by the schema of the model, whatever the discriminator says.
    private func root(of model: Model) throws(ModelError) -> RootValue {
        if model.layout === layout { return root }
        guard let plan = plans.plan(for: model.layout, like: plans.root) else {
            throw ModelError(
                .unknownSchema, expected: "a model of \(schema.name) or a descendant, from the adapter's registry",
                found: "a model of \(model.schema.name)")
        }
        return RootValue(plan)
    }
}
