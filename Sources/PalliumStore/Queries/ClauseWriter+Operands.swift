import PalliumCore

extension ClauseWriter {
    /// A property as an expression.
    struct Operand {
        /// The references on the path.
        let links: [Link]
        let place: Place
        let descriptor: ValueDescriptor
        /// Whether the number of elements is the value.
        var isCount = false
        /// Whether values are compared without the difference of case.
        var ignoresCase = false

        var sql: String {
            isCount
                ? "ifnull(\(select { "(SELECT count(*) FROM \($0.elements) WHERE key NOTNULL)" }), 0)"
                : select { $0.value(of: descriptor.columnType) }
        }

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
        var made: Place?
    }

    /// Where a value stands, with parameters for what is looked up.
    enum Place {
        /// In a column that repeats it.
        case column(String)
        /// An element of JSON, or its key.
        case element(String)
        /// In a document, at a path. It is ordered if SQLite has no type for the value.
        case document(String, path: String, isOrdered: Bool)
        /// In the model of a row, because the document is of another version.
        case model(arguments: String)
        /// The text of another place without the difference of case.
        indirect case folded(Place)

        func value(of type: String) -> String {
            switch self {
            case .column(let name): name
            case .element(let name): SQLiteValue.expression(of: name, inColumnOf: type)
            case .document(let document, let path, isOrdered: false):
                SQLiteValue.expression(of: "json_extract(\(document), \(path))", inColumnOf: type)
            case .document(let document, let path, isOrdered: true): Self.ordered(document, path)
            case .model(let arguments): "_value(\(arguments))"
            case .folded(let place): "_folded(\(place.value(of: type)))"
            }
        }

        /// Whether SQLite reads a text only up to a null character, as it does in documents.
        var endsAtNull: Bool {
            switch self {
            case .document(_, _, isOrdered: false): true
            case .folded(let place): place.endsAtNull
            default: false
            }
        }

        /// Returns a value of a property as it is read here.
        func read(_ value: SQLiteValue) -> SQLiteValue {
            guard endsAtNull, case .text(let text) = value else { return value }
            return .text(String(decoding: text.utf8.prefix { $0 != 0 }, as: UTF8.self))
        }

        /// The elements of a collection as rows with `key`, which is null for a value that is none, and `value`.
        var elements: String {
            switch self {
            case .column(let name), .element(let name): "json_each(\(name))"
            case .document(let document, let path, isOrdered: false): "json_each(\(document), \(path))"
            case .document(let document, let path, isOrdered: true): "json_each(\(Self.ordered(document, path)))"
            // Not made for collections.
            case .model, .folded: "json_each(\(value(of: "TEXT")))"
            }
        }

        /// Two paths give an array of the values as they are written; one gives a number that SQLite has.
        private static func ordered(_ document: String, _ path: String) -> String {
            "_ordered(json_extract(\(document), \(path), \(path)))"
        }
    }
}
