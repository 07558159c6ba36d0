import PalliumCore

// The statements of a table. Only names stand in them, quoted; all values are parameters.
extension StoreTable {
    /// The columns of the store, behind those that repeat properties.
    private static let ownColumns = [
        "\"_schema\" TEXT NOT NULL", "\"_versions\" TEXT NOT NULL", "\"_document\" TEXT NOT NULL",
        "\"_checksum\" INTEGER NOT NULL",
    ]

    /// The statement that makes the table. SQLite keeps its text, by which changes of the schema are found.
    var creation: String {
        let columns =
            identity.map { "\($0.name) \($0.type) NOT NULL" } + indexed.map { "\($0.name) \($0.type)" }
            + Self.ownColumns + ["PRIMARY KEY (\(list(identity)))"]
        return "CREATE TABLE \(name) (\(columns.joined(separator: ", "))) STRICT"
    }

    /// The statements that make the indexes, by their names.
    var indexCreations: [(name: String, sql: String)] {
        (identity.count > 1 ? identity + indexed : indexed).compactMap { column in
            guard let index = column.index else { return nil }
            let indexName = "\(layout.schema.name).\(column.key)"
            let unique = index == .unique ? "UNIQUE " : ""
            return (indexName, "CREATE \(unique)INDEX \(indexName.quotedForSQL) ON \(name) (\(column.name))")
        }
    }

    /// Inserts a row unless there is one of its identity. The parameters: columns, schema, versions, document, checksum.
    var insertion: String {
        let names =
            (identity + indexed).map(\.name) + ["\"_schema\"", "\"_versions\"", "\"_document\"", "\"_checksum\""]
        let parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(parameters))"
            + " ON CONFLICT (\(list(identity))) DO NOTHING"
    }

    /// Changes the row of an identity unless it is the same. The parameters are those of `insertion`.
    var update: String {
        let first = columnCount + 1
        var changes = indexed.enumerated().map { "\($1.name) = ?\(identity.count + $0 + 1)" }
        changes += [
            "\"_schema\" = ?\(first)", "\"_versions\" = ?\(first + 1)", "\"_document\" = ?\(first + 2)",
            "\"_checksum\" = ?\(first + 3)",
        ]
        return "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(isIdentity)"
            + " AND (\"_checksum\" <> ?\(first + 3) OR \"_document\" <> ?\(first + 2))"
    }

    /// Selects what `RowReader` reads.
    func selection(alias: String = "t0") -> String {
        let columns = ["_schema", "_versions", "_document", "_checksum"].map { "\(alias).\"\($0)\"" }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(name) AS \(alias)"
    }

    /// The condition that a row has an identity, whose values are the first parameters.
    var isIdentity: String {
        identity.enumerated().map { "\($1.name) = ?\($0 + 1)" }.joined(separator: " AND ")
    }

    /// The condition that a row is one of those whose identities are in a list, a JSON array that is the first parameter.
    var isListed: String {
        guard identity.count > 1 else { return "\(identity[0].name) IN (SELECT value FROM json_each(?1))" }
        let values = identity.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
        return "(\(list(identity))) IN (SELECT \(values) FROM json_each(?1))"
    }

    var columnCount: Int { identity.count + indexed.count }

    private func list(_ columns: [Column]) -> String { columns.map(\.name).joined(separator: ", ") }
}
