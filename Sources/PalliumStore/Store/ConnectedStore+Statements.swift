import PalliumAdapter
import PalliumCore
import PalliumJSON

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

    /// Writes a statement by the clauses of a query.
    typealias Writing = (StoreTable, inout ClauseWriter) throws(ModelError) -> String

    /// Makes the statement of a query; nil if there is no table, once it is known that the query is right.
    func statement<Model>(_ query: ModelQuery<Model>, _ write: Writing) throws(ModelError) -> Statement? {
        let layout = try layout(of: query)
        let existing = try table(of: layout)
        let table = if let existing { existing } else { try described(layout) }
        func written(usesLinks: Bool) throws(ModelError) -> (sql: String, writer: ClauseWriter) {
            var writer = ClauseWriter(
                table, layout, registry: registry, usesLinks: usesLinks,
                tables: { layout throws(ModelError) in
                    existing == nil
                        ? try tables.described(layout) : try tables.table(layout, on: connection, isNamed: true)
                },
                hasOtherVersions: { sql throws(ModelError) in
                    existing == nil ? false : try connection.integer(sql) != nil
                })
            return (try write(table, &writer), writer)
        }
        let (sql, writer): (String, ClauseWriter)
        do throws(ModelError) { (sql, writer) = try written(usesLinks: true) } catch {
            // An index must not decide what may be asked.
            guard error.code == .limitExceeded else { throw error }
            (sql, writer) = try written(usesLinks: false)
        }
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
        return Statement(table: table, sql: sql, values: writer.values, isVersioned: writer.isVersioned)
    }

    /// Calls a function with the statement of a query, which sees the state of the store that the statement was made for.
    func withStatement<Model, Result>(
        _ query: ModelQuery<Model>, _ write: Writing,
        _ body: (Statement) throws(ModelError) -> Result
    ) throws(ModelError) -> Result? {
        // Tables that have to be made are made before the state is chosen.
        guard let first = try statement(query, write) else { return nil }
        if !first.isVersioned || connection.isInTransaction { return try body(first) }
        return try connection.snapshot { () throws(ModelError) in
            guard let statement = try statement(query, write) else { return nil }
            return try body(statement)
        }
    }

    /// Returns a writing of the statement that selects the models of a query.
    func selection<Model>(of query: ModelQuery<Model>) -> Writing {
        { table, writer throws(ModelError) in try table.statements.selection + writer.clauses(of: query) }
    }

    /// Returns a row for each model of a query, or for each group of them.
    func rows<Model>(
        of query: ModelQuery<Model>, only columns: [QueryColumn]
    ) throws(ModelError) -> [[JSONValue]] {
        guard !columns.isEmpty else {
            throw ModelError(.elementCount, expected: "at least one column", found: "none")
        }
        let groups = ClauseWriter.groups(of: columns)
        if groups != nil, query.start != nil {
            throw ModelError(.notConvertible, expected: "rows of models behind another one", found: "rows of groups")
        }
        var selected: [ClauseWriter.SelectedColumn] = []
        func write(_ table: StoreTable, _ writer: inout ClauseWriter) throws(ModelError) -> String {
            let clauses = try writer.clauses(of: query, by: groups)
            selected = []
            for column in columns { selected.append(try writer.select(column)) }
            return "SELECT \(selected.map(\.sql).joined(separator: ", ")) FROM \(table.name) AS t0\(clauses)"
        }
        var rows: [[JSONValue]] = []
        let result: Void? = try withStatement(query, write) { found throws(ModelError) in
            try connection.forEachRow(found.sql, found.values) { row throws(ModelError) in
                var values: [JSONValue] = []
                for (index, column) in selected.enumerated() { values.append(try column.json(row.value(Int32(index)))) }
                rows.append(values)
            }
        }
        // Without a table as with an empty one, which has one group if no values divide it.
        if result == nil, groups?.isEmpty == true, query.limit != 0, query.offset == 0 {
            rows.append(columns.map { if case .count = $0.content { 0 } else { .null } })
        }
        return rows
    }

    /// Describes the table of a layout, whether there is one or not.
    func described(_ layout: ModelLayout) throws(ModelError) -> StoreTable {
        try tables.described(layout.rowLayout ?? layout)
    }
}
