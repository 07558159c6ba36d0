import PalliumCore

extension ClauseWriter {
    /// A property as an expression.
    struct Operand {
        /// The references on the path.
        let links: [Link]
        let place: Place
        let descriptor: ValueDescriptor

        var sql: String { select { $0.value(of: descriptor.columnType) } }

        /// Returns an expression about the place to which the path leads; null if there is none.
        func select(_ expression: (Place) -> String) -> String {
            if links.isEmpty { return expression(place) }
            if links.allSatisfy({ $0.made == nil }) {
                let rows = links.map { "\($0.table) AS \($0.alias)" }.joined(separator: ", ")
                let conditions = links.map(\.condition).joined(separator: " AND ")
                return "(SELECT \(expression(place)) FROM \(rows) WHERE \(conditions))"
            }
            // The last row on the path that there is has the value, or the model that a step makes.
            var (cases, value) = ("", expression(place))
            for link in links.reversed() {
                cases += " WHEN \(link.alias).\"_schema\" NOTNULL THEN \(value)"
                value = link.made.map(expression) ?? "NULL"
            }
            let rows = links.map { " LEFT JOIN \($0.table) AS \($0.alias) ON \($0.condition)" }.joined()
            return "(SELECT CASE\(cases) ELSE \(value) END FROM (SELECT 1)\(rows))"
        }
    }

    /// A reference on the path of a property.
    struct Link {
        let table: String
        /// The name of the row to which it leads.
        let alias: String
        let condition: String
        /// Where the path ends if there is no such row, in a model that a step makes; nil if steps make none.
        let made: Place?
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
