import PalliumAdapter
import PalliumCore

/// The models of a document that is imported.
struct ImportedParts {
    var models: [DynamicModel]
    /// Where each of them stands in the array of the document; nil where that is one object.
    var positions: [Int]?
}

/// Documents in which every model may be a partial one: nothing is required yet, and no hook runs.
extension JSONAdapter {
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
