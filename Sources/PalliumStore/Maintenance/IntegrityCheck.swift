public import PalliumCore

extension ModelStore {
    /// Returns what is wrong with the store, as errors; an empty list means that every row can be read.
    ///
    /// It reports what SQLite finds, rows with a wrong checksum, rows that cannot be read, columns that differ from their
    /// documents, and tables of schemas that are not registered. The pointer of an error begins with the table, and the
    /// number of the row in it. After 100 problems of a table, the next one is checked. As any first use of a table, it
    /// gives the table the columns that its schemas ask for.
    ///
    /// - Parameter progress: Called after some rows.
    /// - Throws: ``ModelError`` when the file cannot be read at all.
    /// - Complexity: O(*n*) in the size of the store.
    public func integrityCheck(progress: (StoreProgress) -> Void = { _ in }) throws(ModelError) -> [ModelError] {
        try read { store throws(ModelError) in
            try store.connection.snapshot { () throws(ModelError) in try store.problems(progress) }
        }
    }
}

extension StoreAccess {
    /// How many problems one table can have in the result of a check, and how many SQLite may name.
    private static let maximumProblems = 100

    fileprivate func problems(_ progress: (StoreProgress) -> Void) throws(ModelError) -> [ModelError] {
        var problems: [ModelError] = []
        try connection.forEachRow("PRAGMA integrity_check(\(Self.maximumProblems))") { row throws(ModelError) in
            if row.text(0) == "ok" { return }
            problems.append(ModelError(.malformedStore, expected: "an undamaged database", found: row.text(0)))
        }
        var tables: [(name: String, count: Int)] = []
        for name in try tableNames() {
            tables.append((name, Int(try connection.integer("SELECT count(*) FROM \(name.quotedForSQL)") ?? 0)))
        }
        let total = tables.reduce(0) { $0 + $1.count }
        var completed = 0
        for (name, count) in tables {
            problems += try self.problems(ofTable: name) { checked in
                progress(StoreProgress(completed: completed + checked, total: total))
            }
            completed += count
            progress(StoreProgress(completed: completed, total: total))
        }
        return problems
    }

    /// Reads every row of a table.
    ///
    /// - Parameter checked: Called with the number of rows after some.
    private func problems(
        ofTable name: String, checked: (Int) -> Void
    ) throws(ModelError) -> [ModelError] {
        guard let root = rowLayout(ofTable: name) else {
            let error = ModelError(
                .unknownSchema, expected: "a table of a registered schema", found: ModelError.quote(name))
            return [error.at([name])]
        }
        do throws(ModelError) {
            guard let table = try table(of: root) else { return [] }
            var problems: [ModelError] = []
            var count = 0
            let reader = RowReader(table: table, isPartial: true)
            let columns = (table.identity + table.indexed).map { column in ", t0.\(column.name)" }.joined()
            let sql = "SELECT \(TableStatements.rowColumns), t0._rowid_\(columns) FROM \(table.name) AS t0"
            try connection.withStatement(sql) { statement throws(ModelError) in
                while problems.count < Self.maximumProblems, try statement.step() {
                    count += 1
                    if count.isMultiple(of: 256) { checked(count) }
                    do throws(ModelError) { try check(statement, reader) } catch {
                        problems.append(error.at([name, "\(statement.integer(4))"]))
                    }
                }
            }
            return problems
        } catch { return [error.at([name])] }
    }

    /// Checks a row with its number and the columns of its table behind those of the reader.
    private func check(_ row: SQLiteStatement, _ reader: RowReader) throws(ModelError) {
        let model = try reader.model(row)
        let table = reader.table
        let columns = table.rowSchema(called: model.layout.schema.name)?.columnValues(of: model) ?? []
        for (index, value) in columns.enumerated() {
            let stored = row.value(Int32(index) + 5)
            if value == stored { continue }
            let column = (table.identity + table.indexed)[index]
            throw ModelError(
                .malformedStore, column.descriptor, expected: "a column with the value of the document",
                found: "another value")
        }
    }
}
