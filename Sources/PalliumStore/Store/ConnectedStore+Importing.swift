import PalliumAdapter
import PalliumCore
import PalliumMerging

extension _ConnectedStore {
    /// Returns the rows of models and of those that they refer to, and an identity map that has them.
    private func map(of models: [DynamicModel]) throws(ModelError) -> (rows: [DynamicModel], map: IdentityMap) {
        // A stub is no row: it says nothing of the model that the document may bring.
        // A broken reference does not keep a document from replacing it.
        let rows = try rows(of: models, keepsStubs: true).filter { $0.checksum != nil || !$0.model.isStub }.map(\.model)
        let map = IdentityMap()
        map.adopt(rows)
        return (rows, map)
    }

    /// Saves what was imported: the models of the document, those that a merge policy left out of others, and rows.
    private func save<Model>(
        _ imported: IdentityMap.ImportedModels<Model>, and rows: [DynamicModel]
    ) throws(ModelError) -> StoreChanges {
        try save(imported.models, and: rows + imported.new.filter { !$0.isStub })
    }

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
            // Models that refer to each other in cycles would leak.
            var made: [DynamicModel] = []
            defer { DynamicModel.release(made) }
            var parts = try locating { () throws(ModelError) in try adapter.allParts(of: document) }
            var mentioned = parts.mentioned
            var (rows, map) = try map(of: mentioned)
            defer { map.release() }
            // Rows choose the classes of objects that do not say them, and then more rows may be mentioned.
            var isSettled = !parts.needsTargets
            while !isSettled {
                parts = try locating { () throws(ModelError) in try map.parts(of: document, using: adapter) }
                let more = parts.mentioned.filter { !map.holds($0) }
                isSettled = try self.rows(of: more, keepsStubs: true).allSatisfy { $0.checksum == nil }
                if isSettled { break }
                // All of them anew, so that they refer to each other.
                mentioned += more
                map.release()
                (rows, map) = try self.map(of: mentioned)
            }
            guard adapter.options.elements == .fail else {
                // Elements that are left out count in the document, but not in what is saved. A row that the document
                // mentions may have changed where nothing leads to it any more.
                let imported = try map.import(input, using: adapter)
                made = imported.models + imported.new + rows + mentioned
                return try save(imported, and: rows)
            }
            return try locating { () throws(ModelError) in
                let imported = try map.import(parts, using: adapter)
                made = imported.models + imported.new + rows + mentioned
                do throws(ModelError) { return try save(imported, and: rows) } catch {
                    throw document.isArray(adapter.options.reading) ? error : error.at([], insteadOfFirst: 1)
                }
            }
        }
    }
}
