import PalliumCore

/// The statements of a table. Only names stand in them, quoted; all values are parameters.
struct TableStatements: Sendable {
    /// Makes the table. SQLite keeps its text, by which changes of the schema are found.
    let creation: String
    /// The statements that make the indexes, by their names.
    let indexCreations: [(name: String, sql: String)]
    /// Inserts a row unless there is one of its identity. The parameters: columns, schema, versions, document, checksum.
    let insertion: String
    /// Changes the row of an identity, if it has the same versions, unless it is the same. The parameters are those of
    /// `insertion`.
    let update: String
    /// Changes the row of an identity, whatever versions it has. The parameters are those of `insertion`.
    let replacement: String
    /// The condition on the row of an identity, whose values are the first parameters.
    let isIdentity: String
    /// Selects the versions of the row of an identity, whose values are the parameters.
    let versionsOfOne: String
    /// Selects what `RowReader` reads, and the identity behind it.
    let selection: String
    /// Selects the row of an identity, whose values are the parameters.
    let selectionOfOne: String
    /// Selects the rows of a list of identities, a JSON array that is the parameter.
    let selectionOfListed: String
    /// Selects whether there are rows of other versions; nil for a table in which there can be none.
    let otherVersions: String?

    /// The columns of the store, behind those that repeat properties.
    private static let ownColumns: [(name: String, type: String)] = [
        ("\"_schema\"", "TEXT"), ("\"_versions\"", "TEXT"), ("\"_document\"", "TEXT"), ("\"_checksum\"", "INTEGER"),
    ]

    /// What `RowReader` reads, of a table that is called `t0`.
    static var rowColumns: String { rowColumns(of: "t0") }

    /// The columns that `RowReader` reads.
    static func rowColumns(of alias: String) -> String {
        ownColumns.map { "\(alias).\($0.name)" }.joined(separator: ", ")
    }

    /// Selects what `RowReader` reads, columns behind it, and perhaps the number of the row, from a table that is called `t0`
    /// then.
    static func selection(with names: [String], isNumbered: Bool = false, from name: String) -> String {
        let columns = names.map { ", t0.\($0)" }.joined() + (isNumbered ? ", t0._rowid_" : "")
        return "SELECT \(rowColumns)\(columns) FROM \(name) AS t0"
    }

    /// The name of the index that finds the rows of other versions.
    static func indexName(_ schema: String, _ versions: String) -> String { "\(schema)._versions \(versions)" }

    /// - Parameters:
    ///   - schema: The name of the schema.
    ///   - identity: The columns of the identity.
    ///   - indexed: The columns of other properties.
    ///   - versions: What the column `_versions` of present rows holds.
    ///   - isShared: Whether programs of other versions use the table.
    init(
        schema: String, identity: [StoreTable.Column], indexed: [StoreTable.Column], versions: String, isShared: Bool
    ) {
        let name = schema.quotedForSQL
        let own = Self.ownColumns
        func list(_ names: [String]) -> String { names.joined(separator: ", ") }
        let identityNames = list(identity.map(\.name))
        var columns = identity.map { "\($0.name) \($0.type) NOT NULL" }
        columns += indexed.map { "\($0.name) \($0.type)" }
        columns += own.map { "\($0.name) \($0.type) NOT NULL" }
        columns.append("PRIMARY KEY (\(identityNames))")
        creation = "CREATE TABLE \(name) (\(list(columns))) STRICT"
        var indexCreations: [(name: String, sql: String)] = []
        for column in identity.count > 1 ? identity + indexed : indexed {
            guard let index = column.index else { continue }
            // Programs may ask for both indexes of one property.
            let (suffix, unique) = index == .unique ? (" unique", "UNIQUE ") : ("", "")
            let indexName = "\(schema).\(column.rawName)\(suffix)"
            let sql = "CREATE \(unique)INDEX \(indexName.quotedForSQL) ON \(name) (\(column.name))"
            indexCreations.append((indexName, sql))
        }
        if versions == "{}", !isShared {
            otherVersions = nil
        } else {
            // Whether there are such rows is asked by each query, and usually there are none.
            let isOther = "\"_versions\" <> '\(versions.replacing("'", with: "''"))'"
            let indexName = Self.indexName(schema, versions)
            indexCreations.append(
                (indexName, "CREATE INDEX \(indexName.quotedForSQL) ON \(name) (\"_versions\") WHERE \(isOther)"))
            otherVersions = "SELECT 1 FROM \(name) WHERE \(isOther) LIMIT 1"
        }
        self.indexCreations = indexCreations
        let all = (identity + indexed).map(\.name) + own.map(\.name)
        let parameters = all.indices.map { "?\($0 + 1)" }
        insertion =
            "INSERT INTO \(name) (\(list(all))) VALUES (\(list(parameters))) ON CONFLICT (\(identityNames)) DO NOTHING"
        isIdentity = zip(identity, parameters).map { "\($0.name) = \($1)" }.joined(separator: " AND ")
        let changes = zip(all, parameters).dropFirst(identity.count).map { "\($0) = \($1)" }
        replacement = "UPDATE \(name) SET \(list(changes)) WHERE \(isIdentity)"
        update =
            "\(replacement) AND (\"_checksum\" <> \(parameters[all.count - 1])"
            + " OR \"_document\" <> \(parameters[all.count - 2])) AND \"_versions\" = \(parameters[all.count - 3])"
        versionsOfOne = "SELECT \"_versions\" FROM \(name) WHERE \(isIdentity)"
        selection = Self.selection(with: identity.map(\.name), from: name)
        selectionOfOne = "\(selection) WHERE \(isIdentity)"
        selectionOfListed =
            "\(selection) WHERE (\(identityNames)) IN (SELECT \(Self.listed(identity)) FROM json_each(?1))"
    }

    /// Selects the values of an identity in a list of them.
    static func listed(_ identity: [StoreTable.Column]) -> String {
        // One value stands in the list itself, several in an array.
        identity.enumerated().map { index, column in
            column.value(of: identity.count == 1 ? "value" : "json_extract(value, '$[\(index)]')")
        }.joined(separator: ", ")
    }
}
