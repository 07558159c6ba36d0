public import PalliumCore
import PalliumJSON

extension ModelStore {
    /// How many rows are written in one transaction.
    private static let rowsOfOneTransaction = 256

    /// Writes the rows of earlier versions of their schemas anew, those of all tables of registered schemas.
    ///
    ///     let upgraded = try store.upgrade { progress in print(progress.completed, "of", progress.total) }
    ///
    /// A row of an earlier version is upgraded whenever it is read, so nobody has to call this; it makes reading faster,
    /// and lets later versions of a schema drop its oldest steps. The call may be interrupted: what its transactions have
    /// written stays, and the next call goes on with the rest. Others may read and write meanwhile.
    ///
    /// - Parameter progress: Called after each transaction.
    /// - Returns: The numbers of rows that were written anew, and of those inserted for models that steps made.
    /// - Throws: ``ModelError`` with the codes `newerVersion`, `olderVersion` and `upgradeFailed` for a row that cannot be
    ///   upgraded, `conflict` for a step that changes an identity. Earlier transactions are done.
    /// - Complexity: O(*n*) in the number of rows.
    @discardableResult
    public func upgrade(progress: (StoreProgress) -> Void = { _ in }) throws(ModelError) -> StoreChanges {
        var changes = StoreChanges()
        let roots = registry.rowLayouts
        let counts = try _read { store throws(ModelError) in
            var counts: [Int] = []
            for root in roots { counts.append(try store.olderRowCount(root)) }
            return counts
        }
        let total = counts.reduce(0, +)
        for (root, count) in zip(roots, counts) where count > 0 {
            var last = Int64.min
            while true {
                let part = try _write { store throws(ModelError) in
                    try store.upgradeRows(root, after: last, limit: Self.rowsOfOneTransaction)
                }
                guard let next = part.last else { break }
                changes.updated += part.count
                changes.inserted += part.inserted
                progress(StoreProgress(completed: changes.updated, total: max(total, changes.updated)))
                last = next
            }
        }
        try _write { store throws(ModelError) in
            for root in roots where try StoreSchema(store.connection).name(of: root) != nil {
                try store.tables.dropOthers(root, on: store.connection)
            }
        }
        return changes
    }
}

extension SchemaRegistry {
    /// The layouts that have tables, in the order of the names of their schemas.
    var rowLayouts: [ModelLayout] {
        schemas.compactMap { layout(for: $0) }.filter { $0.rowLayout === $0 }
            .sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
    }
}

extension _ConnectedStore {
    /// Makes ready the table of a layout that declares an identity; nil if the database has none.
    func existingTable(_ root: ModelLayout) throws(ModelError) -> StoreTable? {
        try StoreSchema(connection).name(of: root) == nil ? nil : table(of: root)
    }

    /// Returns the number of rows of earlier versions, of a table that need not be ready.
    fileprivate func olderRowCount(_ root: ModelLayout) throws(ModelError) -> Int {
        guard let name = try StoreSchema(connection).name(of: root) else { return 0 }
        let count = try connection.integer(
            "SELECT count(*) FROM \(name.quotedForSQL) WHERE \"_versions\" <> ?1",
            [.text(try tables.described(root).versions)])
        return Int(count ?? 0)
    }

    /// Writes rows of earlier versions anew, in the order of their numbers.
    func upgradeRows(
        _ root: ModelLayout, after number: Int64, limit: Int
    ) throws(ModelError) -> (count: Int, inserted: Int, last: Int64?) {
        guard let table = try existingTable(root) else { return (0, 0, nil) }
        let reader = RowReader(table: table, isPartial: true)
        var rows: [(number: Int64, model: DynamicModel)] = []
        try connection.forEachRow(
            TableStatements.selection(with: table.identity.map(\.name), isNumbered: true, from: table.name)
                + " WHERE \"_versions\" <> ?1 AND _rowid_ > ?2 ORDER BY _rowid_ LIMIT ?3",
            [.text(table.versions), .integer(number), .integer(Int64(limit))]
        ) { row throws(ModelError) in
            rows.append((row.integer(4 + Int32(table.identity.count)), try reader.fetched(row).model))
        }
        var writer = RowWriter(table, connection, for: .upgrading)
        for (_, model) in rows where try writer.write(model) == .inserted {
            throw ModelError(
                .conflict, expected: "an upgrade that keeps the identities of rows",
                found: "the new one \(ModelIdentity(model)?.description ?? "")", schema: root.schema.name)
        }
        var inserted = 0
        for (_, model) in rows { inserted += try insertMade(by: model) { !$0.isStub } }
        return (rows.count, inserted, rows.last?.number)
    }
}
