import PalliumCore

/// Documents of which every model may be part of a known one: nothing is asked for yet, and no hook sees a model.
extension JSONAdapter {
    func allParts(of document: JSONDocument) throws(ModelError) -> (models: [DynamicModel], isArray: Bool) {
        let (list, model) = try session(document, parts: .all).readEither(root)
        if let list { return (models(in: list), true) }
        return ([try one(of: model)], false)
    }
}
