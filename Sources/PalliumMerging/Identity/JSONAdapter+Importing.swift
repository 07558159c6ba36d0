package import PalliumAdapter
package import PalliumCore

/// Decodes documents for an import into an ``IdentityMap``.
extension JSONAdapter {
    /// Decodes a document in which every model may be partial: nothing is required yet, and no hook runs.
    ///
    /// - Parameter targets: The live instances; models of the document may leave out what is the same there.
    /// - Throws: ``ModelError`` with the JSON Pointer.
    /// - Complexity: O(*n*) in the size of the document.
    func allParts(
        of document: JSONDocument, targets: DocumentTargets
    ) throws(ModelError) -> ImportedParts {
        let session = session(document, partialModels: .all, targets: targets)
        let (list, model) = try session.read(root, as: .either)
        var parts = ImportedParts(
            models: [], targets: targets, options: mergeOptions(session), needsTargets: session.needsTargets)
        guard let list else {
            parts.models = [try one(of: model)]
            return parts
        }
        let dropped = Set(session.droppedRoots)
        parts.models = models(in: list)
        parts.positions = (0..<list.count + dropped.count).filter { !dropped.contains($0) }
        return parts
    }

    /// Decodes a document to tell which models it mentions. It can be imported unless it needs targets.
    package func allParts(of document: JSONDocument) throws(ModelError) -> ImportedParts {
        try allParts(of: document, targets: DocumentTargets(map: 0, sharesValues: false, areKnown: false) { _ in nil })
    }
}
