import PalliumCore

extension StatementWriter {
    /// A property as an expression.
    struct Operand {
        /// The rows to which the path leads, as a selection from the tables on it; empty for a row of the query.
        let rows: String
        let place: Place
        let descriptor: ValueDescriptor

        var sql: String { select(place.value(of: descriptor.columnType)) }

        /// Returns an expression about the row to which the path leads; null if there is none.
        func select(_ expression: String) -> String { rows.isEmpty ? expression : "(SELECT \(expression)\(rows))" }
    }

    /// Where a value stands, with parameters for what is looked up.
    enum Place {
        /// In a column that repeats it.
        case column(String)
        /// In the document of a table, at a path.
        case document(String, path: String)
        /// In the model of a row, because the document is of another version, or SQLite has no type for it.
        case model(arguments: String)

        func value(of type: String) -> String {
            switch self {
            case .column(let name): name
            case .document(let table, let path):
                SQLiteValue.expression(of: "json_extract(\(table).\"_document\", \(path))", inColumnOf: type)
            case .model(let arguments): "_value(\(arguments))"
            }
        }

        /// Returns whether a collection has an element with a value, a parameter.
        func contains(_ value: String, of type: String) -> String {
            switch self {
            case .column(let name): "\(name) = \(value)"
            case .document(let table, let path):
                "EXISTS (SELECT 1 FROM json_each(\(table).\"_document\", \(path)) AS e"
                    + " WHERE \(SQLiteValue.expression(of: "e.value", inColumnOf: type)) = \(value))"
            case .model(let arguments): "_contains(\(arguments), \(value))"
            }
        }
    }
}
