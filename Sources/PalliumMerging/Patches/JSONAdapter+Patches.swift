public import PalliumAdapter
public import PalliumCore
import PalliumJSON

// Applies patches to models, and computes patches from models.
extension JSONAdapter {
    // MARK: To a model

    /// Applies a JSON Patch to a model.
    ///
    ///     try adapter.apply(JSONPatch(parsing: #"[{"op": "add", "path": "/labels/-", "value": "bug"}]"#), to: issue)
    ///
    /// The patch is applied to the model's document, and the model takes over all changes, whatever its merge policies.
    /// A member that the patch removes leaves its property unset, or with the schema's default; null makes it null.
    /// Properties that the patch does not change keep their values, and so do properties without a mapping. Policies
    /// decide only which nested models stay the same objects: those merged in place do. Validators, rules and hooks run as in a
    /// merge. If the model is tracked, the changes are pending edits.
    ///
    /// - Returns: The changes.
    /// - Throws: ``ModelError`` as ``JSONPatch/applied(to:)``; also if the model cannot take over the changes, or its
    ///   own document cannot be decoded back. The pointer then is one into the patched document. The model is unchanged.
    /// - Complexity: O(*n*) in the size of the model and the patch.
    @discardableResult
    public func apply(_ patch: JSONPatch, to model: Model) throws(ModelError) -> ModelChanges {
        let document = try document(of: model, isPartial: true, marking: .none).value
        do throws(ModelError) {
            return try change(model, from: document, to: patch.applied(to: document))
        } catch {
            guard let places = plans.labelledPaths else { throw error }
            // What has no label may hold a value that was copied from one that has.
            let copiesLabelled = patch.operations.contains { operation in
                switch operation {
                case .move(let source, _), .copy(let source, _): places.concern(source.tokens)
                default: false
                }
            }
            throw copiesLabelled ? error.maskingEach { $0.wholePointer?.tokens.count ?? 0 } : places.masked(error)
        }
    }

    /// Applies a JSON Merge Patch to a model, as ``apply(_:to:)-(JSONPatch,_)``.
    ///
    /// ``merge(_:into:)`` is different: it keeps null as a value, and the merge policies decide.
    @discardableResult
    public func apply(_ patch: JSONMergePatch, to model: Model) throws(ModelError) -> ModelChanges {
        let document = try document(of: model, isPartial: true, marking: .none).value
        return try change(model, from: document, to: patch.applied(to: document))
    }

    private func change(
        _ model: Model, from old: JSONValue, to new: JSONValue
    ) throws(ModelError) -> ModelChanges {
        // Merge policies decide only which models are changed in place: a patch contains the new values itself. What it does
        // not mention, and what documents do not contain, stays.
        var (part, options) = try part(JSONDocument(new), of: model)
        options.sourceKind = .document
        var merge = ModelMerge(options)
        return try merge.merge(part, into: model, base: self.part(JSONDocument(old), of: model).0)
    }

    // MARK: From a model

    /// Returns the JSON Patch from a model's tracked base to its current document.
    ///
    /// Nested models that are tracked have their own base. The patch is empty if nothing changed, or if changes are not
    /// tracked.
    ///
    ///     issue.trackChanges()
    ///     issue.title = "Crash on launch"
    ///     let body = try adapter.jsonPatch(for: issue)  // [{"op":"replace","path":"/title","value":"Crash on launch"}]
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``.
    /// - Complexity: O(*n* log *n*) in the size of the model.
    public func jsonPatch(for model: Model) throws(ModelError) -> JSONPatch {
        guard let base = model.copyOfBase() else { return JSONPatch([]) }
        return JSONPatch(from: try untyped.document(of: base), to: try document(of: model))
    }

    /// Returns the JSON Merge Patch from a model's tracked base to its current document, as ``jsonPatch(for:)``;
    /// members that became null or absent are null.
    public func mergePatch(for model: Model) throws(ModelError) -> JSONMergePatch {
        guard let base = model.copyOfBase() else { return JSONMergePatch([:]) }
        return JSONMergePatch(from: try untyped.document(of: base), to: try document(of: model))
    }

    // MARK: Between models

    /// Returns the JSON Patch from the document of one model to that of another; empty if they are equal.
    ///
    ///     let patch = try adapter.jsonPatch(from: old, to: new)
    ///
    /// Sets are equal in any order. A changed set keeps its order: elements are removed, and new ones are added at the
    /// end.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``.
    /// - Complexity: O(*n* log *n*) in the size of the models.
    public func jsonPatch(from old: Model, to new: Model) throws(ModelError) -> JSONPatch {
        JSONPatch(from: try document(of: old), to: try document(of: new))
    }

    /// Returns the JSON Merge Patch from the document of one model to that of another, as ``jsonPatch(from:to:)``;
    /// members that became null or absent are null.
    public func mergePatch(from old: Model, to new: Model) throws(ModelError) -> JSONMergePatch {
        JSONMergePatch(from: try document(of: old), to: try document(of: new))
    }
}
