import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The tables of a database, compared with those that the schemas ask for.
struct StoreSchema {
    /// "Pall" in the header of the file, by which it is known as a store.
    private static let applicationID: Int64 = 0x5061_6C6C
    /// The versions of the format of files: the first one, which all versions of the library can write, that of files with
    /// tables of links, and that of files with columns of text without the difference of case.
    private static let (firstFormat, linkFormat, foldedFormat): (Int64, Int64, Int64) = (1, 2, 3)

    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Checks that the file is a store, and makes a new file one.
    ///
    /// - Throws: ``ModelError`` with the code `malformedStore` for a database of something else, `newerVersion` for a
    ///   store of a later format.
    func checkFormat(mayWrite: Bool) throws(ModelError) {
        // Another program may make the store meanwhile, so all numbers are of one state.
        let (application, version, tables) = try connection.snapshot { () throws(ModelError) in
            (
                try connection.integer("PRAGMA application_id"), try connection.integer("PRAGMA user_version") ?? 0,
                try connection.integer("SELECT count(*) FROM sqlite_schema")
            )
        }
        if application == Self.applicationID {
            guard version <= Self.foldedFormat else {
                throw ModelError(
                    .newerVersion, expected: "a store of at most version \(Self.foldedFormat)",
                    found: "version \(version)")
            }
            return
        }
        guard application == 0, version == 0, tables == 0 else {
            throw ModelError(.malformedStore, expected: "a store", found: "a database of another program")
        }
        guard mayWrite else { return }
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.execute("PRAGMA user_version = \(Self.firstFormat)")
    }

    /// Raises the version of the file's format, so that earlier versions of the library refuse the file.
    private func require(_ version: Int64) throws(ModelError) {
        if try connection.integer("PRAGMA user_version") ?? 0 >= version { return }
        try connection.execute("PRAGMA user_version = \(version)")
    }

    /// A number that changes whenever tables or indexes do.
    func generation() throws(ModelError) -> Int64? { try connection.integer("PRAGMA schema_version") }

    /// Whether the database has a table with the columns that the schemas ask for.
    func hasColumns(_ table: StoreTable) throws(ModelError) -> Bool {
        try creation(of: table.layout).map { UTF8Text.equal($0, table.statements.creation) } ?? false
    }

    /// Whether the database has a table with the columns and links that the schemas ask for, so that statements can name them.
    func isReadable(_ table: StoreTable) throws(ModelError) -> Bool {
        let links = try links(of: table.layout.schema.name)
        return try hasColumns(table)
            && table.links.allSatisfy { !$0.isWanted || Self.has(($0.key, $0.creation), among: links) }
    }

    /// Whether the database has a table and its indexes as the schemas ask for them.
    ///
    /// - Parameter isExact: Whether it has no others.
    func isPrepared(_ table: StoreTable, isExact: Bool = false) throws(ModelError) -> Bool {
        guard try isReadable(table) else { return false }
        let found = try indexes(of: table.layout.schema.name)
        let wanted = table.statements.indexCreations
        let links = try links(of: table.layout.schema.name)
        return !(isExact && found.count + links.count > wanted.count + table.links.count { $0.isWanted })
            && wanted.allSatisfy { Self.has($0, among: found) }
    }

