import PalliumAdapter
import PalliumCore
import PalliumMerging

extension StoreAccess {
    /// Imports a document into the rows of the models that it mentions, and saves what it changes.
    func `import`<Model>(
        _ input: some JSONInput, using adapter: JSONAdapter<Model>
    ) throws(ModelError) -> StoreChanges {
        guard registry.layout(for: adapter.schema)?.registry === adapter.layout.registry else {
            throw ModelError(
                .unknownSchema, expected: "an adapter of the store's registry", found: "one of another",
                schema: adapter.schema.name)
        }
        let map = IdentityMap()
        let rows = try rows(of: adapter.mentionedModels(in: input))
        map.adopt(rows.map(\.model))
        defer { map.release() }
        let imported = try map.import(input, using: adapter)
        do throws(ModelError) {
            // A row that the document mentions may have changed where nothing leads to it any more.
            let mentioned = rows.filter { $0.checksum != nil }.map(\.model)
            return try save(imported.models, and: mentioned)
        } catch {
            // Elements that were left out would count, too.
            guard adapter.options.elements == .fail else { throw error }
            throw input._withJSONDocument { document in
                (document.isArray ? error : error.at([], insteadOfFirst: 1))
                    .located(in: document, adapter.options.reading)
            }
        }
    }
}
