public import PalliumCore
import PalliumJSON

extension ModelStore {
    /// Returns what is wrong with the store, as errors; an empty list means that every row can be read.
    ///
    /// It reports what SQLite finds, rows with a wrong checksum, rows that cannot be read, columns that differ from their
    /// documents, and tables of schemas that are not registered. The pointer of an error begins with the table, and the
    /// identity of the row in it. After 100 problems of a table, the next one is checked. As any first use of a table, it
    /// gives the table the columns that its schemas ask for.
    ///
    /// - Parameter progress: Called after some rows.
    /// - Throws: ``ModelError`` when the file cannot be read at all.
    /// - Complexity: O(*n*) in the size of the store.
    public func integrityCheck(progress: (StoreProgress) -> Void = { _ in }) throws(ModelError) -> [ModelError] {
        try _read { store throws(ModelError) in
            try store.connection.snapshot { () throws(ModelError) in try store.problems(progress) }
        }
    }
}

extension _ConnectedStore {
    /// How many problems one table can have in the result of a check, and how many SQLite may name.
    private static let maximumProblems = 100

    fileprivate func problems(_ progress: (StoreProgress) -> Void) throws(ModelError) -> [ModelError] {
        var problems: [ModelError] = []
        try connection.forEachRow("PRAGMA integrity_check(\(Self.maximumProblems))") { row throws(ModelError) in
            if row.text(0) == "ok" { return }
            problems.append(
                ModelError(
                    .malformedStore, expected: "an undamaged database", found: ModelError.shorten(row.text(0), to: 200))
            )
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
            return try problems(of: table, checked)
        } catch {
            // Another program has changed the table, so that all is checked again.
            if (error.underlying as? SQLiteError)?.primaryCode == SQLiteError.Code.error { throw error }
            return [error.at([name])]
        }
    }

    private func problems(
        of table: StoreTable, _ checked: (Int) -> Void
    ) throws(ModelError) -> [ModelError] {
        var problems: [ModelError] = []
        var count = 0
        let reader = RowReader(table: table, isPartial: true)
        let wanted = try tables.described(table.layout)
        var uniqueValues = UniqueValues(wanted, areKept: try StoreSchema(connection).isPrepared(wanted))
        var part: [FetchedModel] = []
        // Rows are complete only with those that they refer to.
        func finishPart() throws(ModelError) {
            let roots = Set(part.map { ObjectIdentifier($0.model) })
            _ = try complete(part, .none) { model, error in
                guard roots.contains(ObjectIdentifier(model)) else { return }
                problems.append(error.at(table.tokens(ofRow: table.identityValues(of: model))))
            }
            part = []
        }
        let sql = TableStatements.selection(with: (table.identity + table.indexed).map(\.name), from: table.name)
        try connection.withStatement(sql) { statement throws(ModelError) in
            while problems.count < Self.maximumProblems, try statement.step() {
                count += 1
                if count.isMultiple(of: 256) { checked(count) }
                do throws(ModelError) {
                    let fetched = try check(statement, reader)
                    try uniqueValues.add(fetched.model)
                    part.append(fetched)
                } catch { problems.append(error.at(table.tokens(ofRow: reader.identity(statement)))) }
                if part.count == 256 { try finishPart() }
            }
            try finishPart()
        }
        return try problems + strayLinks(of: table)
    }

    /// Checks a row with the columns of its table behind those of the reader.
    private func check(_ row: SQLiteStatement, _ reader: RowReader) throws(ModelError) -> FetchedModel {
        let fetched = FetchedModel(model: try reader.model(row), checksum: RowReader.checksum(row))
        let (model, table) = (fetched.model, reader.table)
        // The columns of a row of another version are those of its document, as are those of a row that hooks change.
        guard UTF8Text.equal(row.text(1), table.versions), !table.hasHooks else { return fetched }
        let columns = table.rowSchema(called: model.layout.schema.name)?.columnValues(of: model) ?? []
        for (index, value) in columns.enumerated() {
            let stored = row.value(Int32(index) + 4)
            let column = (table.identity + table.indexed)[index]
            // What another program's column holds, that program knows.
            if value == stored || column.descriptor == nil { continue }
            throw ModelError(
                .malformedStore, expected: "a column with the value of the document", found: "another value",
                schema: table.layout.schema.name, property: column.key
            ).under(key: column.key)
        }
        for link in table.links where link.root != nil {
            let (stored, targets) = (try link.stored(reader.identity(row), on: connection), link.targets(of: model))
            if stored == targets { continue }
            throw ModelError(
                .malformedStore, expected: "\(targets.count.counted("link")), as the document has it",
                found: "\(stored.subtracting(targets).count) others, and \(stored.intersection(targets).count) of them",
                schema: table.layout.schema.name, property: link.key
            ).under(key: link.key)
        }
        return fetched
    }

    /// Returns a problem for each table of links that has some of rows that do not exist.
    private func strayLinks(of table: StoreTable) throws(ModelError) -> [ModelError] {
        var problems: [ModelError] = []
        let identity = table.identity.map(\.name).joined(separator: ", ")
        for link in table.links {
            let source = link.source.joined(separator: ", ")
            let sql =
                "SELECT 1 FROM \(link.name) WHERE (\(source)) NOT IN (SELECT \(identity) FROM \(table.name)) LIMIT 1"
            if try connection.integer(sql) == nil { continue }
            let error = ModelError(
                .malformedStore, expected: "links of rows that exist", found: "one of a row that does not",
                schema: table.layout.schema.name, property: link.key)
            problems.append(error.at([table.layout.schema.name, link.key]))
        }
        return problems
    }
}

/// The values of unique properties, of a table whose rows no index compares.
private struct UniqueValues {
    private let table: StoreTable
    private var identities: [Int: [SQLiteValue: [SQLiteValue]]] = [:]

    /// - Parameter areKept: Whether the database has the indexes.
    init(_ table: StoreTable, areKept: Bool) {
        self.table = table
        for (index, column) in table.indexed.enumerated() where column.index == .unique && !areKept {
            identities[index] = [:]
        }
    }

    /// - Throws: ``ModelError`` with the code `conflict` if another row has a value of the model.
    mutating func add(_ model: DynamicModel) throws(ModelError) {
        if identities.isEmpty { return }
        let values = table.rowSchema(called: model.layout.schema.name)?.columnValues(of: model) ?? []
        for index in identities.keys {
            let value = values[table.identity.count + index]
            if value == .null { continue }
            guard let other = identities[index]?[value] else {
                identities[index]?[value] = table.identityValues(of: model)
                continue
            }
            throw table.collision(of: table.indexed[index], value: value, with: other, nil, nil)
        }
    }
}
