import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Writes the clauses of a query: all of its statement but what is selected, which ``TableStatements`` has.
///
/// Nothing that comes from outside stands in the text but the names of tables and columns, quoted: keys are looked up in
/// the schema, and values and paths in documents are parameters.
struct ClauseWriter {
    /// Returns the table of a layout that has an identity; nil if the store cannot make it.
    typealias Tables = (ModelLayout) throws(ModelError) -> StoreTable?

    let table: StoreTable
    let layout: ModelLayout
    let registry: SchemaRegistry
    let tables: Tables
    let hasOtherVersions: (String) throws(ModelError) -> Bool
    /// Whether conditions are tested by tables of links. They take levels and comparisons of their own.
    let usesLinks: Bool
    /// Whether the values of a table are those of models, by the layouts of tables.
    var readsModels: [ObjectIdentifier: Bool] = [:]
    /// Whether the statement depends on the versions of rows.
    var isVersioned: Bool { !readsModels.isEmpty }
    /// Whether a condition does not hold for a row that cannot be read.
    private(set) var skipsRows = false
    /// Whether the statement calls `RowFunctions`.
    var callsFunctions = false
    private(set) var values: [SQLiteValue] = []
    var aliasCount = 1
    var comparisonCount = 0

    /// - Parameters:
    ///   - layout: The layout of the models, which may be one of several in the table.
    ///   - hasOtherVersions: Returns whether a statement finds rows of other versions, whose documents say something else.
    init(
        _ table: StoreTable, _ layout: ModelLayout, registry: SchemaRegistry, usesLinks: Bool,
        tables: @escaping Tables, hasOtherVersions: @escaping (String) throws(ModelError) -> Bool
    ) {
        self.table = table
        self.layout = layout
        self.registry = registry
        self.usesLinks = usesLinks
        self.tables = tables
        self.hasOtherVersions = hasOtherVersions
    }

    /// The row of the query.
    var scope: Scope {
        Scope(source: .row(table, "t0"), candidates: [layout] + registry.descendants(of: layout))
    }

    /// Returns the parts of a statement behind the name of the table, which is called `t0`.
    ///
    /// - Parameter groups: What models are grouped by; nil if they are not.
    mutating func clauses<Model>(of query: ModelQuery<Model>, by groups: [Group]? = nil) throws(ModelError) -> String {
        skipsRows = query.rows.report != nil
        for (name, number) in [("a limit", query.limit ?? 0), ("an offset", query.offset)] where number < 0 {
            throw ModelError(
                .numberOutOfRange, expected: "\(name) of at least 0", found: "\(number)", schema: layout.schema.name)
        }
        var conditions: [String] = []
        if layout !== table.layout {
            let schemas = ([layout] + layout.rowDescendants(in: registry)).map(\.schema)
            let names = schemas.flatMap { [$0.name] + $0.formerNames }
            let list = parameter(Self.list(names.map { .text($0) }))
            conditions.append("t0.\"_schema\" IN (SELECT value FROM json_each(\(list)))")
        }
        if let condition = query.condition {
            conditions.append(try sql(Term(condition.content), in: scope, depth: 0))
        }
        var order: [String] = []
        if let groups {
            order = try self.order(query.order, of: groups)
        } else if !query.order.isEmpty || query.limit != nil || query.offset > 0 || query.start != nil {
            var parts: [(operand: Operand, isDescending: Bool)] = []
            for part in query.order { parts.append((try comparable(part.key, in: scope), part.isDescending)) }
            if let start = query.start { conditions.append(try sql(behind: start.get(), parts)) }
            // Equal models have a fixed order, so that pages fit together.
            order =
                parts.map { $0.operand.sql + ($0.isDescending ? " DESC" : "") }
                + table.identity.map { "t0.\($0.name)" }
        }
        var sql = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        if let groups, !groups.isEmpty {
            sql += " GROUP BY " + groups.map { "\($0.position)" }.joined(separator: ", ")
        }
        if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
        if query.limit != nil || query.offset > 0 {
            let limit = parameter(.integer(query.limit.map { Int64($0) } ?? -1))
            sql += " LIMIT \(limit) OFFSET \(parameter(.integer(Int64(query.offset))))"
        }
        return sql
    }

    mutating func parameter(_ value: SQLiteValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// Returns values as a JSON array, which is one parameter however many there are.
    static func list(_ values: [SQLiteValue]) -> SQLiteValue {
        .text(JSONValue.array(values.map(\.json)).description)
    }

    /// Returns rows of values as a JSON array: of values if each row has one, or else of arrays.
    static func list(rows: [[SQLiteValue]]) -> SQLiteValue {
        if rows.allSatisfy({ $0.count == 1 }) { return list(rows.map { $0[0] }) }
        return .text(JSONValue.array(rows.map { .array($0.map(\.json)) }).description)
    }
}

extension SQLiteValue {
    var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .number(JSONNumber(value))
        case .real(let value): JSONNumber(value).map { .number($0) } ?? .null
        case .text(let text): .string(text)
        }
    }
}
