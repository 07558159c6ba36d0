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
                guard let number = JSONNumber(sum) else { throw Self.isTooGreat(descriptor) }
                return .number(number)
            }
        case .integer, .unsigned(.bits8), .unsigned(.bits16), .unsigned(.bits32):
            // Both halves of the bits, so that no part of the sum is too great.
            return SelectedColumn(sql: "sum(\(sql) >> 32) || ' ' || sum(\(sql) & 4294967295)") {
                value throws(ModelError) in
                guard case .text(let halves) = value else { return .null }
                let sums = halves.split(separator: " ").compactMap { Int128($0) }
                guard let sum = Int64(exactly: sums[0] << 32 + sums[1]) else { throw Self.isTooGreat(descriptor) }
                return .number(JSONNumber(sum))
            }
        default:
            throw ModelError(
                .notConvertible, descriptor, expected: "integers or floating-point numbers in a sum",
                found: "the kind \(descriptor.property.kind.name)")
        }
    }

    private static func isTooGreat(_ descriptor: ValueDescriptor) -> ModelError {
        ModelError(.numberOutOfRange, descriptor, expected: "a sum that the kind can hold", found: "a greater one")
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

    // MARK: Pages

    /// Returns the condition on models behind another one in an order.
    ///
    /// ```
    ///   state, -votes, then number      state > 'open'
    ///   behind (open, 3, 7)             OR state IS 'open' AND (votes < 3 OR votes ISNULL)
    ///                                   OR state IS 'open' AND votes IS 3 AND number > 7
    /// ```
    mutating func sql(
        behind start: PageStart, _ order: [(operand: Operand, isDescending: Bool)]
    ) throws(ModelError) -> String {
        guard start.root == table.layout.schema.name else {
            throw ModelError(
                .typeMismatch, expected: "a model of \(table.layout.schema.name) before the page",
                found: "one of \(start.root)", schema: layout.schema.name)
        }
        let identity = table.identity.map { "t0.\($0.name)" }
        var (alternatives, equal, bound) = ([String](), "", "")
        for ((operand, isDescending), value) in zip(order, start.order) {
            for _ in 0...alternatives.count { try countComparison() }
            let sql = operand.sql
            let parameter = parameter(operand.place.read(value))
            // An identity has a value.
            let mayBeNull = !identity.contains(sql)
            switch (value, isDescending) {
            case (.null, false): alternatives.append("\(equal)\(sql) NOTNULL")
            case (.null, true): break
            case (_, false): alternatives.append("\(equal)\(sql) > \(parameter)")
            case (_, true):
                alternatives.append("\(equal)(\(sql) < \(parameter)\(mayBeNull ? " OR \(sql) ISNULL" : ""))")
            }
            // A range, which an index serves.
            if equal.isEmpty, value != .null, !isDescending || !mayBeNull {
                bound = "\(sql) \(isDescending ? "<=" : ">=") \(parameter) AND "
            }
            equal += "\(sql) IS \(parameter) AND "
        }
        let values = start.identity.map { parameter($0) }.joined(separator: ", ")
        alternatives.append("\(equal)(\(identity.joined(separator: ", "))) > (\(values))")
        return "\(bound)(\(alternatives.joined(separator: " OR ")))"
    }
}

/// The model behind which a page begins: its values in the order of the query.
struct PageStart: Sendable {
    /// The schema that declares its identity.
    let root: String
    let order: [SQLiteValue]
    let identity: [SQLiteValue]

    /// - Throws: ``ModelError`` with the code `missingProperty` if an order leads through a reference whose model the query
    ///   does not include.
    init<Model>(_ model: Model, _ order: [Order], _ links: ModelQuery<Model>.Links) throws(ModelError) {
        let layout = model.layout.identityRoot
        let all = try LinkSelection(links, of: layout, descendants: layout.registry.descendants)
        root = layout.schema.name
        identity = layout.identitySlots.map { model.slot(at: $0).columnValue }
        var values: [SQLiteValue] = []
        for part in order {
            guard case .text(let path) = part.key.path else { continue }
            var (selection, stub) = (all as LinkSelection?, DynamicModel?.none)
            let slot = try model.slot(at: layout.keys(in: path)) { slot in
                let (key, isRow) = (slot.description.key, slot.description.model?.rowLayout != nil)
                if isRow, slot.model.isStub, selection?.follows(key) != true { stub = slot.model }
                selection = isRow ? selection?.inside(key) : selection?.contained(key)
            }
            if slot?.hasValue != true, let stub {
                throw ModelError(
                    .missingProperty,
                    expected: "a model that the query includes, for an order by \(ModelError.quote(path))",
                    found: "a stub", schema: stub.layout.schema.name)
            }
            values.append(part.key.value(in: slot))
        }
        self.order = values
    }
}
