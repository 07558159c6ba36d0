package import PalliumCore
import PalliumJSON

extension ModelStore {
    /// Calls a function with every model of every table, in bounded memory and in one state of the store.
    ///
    /// - Returns: The names of tables that belong to no registered schema, whose rows are left out.
    /// - Throws: What the function throws, which ends the loop; ``ModelError`` as ``StoreAccess/fetch(_:)``.
    package func forEachModel(
        rows: ModelQuery<DynamicModel>.Rows = .fail, _ body: (DynamicModel) throws -> Void
    ) throws -> [String] {
        let (unknown, thrown) = try _read { store throws(ModelError) -> ([String], (any Error)?) in
            let names = try store.tableNames()
            let roots = names.compactMap { store.rowLayout(ofTable: $0) }
            // Whatever must be done to a table is done before the first model is passed.
            for root in roots { _ = try store.table(of: root) }
            var thrown: (any Error)?
            try store.connection.snapshot { () throws(ModelError) in
                for root in roots where thrown == nil {
                    thrown = try store.forEachBatch(ModelQuery(schema: root.schema, rows: rows)) {
                        part throws(any Error) in
                        try part.models.forEach(body)
                    }
                }
            }
            return (names.filter { store.rowLayout(ofTable: $0) == nil }, thrown)
        }
        if let thrown { throw thrown }
        return unknown
    }
}

extension _ConnectedStore {
    /// The names of all tables but those of SQLite, in the order of their bytes.
    func tableNames() throws(ModelError) -> [String] {
        var names: [String] = []
        try connection.forEachRow("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            row throws(ModelError) in
            let name = row.text(0)
            if !name.hasPrefix("sqlite_"), name != StoreSchema.renamings, !LinkTable.isName(name) { names.append(name) }
        }
        return names
    }

    /// Returns the layout whose models a table holds; nil if no registered schema has had its name.
    func rowLayout(ofTable name: String) -> ModelLayout? {
        registry.rowLayouts.first {
            UTF8Text.equal($0.schema.name, name) || $0.schema.formerNames.contains { UTF8Text.equal($0, name) }
        }
    }
}
