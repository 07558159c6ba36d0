package import PalliumAdapter
package import PalliumCore

/// Decodes documents for an import into an ``IdentityMap``.
extension JSONAdapter {
    /// Decodes a document in which every model may be partial: nothing is required yet, and no hook runs.
    ///
    /// - Parameter existing: The live instances; models of the document leave out what is the same there.
    /// - Throws: ``ModelError`` with the JSON Pointer.
    /// - Complexity: O(*n*) in the size of the document.
    package func allParts(
        of document: JSONDocument, existing: ExistingModels? = nil
    ) throws(ModelError) -> ImportedParts {
        let session = session(document, partialModels: .all, existing: existing)
        let (list, model) = try session.read(root, as: .either)
        var parts = ImportedParts(models: [], reused: session.reused)
        guard let list else {
            parts.models = [try one(of: model)]
            return parts
        }
        let dropped = Set(session.droppedRoots)
        parts.models = models(in: list)
        parts.positions = (0..<list.count + dropped.count).filter { !dropped.contains($0) }
        return parts
    }
}
