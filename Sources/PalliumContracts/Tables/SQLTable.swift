import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Writes columns as a `CREATE TABLE`.
struct SQLTable {
    let isPostgres: Bool

    func statement(_ name: String, _ columns: [Column], identity: [String]) -> String {
        var lines = columns.map { column in
            "    \(Self.quoted(column.name.text)) \(type(column.type))" + (column.isRequired ? " NOT NULL" : "")
        }
        // DuckDB checks keys in an index that it holds in memory, so its table has none.
        let keys = identity.filter { key in columns.contains { $0.name == UTF8Key(key) && $0.isRequired } }
        if isPostgres, !keys.isEmpty, keys.count == identity.count {
            lines.append("    PRIMARY KEY (\(keys.map(Self.quoted).joined(separator: ", ")))")
        }
        return "CREATE TABLE \(Self.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n);\n"
    }

    private func type(_ type: ColumnType) -> String {
        switch type {
        case .boolean: return "boolean"
        case .integer(8): return isPostgres ? "smallint" : "tinyint"
        case .integer(16): return "smallint"
        case .integer(32): return "integer"
        case .integer: return "bigint"
        case .unsigned: return isPostgres ? "numeric(20)" : "ubigint"
        case .float: return "real"
        case .double: return "double precision"
        case .decimal: return isPostgres ? "numeric" : "decimal(38,18)"
        case .text: return isPostgres ? "text" : "varchar"
        case .timestamp: return "timestamp with time zone"
        case .json: return "json"
        case .list(let element):
            return isPostgres && !element.type.isScalar ? "json" : self.type(element.type) + "[]"
        case .map(let element): return isPostgres ? "json" : "map(varchar, \(self.type(element.type)))"
        case .record(_, let columns):
            // A type without members does not exist.
            if isPostgres || columns.isEmpty { return "json" }
            return
                "struct(\(columns.map { "\(Self.quoted($0.name.text)) \(self.type($0.type))" }.joined(separator: ", ")))"
        }
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
