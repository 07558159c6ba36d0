import PalliumCore
import PalliumJSON

// Columns of rows, and the groups of models that they are about.
extension ClauseWriter {
    /// A column as an expression.
    struct SelectedColumn {
        let sql: String
        /// Returns a value of the expression as JSON.
        let json: (SQLiteValue) throws(ModelError) -> JSONValue
    }

    /// A property by whose values models are grouped, and the number of its column.
    struct Group {
        let key: Key
        let position: Int
    }

    /// Returns what models are grouped by; nil if all columns are values of properties, so that each model has a row.
    static func groups(of columns: [QueryColumn]) -> [Group]? {
        var groups: [Group] = []
        for (number, column) in columns.enumerated() {
            if case .value(let key) = column.content { groups.append(Group(key: key, position: number + 1)) }
        }
        return groups.count == columns.count ? nil : groups
    }

    mutating func select(_ column: QueryColumn) throws(ModelError) -> SelectedColumn {
        switch column.content {
        case .count: return SelectedColumn(sql: "count(*)") { $0.json }
        case .value(let key): return try select(key) { $0 }
        case .min(let key): return try select(key) { "min(\($0))" }
        case .max(let key): return try select(key) { "max(\($0))" }
        case .sum(let key): return try select(sumOf: comparable(key, in: scope))
        }
    }

    private mutating func select(_ key: Key, _ sql: (String) -> String) throws(ModelError) -> SelectedColumn {
        let operand = try comparable(key, in: scope)
        return SelectedColumn(sql: sql(operand.sql)) { [descriptor = operand.descriptor] value throws(ModelError) in
            try descriptor.json(ofColumn: value)
        }
    }

    private func select(sumOf operand: Operand) throws(ModelError) -> SelectedColumn {
        let (descriptor, sql) = (operand.descriptor, operand.sql)
        switch descriptor.property.kind {
        case .double, .float:
            // A sum that is no number is null, too.
            let sum = "CASE WHEN count(\(sql)) THEN ifnull(sum(\(sql)), 9e999) END"
            return SelectedColumn(sql: sum) { value throws(ModelError) in
                guard case .real(let sum) = value else { return .null }
                guard let number = JSONNumber(sum) else { throw Self.isOutOfRange(descriptor, "Double") }
                return .number(number)
            }
        case .integer, .unsigned(.bits8), .unsigned(.bits16), .unsigned(.bits32):
            // Both halves of the bits, so that no part of the sum is too great.
            return SelectedColumn(sql: "sum(\(sql) >> 32) || ' ' || sum(\(sql) & 4294967295)") {
                value throws(ModelError) in
                guard case .text(let halves) = value else { return .null }
                let sums = halves.split(separator: " ").compactMap { Int128($0) }
                guard let sum = Int64(exactly: sums[0] << 32 + sums[1]) else {
                    throw Self.isOutOfRange(descriptor, "Int64")
                }
                return .number(JSONNumber(sum))
            }
        default:
            throw ModelError(
                .notConvertible, descriptor, expected: "integers or floating-point numbers in a sum",
                found: "the kind \(descriptor.property.kind.name)")
        }
    }

    private static func isOutOfRange(_ descriptor: ValueDescriptor, _ type: String) -> ModelError {
        ModelError(.numberOutOfRange, descriptor, expected: "a sum in the range of \(type)", found: "one beyond it")
    }

    /// Returns the order of groups: that of the query, and then that of their values.
    func order(_ order: [Order], of groups: [Group]) throws(ModelError) -> [String] {
        var positions: [String] = []
        for part in order {
            let keys = try keys(part.key, in: scope)
            var found: Group?
            for group in groups where group.key.hasModifiers(of: part.key) {
                if try self.keys(group.key, in: scope).elementsEqual(keys, by: UTF8Text.equal) { found = group }
            }
            guard let found else {
                throw ModelError(
                    .unknownKey, expected: "an order by columns of the groups",
                    found: ModelError.quote(keys.joined(separator: ".")), schema: layout.schema.name)
            }
            positions.append("\(found.position)" + (part.isDescending ? " DESC" : ""))
        }
        return positions + groups.map { "\($0.position)" }
    }
}
