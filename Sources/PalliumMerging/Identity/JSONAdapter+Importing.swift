import PalliumAdapter
import PalliumCore

/// The models of a document that is imported into an ``IdentityMap``, before they are merged into its instances.
struct ImportedParts {
    var models: [DynamicModel]
    /// Where each of them stands in the array of the document; nil where that is one object.
    var positions: [Int]?
}

/// Decodes documents for an import into an ``IdentityMap``.
extension JSONAdapter {
    /// Decodes a document in which every model may be partial: nothing is required yet, and no hook runs.
    func allParts(of document: JSONDocument) throws(ModelError) -> ImportedParts {
        let session = session(document, partialModels: .all)
        let (list, model) = try session.read(root, as: .either)
        guard let list else { return ImportedParts(models: [try one(of: model)]) }
        let dropped = Set(session.droppedRoots)
        return ImportedParts(
            models: models(in: list),
            positions: (0..<list.count + dropped.count).filter { !dropped.contains($0) })
    }
}
