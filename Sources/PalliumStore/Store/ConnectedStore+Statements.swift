import PalliumAdapter
import PalliumCore

/// Makes the statements of queries.
extension _ConnectedStore {
    /// A statement and its parameters.
    struct Statement {
        let table: StoreTable
        let sql: String
        let values: [SQLiteValue]
        /// Whether the statement depends on the versions of the rows that there are.
        let isVersioned: Bool
    }

    /// Makes the statement of a query; nil if there is no table, once it is known that the query is right.
    func statement<Model>(
        _ query: ModelQuery<Model>, _ select: (StoreTable, String) -> String
    ) throws(ModelError) -> Statement? {
        let layout = try layout(of: query)
        let existing = try table(of: layout)
        let table = if let existing { existing } else { try described(layout) }
        var writer = ClauseWriter(
            table, layout, registry: registry,
            tables: { layout throws(ModelError) in
                existing == nil
                    ? try tables.described(layout) : try tables.table(layout, on: connection, isNamed: true)
            },
            hasOtherVersions: { sql throws(ModelError) in
                existing == nil ? false : try connection.integer(sql) != nil
            })
        let clauses = try writer.clauses(of: query)
        if existing == nil { return nil }
        if writer.callsFunctions {
            // A connection does not keep the store open.
            try RowFunctions.add(to: connection) { [registry, weak tables] name throws(ModelError) in
                guard let tables else {
                    throw ModelError(.unreadableFile, expected: "a store that is open", found: "one that was closed")
                }
                return try tables.described(registry.layout(named: name))
            }
        }
        return Statement(
            table: table, sql: select(table, clauses), values: writer.values, isVersioned: writer.isVersioned)
    }

    /// Calls a function with the statement of a query, which sees the state of the store that the statement was made for.
    func withStatement<Model, Result>(
        _ query: ModelQuery<Model>, _ select: (StoreTable, String) -> String,
        _ body: (Statement) throws(ModelError) -> Result
    ) throws(ModelError) -> Result? {
        // Tables that have to be made are made before the state is chosen.
        guard let first = try statement(query, select) else { return nil }
        if !first.isVersioned || connection.isInTransaction { return try body(first) }
        return try connection.snapshot { () throws(ModelError) in
            guard let statement = try statement(query, select) else { return nil }
            return try body(statement)
        }
    }

    /// Describes the table of a layout, whether there is one or not.
    func described(_ layout: ModelLayout) throws(ModelError) -> StoreTable {
        try tables.described(layout.rowLayout ?? layout)
    }
}
