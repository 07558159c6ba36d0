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
        return try input._withJSONDocument { document throws(ModelError) in
            func locating<Result>(_ body: () throws(ModelError) -> Result) throws(ModelError) -> Result {
                do throws(ModelError) { return try body() } catch {
                    throw error.located(in: document, adapter.options.reading)
                }
            }
            var parts = try locating { () throws(ModelError) in try adapter.allParts(of: document) }
            // A stub is no row: it says nothing of the model that the document may bring.
            var rows = try rows(of: parts.mentioned).filter { $0.checksum != nil }.map(\.model)
            let map = IdentityMap()
            map.adopt(rows)
            defer { map.release() }
            // Rows choose the classes of objects that do not say them, and then more rows may be mentioned.
            while parts.needsTargets {
                parts = try locating { () throws(ModelError) in try map.parts(of: document, using: adapter) }
                let more = try self.rows(of: parts.mentioned).filter { $0.checksum != nil }.map(\.model)
                    .filter { !map.holds($0) }
                if more.isEmpty { break }
                map.adopt(more)
                rows += more
            }
            guard adapter.options.elements == .fail else {
                // Elements that are left out count in the document, but not in what is saved. A row that the document
                // mentions may have changed where nothing leads to it any more.
                return try save(map.import(input, using: adapter).models, and: rows)
            }
            return try locating { () throws(ModelError) in
                let models = try map.import(parts, using: adapter).models
                do throws(ModelError) { return try save(models, and: rows) } catch {
                    throw document.isArray ? error : error.at([], insteadOfFirst: 1)
                }
            }
        }
    }
}