    /// Returns the statements that made the tables with the links of a table, by the keys.
    func links(of table: String) throws(ModelError) -> [UTF8Key: String] {
        var found: [UTF8Key: String] = [:]
        let prefix = LinkTable.prefix(table)
        try connection.forEachRow(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?1) = ?2",
            [.integer(Int64(prefix.unicodeScalars.count)), .text(prefix)]
        ) { row throws(ModelError) in
            // A key may begin with a mark that joins the dot.
            let key = String(row.text(0).unicodeScalars.dropFirst(prefix.unicodeScalars.count))
            if let keys = JSONKeyPath.members(in: key), keys.count == 1 { found[UTF8Key(keys[0])] = row.text(1) }
        }
        return found
    }

    /// Makes the tables of links that a table lacks from its documents.
    ///
    /// - Parameter isExact: Whether those that the schemas do not ask for are dropped.
    private func prepareLinks(of table: StoreTable, isExact: Bool) throws(ModelError) {
        let found = try links(of: table.layout.schema.name)
        for link in table.links where isExact && !link.isWanted { try connection.execute("DROP TABLE \(link.name)") }
        let missing = table.links.filter { $0.isWanted && !Self.has(($0.key, $0.creation), among: found) }
        if missing.isEmpty { return }
        try require(Self.linkFormat)
        for link in missing {
            try connection.execute("DROP TABLE IF EXISTS \(link.name)")
            try connection.execute(link.creation)
        }
        let reader = RowReader(table: table, isPartial: true)
        try connection.forEachRow(table.statements.selection) { row throws(ModelError) in
            // The links of a row of another version are those of its document, for programs of that version.
            let (identity, document) = (reader.identity(row), try reader.document(row))
            for link in missing { try link.insert(link.targets(in: document), identity, on: connection) }
        }
        for link in missing { try connection.execute(link.indexCreation) }
    }

    /// Drops the links of a table, whose rows get another name or other identities.
    private func dropLinks(of table: String) throws(ModelError) {
        for key in try links(of: table).keys {
            let name = LinkTable.prefix(table) + JSONKeyPath.escape(key.text)
            try connection.execute("DROP TABLE \(name.quotedForSQL)")
        }
    }

    private static func has(_ index: (name: String, sql: String), among found: [UTF8Key: String]) -> Bool {
        found[UTF8Key(index.name)].map { UTF8Text.equal($0, index.sql) } ?? false
    }

    /// Checks that the table of a layout has rows by the properties of its identity, which a step may have renamed.
    ///
    /// - Throws: ``ModelError`` with the code `newerVersion` if a later program has renamed them, and `olderVersion` if the
    ///   table has still to be made anew.
    func checkIdentity(of table: StoreTable) throws(ModelError) {
        let name = table.layout.schema.name
        let keys = try identityColumns(of: name)
        if hasIdentity(of: table, keys) { return }
        try connection.forEachRow("SELECT DISTINCT \"_versions\" FROM \(table.name)") { row throws(ModelError) in
            try table.checkVersions(row.text(0))
        }
        throw ModelError(
            .olderVersion, expected: "a table with the identity of its schema",
            found:
                "\(keys.map { ModelError.quote($0.name) }.joined(separator: ", ")): open the store once to be written",
            schema: name)
    }

    /// Returns the columns of the identity in a table of the database.
    private func identityColumns(of name: String) throws(ModelError) -> [StoreTable.Column.Found] {
        try columns(of: name, "pk > 0 ORDER BY pk")
    }

    private func columns(of table: String, _ clauses: String) throws(ModelError) -> [StoreTable.Column.Found] {
        var found: [StoreTable.Column.Found] = []
        try connection.forEachRow(
            "SELECT name, type FROM pragma_table_info(?1) WHERE \(clauses)", [.text(table)]
        ) { row in found.append(StoreTable.Column.Found(name: row.text(0), type: row.text(1))) }
        return found
    }

    /// Whether columns are those of the identity of a table.
    private func hasIdentity(of table: StoreTable, _ columns: [StoreTable.Column.Found]) -> Bool {
        table.identity.elementsEqual(columns) { UTF8Text.equal($0.rawName, $1.name) && $0.type == $1.type }
    }

    /// Returns the columns of the table of a layout that repeat indexed properties.
    func indexedColumns(of root: ModelLayout) throws(ModelError) -> [StoreTable.Column.Found] {
        try columns(of: root.schema.name, "pk = 0 ORDER BY cid").filter { $0.key != nil }
    }

    /// Whether programs use the table of a layout whose schemas are not all of version 1.
    func isShared(_ root: ModelLayout) throws(ModelError) -> Bool {
        let name = root.schema.name
        return try indexes(of: name).keys.contains { $0.text.hasPrefix(TableStatements.indexName(name, "")) }
    }

    /// Whether the database has a table for the models of a layout that declares an identity, perhaps with other columns.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` if something else has the name.
    func exists(_ root: ModelLayout) throws(ModelError) -> Bool { try creation(of: root) != nil }

    /// Returns the name of the table with the models of a layout, which may be a former one; nil if there is none.
    func name(of root: ModelLayout) throws(ModelError) -> String? {
        try exists(root) ? root.schema.name : formerName(root)
    }

    /// Returns the name of the table that models of a layout have until it gets the new name of their schema.
    func formerName(_ root: ModelLayout) throws(ModelError) -> String? {
        // A table cannot be divided among schemas that were one.
        for step in root.schema.upgrades where step.when.isEmpty {
            guard let name = step.oldSchemaName, (try? root.registry.layout(named: name)) == nil else { continue }
            if try creation(of: name) != nil { return name }
        }
        return nil
    }

    /// The table with the names that tables had before their schemas were renamed.
    static let renamings = "_renamed"

    /// Checks that no program has given the table of a layout the name of a later version of its schema.
    ///
    /// - Throws: ``ModelError`` with the code `newerVersion`.
    func checkRenaming(of root: ModelLayout) throws(ModelError) {
        let name = root.schema.name
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = '\(Self.renamings)'"
        if try connection.integer(sql) == nil { return }
        let new = try connection.firstRow(
            "SELECT name FROM \(Self.renamings) WHERE former = ?1", [.text(name)]
        ) { row throws(ModelError) in row.text(0) }
        guard let new else { return }
        // A program that knows of the renaming may use the former name for another schema.
        if let known = try? root.registry.layout(named: new),
            known.schema.formerNames.contains(where: { UTF8Text.equal($0, name) })
        {
            return
        }
        throw ModelError(
            .newerVersion, expected: "the table \(ModelError.quote(name))",
            found: "\(ModelError.quote(new)), the name of a later version of the schema", schema: name)
    }

    /// Notes the former name of a table, for programs that do not know the new one.
    private func noteRenaming(of former: String, to name: String) throws(ModelError) {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(Self.renamings) (former TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT")
        try connection.execute(
            "INSERT INTO \(Self.renamings) VALUES (?1, ?2) ON CONFLICT (former) DO UPDATE SET name = ?2",
            [.text(former), .text(name)])
    }

    /// Returns the statement that made the table of a layout. A table with a former name is none, even if the names differ
    /// by the case of letters alone.
    private func creation(of root: ModelLayout) throws(ModelError) -> String? {
        do throws(ModelError) { return try creation(of: root.schema.name, besides: root.schema.formerNames) } catch {
            // A later version may have changed the case.
            try checkRenaming(of: root)
            throw error
        }
    }

    private func creation(of name: String, besides others: [String] = []) throws(ModelError) -> String? {
        var found: String?
        // SQLite does not tell `a` from `A` in names.
        try connection.forEachRow(
            "SELECT type, name, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", [.text(name)]
        ) { row throws(ModelError) in
            if others.contains(where: { UTF8Text.equal($0, row.text(1)) }) { return }
            guard row.text(0) == "table", UTF8Text.equal(row.text(1), name) else {
                throw ModelError(
                    .conflict, expected: "a table of the name \(ModelError.quote(name)), or none",
                    found: "the \(row.text(0)) \(ModelError.quote(row.text(1)))", schema: name)
            }
            found = row.text(2)
        }
        return found
    }

    /// The statements that made the indexes of a table, by their names.
    private func indexes(of table: String) throws(ModelError) -> [UTF8Key: String] {
        var found: [UTF8Key: String] = [:]
        try connection.forEachRow(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?1",
            [.text(table)]
        ) { row throws(ModelError) in found[UTF8Key(row.text(0))] = row.text(1) }
        return found
    }

    /// Makes a table, or makes columns that it lacks from its documents, and indexes. The caller has begun a transaction.
    ///
    /// - Parameter isExact: Whether indexes that the schemas do not ask for are dropped. Other programs may use them.
    /// - Throws: ``ModelError`` if a document cannot be read, or two rows have one value of a unique property.
    /// - Complexity: O(*n*) in the number of rows if columns have changed.
    func prepare(_ table: StoreTable, isExact: Bool = false) throws(ModelError) {
        let name = table.layout.schema.name
        let wanted = table.statements.indexCreations
        if table.indexed.contains(where: \.isFolded) { try require(Self.foldedFormat) }
        var others = try indexes(of: name)
        for index in wanted where Self.has(index, among: others) { others[UTF8Key(index.name)] = nil }
        if try hasColumns(table) {
            for index in others.keys where isExact || wanted.contains(where: { UTF8Text.equal($0.name, index.text) }) {
                try connection.execute("DROP INDEX \(index.text.quotedForSQL)")
            }
        } else if try creation(of: table.layout) != nil {
            try fill(table, from: name)
            for (name, sql) in others where !isExact && !wanted.contains(where: { UTF8Text.equal($0.name, name.text) })
            {
                try? connection.execute(sql)
            }
        } else if let former = try formerName(table.layout) {
            try fill(table, from: former)
            try noteRenaming(of: former, to: name)
        } else {
            try connection.execute(table.statements.creation)
        }
        let found = try indexes(of: name)
        for index in wanted where !Self.has(index, among: found) { try make(index.sql, table) }
        try prepareLinks(of: table, isExact: isExact)
    }

    /// Makes an index.
    ///
    /// - Throws: ``ModelError`` with the code `conflict`, which names two rows, if the values of a unique one are not.
    private func make(_ sql: String, _ table: StoreTable) throws(ModelError) {
        do throws(ModelError) { try connection.execute(sql) } catch {
            guard let cause = error.underlying as? SQLiteError, cause.isCollision else { throw error }
            for column in table.indexed where column.index == .unique {
                let (name, table) = (column.name, table)
                let repeated = "SELECT \(name) FROM \(table.name) GROUP BY 1 HAVING \(name) NOTNULL AND count(*) > 1"
                let names = table.identity.map(\.name).joined(separator: ", ")
                var rows: [[SQLiteValue]] = []
                try connection.forEachRow(
                    "SELECT \(names), \(name) FROM \(table.name) WHERE \(name) = (\(repeated) LIMIT 1) LIMIT 2"
                ) { row throws(ModelError) in rows.append((0...Int32(table.identity.count)).map { row.value($0) }) }
                guard rows.count == 2 else { continue }
                throw table.collision(
                    of: column, value: rows[0].removeLast(), with: Array(rows[1].dropLast()), rows[0], cause)
            }
            throw error
        }
    }

    /// Makes a table with the rows of another one, in whose place it comes.
    private func fill(_ table: StoreTable, from former: String) throws(ModelError) {
        let moved = ("_former " + former).quotedForSQL
        let formerIdentity = try identityColumns(of: former)
        let keepsIdentity = hasIdentity(of: table, formerIdentity)
        if !keepsIdentity || !UTF8Text.equal(former, table.layout.schema.name) { try dropLinks(of: former) }
        try connection.execute("ALTER TABLE \(former.quotedForSQL) RENAME TO \(moved)")
        try connection.execute(table.statements.creation)
        let reader = RowReader(table: table, isPartial: true)
        let rows = TableStatements.selection(with: formerIdentity.map(\.name.quotedForSQL), from: moved)
        try connection.withStatement(rows) { statement throws(ModelError) in
            while try statement.step() {
                // The row itself stays as it is, so that programs of its version can read it.
                let row = (0..<Int32(4)).map { statement.value($0) }
                // The identity of a later version stands in its columns alone.
                var identity = reader.identity(statement)
                if !keepsIdentity {
                    do throws(ModelError) { identity = table.identityValues(of: try reader.model(statement)) } catch {
                        throw error.at(table.tokens(ofRow: identity))
                    }
                }
                let indexed = try indexedValues(of: statement, reader)
                try connection.execute(table.statements.insertion, identity + indexed + row)
                guard connection.changeCount == 1 else {
                    throw ModelError(
                        .conflict, expected: "rows with different identities", found: "two of one identity",
                        schema: table.layout.schema.name)
                }
            }
        }
        try connection.execute("DROP TABLE \(moved)")
    }

    /// Returns the values of the present row in the columns that repeat indexed properties.
    private func indexedValues(of row: SQLiteStatement, _ reader: RowReader) throws(ModelError) -> [SQLiteValue] {
        let table = reader.table
        if table.indexed.isEmpty { return [] }
        if UTF8Text.equal(row.text(1), table.versions) {
            let model = try reader.model(row)
            guard let schema = table.rowSchema(called: model.layout.schema.name) else {
                throw model.layout.schema.isUnregistered
            }
            return Array(schema.columnValues(of: model).dropFirst(table.identity.count))
        }
        let document = try reader.document(row)
        return table.indexed.map { $0.value(in: document) }
    }
}
