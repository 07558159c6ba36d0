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
        let existing = try rows(of: adapter.mentionedModels(in: input))
        map.adopt(existing)
        defer { map.release() }
        let imported = try map.import(input, using: adapter)
        return try withExtendedLifetime(existing) { () throws(ModelError) in try save(Array(imported)) }
    }

    /// Returns the rows of models, with what they refer to.
    private func rows(of mentioned: [DynamicModel]) throws(ModelError) -> [DynamicModel] {
        var identities: [ObjectIdentifier: (layout: ModelLayout, models: [ModelIdentity: DynamicModel])] = [:]
        for model in mentioned {
            guard let layout = model.layout.rowLayout, let identity = ModelIdentity(model) else { continue }
            identities[ObjectIdentifier(layout), default: (layout, [:])].models[identity] = model
        }
        var (rows, partial): ([DynamicModel], [DynamicModel]) = ([], [])
        for (layout, models) in identities.values {
            guard let table = try table(of: layout) else { continue }
            let list = StatementWriter.list(rows: models.values.map { table.identityValues(of: $0) })
            let reader = RowReader(table: table, isPartial: table.hasReferences)
            try connection.forEachRow(table.statements.selectionOfListed, [list]) { row throws(ModelError) in
                let model = try reader.model(row)
                if reader.isPartial { partial.append(model) } else { rows.append(model) }
            }
        }
        return try rows + complete(partial)
    }
}
