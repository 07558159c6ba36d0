import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Writes the clauses of a query: all of its statement but what is selected, which ``TableStatements`` has.
///
/// Nothing that comes from outside stands in the text but the names of tables and columns, quoted: keys are looked up in
/// the schema, and values and paths in documents are parameters.
struct ClauseWriter {
    /// The number of changes between `&&` and `||`, one inside of the other, that the parser of SQLite can take.
    private static let maximumDepth = 16
    /// The number of comparisons of a query. SQLite takes expressions of a thousand levels, and each may be one.
    private static let maximumComparisons = 900
    /// The number of keys in a path, each of which may lead to another table. SQLite joins up to 64.
    private static let maximumKeys = 16

    /// Returns the table of a layout that has an identity; nil if the store cannot make it.
    typealias Tables = (ModelLayout) throws(ModelError) -> StoreTable?

    private let table: StoreTable
    private let layout: ModelLayout
    let registry: SchemaRegistry
    private let tables: Tables
    private let hasOtherVersions: (String) throws(ModelError) -> Bool
    /// Whether the values of a table are those of models, by the layouts of tables.
    private var readsModels: [ObjectIdentifier: Bool] = [:]
    /// Whether the statement depends on the versions of rows.
    var isVersioned: Bool { !readsModels.isEmpty }
    /// Whether a condition does not hold for a row that cannot be read.
    private var skipsRows = false
    /// Whether the statement calls `RowFunctions`.
    private(set) var callsFunctions = false
    private(set) var values: [SQLiteValue] = []
    private var aliasCount = 1
    private var comparisonCount = 0

    /// - Parameters:
    ///   - layout: The layout of the models, which may be one of several in the table.
    ///   - hasOtherVersions: Returns whether a statement finds rows of other versions, whose documents say something else.
    init(
        _ table: StoreTable, _ layout: ModelLayout, registry: SchemaRegistry, tables: @escaping Tables,
        hasOtherVersions: @escaping (String) throws(ModelError) -> Bool
    ) {
        self.table = table
        self.layout = layout
        self.registry = registry
        self.tables = tables
        self.hasOtherVersions = hasOtherVersions
    }

    /// The row of the query.
    private var scope: Scope {
        Scope(source: .row(table, "t0"), candidates: [layout] + registry.descendants(of: layout))
    }

    /// Returns the parts of a statement behind the name of the table, which is called `t0`.
    mutating func clauses<Model>(of query: ModelQuery<Model>) throws(ModelError) -> String {
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
        var sql = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        if !query.order.isEmpty || query.limit != nil || query.offset > 0 {
            var order: [String] = []
            for part in query.order {
                order.append(try comparable(part.key, in: scope).sql + (part.isDescending ? " DESC" : ""))
            }
            // Equal models have a fixed order, so that pages fit together.
            order += table.identity.map { "t0.\($0.name)" }
            sql += " ORDER BY " + order.joined(separator: ", ")
        }
        if query.limit != nil || query.offset > 0 {
            let limit = parameter(.integer(query.limit.map { Int64($0) } ?? -1))
            sql += " LIMIT \(limit) OFFSET \(parameter(.integer(Int64(query.offset))))"
        }
        return sql
    }

    private mutating func parameter(_ value: SQLiteValue) -> String {
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

    // MARK: Conditions

    /// A condition or its opposite. Negations are taken inwards, to where properties are compared.
    struct Term {
        let content: Condition.Content
        let isNegated: Bool

        init(_ content: Condition.Content, isNegated: Bool = false) {
            var (content, isNegated) = (content, isNegated)
            while case .not(let inner) = content { (content, isNegated) = (inner, !isNegated) }
            self.content = content
            self.isNegated = isNegated
        }

        /// The two parts and the word between them; nil for a condition about a property.
        var parts: (left: Term, right: Term, word: String)? {
            switch content {
            case .both(let left, let right):
                (Term(left, isNegated: isNegated), Term(right, isNegated: isNegated), isNegated ? "OR" : "AND")
            case .either(let left, let right):
                (Term(left, isNegated: isNegated), Term(right, isNegated: isNegated), isNegated ? "AND" : "OR")
            default: nil
            }
        }
    }

    /// Recursion is bounded by `maximumDepth`.
    mutating func sql(_ term: Term, in scope: Scope, depth: Int) throws(ModelError) -> String {
        guard let word = term.parts?.word else { return try sql(comparing: term, in: scope, depth: depth) }
        var terms: [Term] = []
        var pending = [term]
        while let next = pending.popLast() {
            if let parts = next.parts, parts.word == word {
                pending += [parts.right, parts.left]
            } else {
                terms.append(next)
            }
        }
        try checkDepth(depth)
        var texts: [String] = []
        for term in terms { texts.append(try sql(term, in: scope, depth: depth + 1)) }
        return "(\(texts.joined(separator: " \(word) ")))"
    }

    func checkDepth(_ depth: Int) throws(ModelError) {
        guard depth < Self.maximumDepth else {
            throw ModelError(
                .limitExceeded, expected: "at most \(Self.maximumDepth.counted("level")) of && and ||", found: "more")
        }
    }

    /// Writes a condition about a property. In a negation, unknown must be false.
    private mutating func sql(comparing term: Term, in scope: Scope, depth: Int) throws(ModelError) -> String {
        try countComparison()
        if let content = try content(testingElements: term.content, in: scope) {
            return try sql(Term(content, isNegated: term.isNegated), in: scope, depth: depth)
        }
        let result: String
        switch term.content {
        case .both, .either, .not: return try sql(term, in: scope, depth: Self.maximumDepth)
        case .elements(let key, let quantifier, let content):
            return try sql(
                quantifier, of: key, Term(content), isNegated: term.isNegated, in: scope, depth: depth)
        case .comparison(let key, let comparison, nil):
            result = "\(try operand(key, in: scope).sql) \(comparison.rawValue) NULL"
        case .comparison(let key, let comparison, let value?):
            let operand = try comparable(key, in: scope)
            let parameter = parameter(try operand.descriptor.columnValue(of: value))
            // An index serves `=` better than `IS`, which differs only where there is no value.
            let sign = comparison == .equal ? "=" : comparison.rawValue
            result = "\(operand.sql) \(sign) \(parameter)"
        case .list(let key, let list):
            let operand = try comparable(key, in: scope)
            var (values, others) = ([SQLiteValue](), "")
            for value in list {
                let value = try operand.descriptor.columnValue(of: value)
                guard case .text(let text) = value, text.utf8.contains(0) else {
                    values.append(value)
                    continue
                }
                // Neither documents nor the list, which is JSON, can be searched for it.
                if case .document = operand.place {
                    throw ModelError(
                        .notConvertible, operand.descriptor, expected: "texts without null characters in a list",
                        found: ModelError.quote(text))
                }
                try countComparison()
                others += " OR \(operand.sql) = \(parameter(value))"
            }
            let listed = SQLiteValue.expression(of: "value", inColumnOf: operand.descriptor.columnType)
            result = "\(operand.sql) IN (SELECT \(listed) FROM json_each(\(parameter(Self.list(values)))))\(others)"
        case .contains(let key, let value): result = try contains(operand(key, in: scope), value)
        case .prefix(let key, let text):
            let operand = try operand(key, in: scope)
            try checkText(operand)
            let (sql, prefix) = (operand.sql, parameter(.text(text)))
            // The function ends at a null character of a text, but not of bytes.
            let begins =
                text.utf8.contains(0)
                ? "substr(CAST(\(sql) AS BLOB), 1, \(text.utf8.count)) = CAST(\(prefix) AS BLOB)"
                : "substr(\(sql), 1, \(text.unicodeScalars.count)) = \(prefix)"
            // A range, which an index serves.
            let end = Self.end(ofPrefix: text).map { " AND \(sql) < \(parameter(.text($0)))" } ?? ""
            result = "\(sql) >= \(prefix)\(end) AND \(begins)"
        }
        return term.isNegated ? "NOT ifnull((\(result)), 0)" : "(\(result))"
    }

    /// Returns the first text behind all that begin with a prefix; nil if there is none. SQLite compares bytes, which have
    /// the order of scalars.
    private static func end(ofPrefix prefix: String) -> String? {
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            if let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) {
                scalars.append(next)
                return String(scalars)
            }
        }
        return nil
    }

    private mutating func countComparison() throws(ModelError) {
        comparisonCount += 1
        guard comparisonCount <= Self.maximumComparisons else {
            throw ModelError(
                .limitExceeded, expected: "at most \(Self.maximumComparisons.counted("comparison"))", found: "more")
        }
    }

    private mutating func contains(_ operand: Operand, _ value: Condition.Value) throws(ModelError) -> String {
        guard let element = operand.descriptor.element, operand.descriptor.kind != .dictionary else {
            try checkText(operand)
            return "instr(\(operand.sql), \(parameter(try operand.descriptor.columnValue(of: value)))) > 0"
        }
        try checkColumn(element)
        let parameter = parameter(try element.columnValue(of: value))
        let found = SQLiteValue.expression(of: "value", inColumnOf: element.columnType)
        return operand.select {
            "EXISTS (SELECT 1 FROM \($0.elements) WHERE key NOTNULL AND \(found) = \(parameter))"
        }
    }

    private func checkText(_ operand: Operand) throws(ModelError) {
        guard operand.descriptor.kind == .string || operand.descriptor.kind == .url else {
            throw ModelError(
                .typeMismatch, operand.descriptor, expected: "text in a condition about parts of a text",
                found: operand.descriptor.expectation)
        }
    }

    private func checkColumn(_ descriptor: ValueDescriptor) throws(ModelError) {
        guard descriptor.property.kind.hasColumn else {
            throw ModelError(
                .notConvertible, descriptor, expected: "a kind whose values SQLite can compare",
                found: "the kind \(descriptor.property.kind.name)")
        }
    }

    // MARK: Keys

    /// Returns a property whose values can be compared.
    private mutating func comparable(_ key: Key, in scope: Scope) throws(ModelError) -> Operand {
        let operand = try operand(key, in: scope)
        try checkColumn(operand.descriptor)
        return operand
    }

    /// Returns the keys of a path.
    func keys(_ key: Key, in scope: Scope) throws(ModelError) -> [String] {
        let keys: [String]
        switch key.path {
        case .text(let text): keys = try layout.keys(in: text)
        case .keys(let list): keys = list
        case .link(let key): return [key]
        case .element, .elementKey: return []
        }
        guard keys.count <= Self.maximumKeys else {
            throw ModelError(
                .limitExceeded, expected: "at most \(Self.maximumKeys.counted("key")) in a path",
                found: "\(keys.count)", schema: layout.schema.name)
        }
        return keys
    }

    /// Returns a property as an expression.
    mutating func operand(_ key: Key, in scope: Scope) throws(ModelError) -> Operand {
        let operand = try property(key, in: scope)
        if !key.countsElements { return operand }
        guard operand.descriptor.element != nil else { throw Self.noCollection(operand.descriptor) }
        return Operand(
            links: operand.links, place: operand.place, descriptor: Self.countDescriptor(operand.descriptor),
            isCount: true)
    }

    private mutating func property(_ key: Key, in scope: Scope) throws(ModelError) -> Operand {
        let keys = try keys(key, in: scope)
        if keys.isEmpty { return try element(key, of: scope) }
        var (source, path) = (scope.source, [String]())
        var candidates = scope.candidates
        var links: [(link: Link, madeIn: Source?, path: [String])] = []
        for (number, key) in keys.enumerated() {
            let descriptor = try property(key, candidates)
            let rest = keys[number...]
            if number == keys.count - 1 {
                var all: [Link] = []
                for (link, source, path) in links {
                    var link = link
                    if let source { link.made = try place(path + keys[path.count...], descriptor, in: source) }
                    all.append(link)
                }
                return Operand(
                    links: all, place: try place(path + rest, descriptor, in: source), descriptor: descriptor)
            }
            guard descriptor.kind == .model, let model = descriptor.model else {
                throw ModelError(
                    .unknownKey, descriptor, expected: "a property with one model before the dot",
                    found: descriptor.expectation)
            }
            candidates = [model] + registry.descendants(of: model)
            path.append(key)
            guard let root = model.rowLayout, !(number == keys.count - 2 && root.isIdentity(keys[number + 1])) else {
                continue
            }
            let (next, alias, condition) = try row(of: root, descriptor, at: path, in: source)
            var made: Source?
            if case .row(let table, _) = source, try readsModels(of: table) { made = source }
            links.append((Link(table: next.name, alias: alias, condition: condition, made: nil), made, path))
            (source, path) = (.row(next, alias), [])
        }
        // A path has at least one step.
        throw layout.unknownKeyError(keys.joined(separator: "."))
    }

    /// Returns the table of a reference at a path, a new name for its row, and the condition on the row.
    ///
    /// - Parameter columns: The values of the identity, if they stand elsewhere.
    mutating func row(
        of root: ModelLayout, _ descriptor: ValueDescriptor, at path: [String], in source: Source,
        columns: [String]? = nil
    ) throws(ModelError) -> (table: StoreTable, alias: String, condition: String) {
        guard let next = try tables(root) else {
            throw ModelError(
                .unknownSchema, descriptor, expected: "a store with models of \(root.schema.name)", found: "none")
        }
        let alias = newAlias("t")
        var conditions: [String] = []
        for (number, (column, slot)) in zip(next.identity, root.identitySlots).enumerated() {
            if let columns {
                conditions.append("\(alias).\(column.name) = \(columns[number])")
                continue
            }
            let place = try place(path + [column.key], root.properties[slot].descriptor, in: source)
            conditions.append("\(alias).\(column.name) = \(place.value(of: column.type))")
        }
        return (next, alias, conditions.joined(separator: " AND "))
    }

    mutating func newAlias(_ letter: String) -> String {
        defer { aliasCount += 1 }
        return "\(letter)\(aliasCount)"
    }

    /// Returns where the values of a property stand.
    private mutating func place(
        _ path: [String], _ descriptor: ValueDescriptor, in source: Source
    ) throws(ModelError) -> Place {
        let document: String
        switch source {
        case .element(let json): document = json
        case .row(let table, let alias):
            let column = path.count == 1 ? table.column(path[0], descriptor.columnType) : nil
            // An identity is the same in all versions.
            if let column, table.layout.isIdentity(path[0]) { return .column("\(alias).\(column)") }
            if try readsModels(of: table) {
                if descriptor.element == nil { return modelPlace(path, in: table, called: alias) }
                document = upgradedDocument(in: table, called: alias)
            } else if let column {
                return .column("\(alias).\(column)")
            } else {
                document = "\(alias).\"_document\""
            }
        }
        let isOrdered = descriptor.hasOrderedText
        if isOrdered { callsFunctions = true }
        return .document(document, path: try pathParameter(path), isOrdered: isOrdered)
    }

    /// Returns an expression of the document of a row in the present versions.
    private mutating func upgradedDocument(in table: StoreTable, called alias: String) -> String {
        callsFunctions = true
        let (schema, skips) = (parameter(.text(table.layout.schema.name)), parameter(SQLiteValue(skipsRows)))
        return "_document(\(schema), \(skips), \(TableStatements.rowColumns(of: alias)))"
    }

    private mutating func modelPlace(
        _ path: [String], in table: StoreTable, called alias: String
    ) -> Place {
        callsFunctions = true
        let schema = parameter(.text(table.layout.schema.name))
        let (keys, skips) = (parameter(Self.list(path.map { .text($0) })), parameter(SQLiteValue(skipsRows)))
        return .model(arguments: "\(schema), \(keys), \(skips), \(TableStatements.rowColumns(of: alias))")
    }

    mutating func readsModels(of table: StoreTable) throws(ModelError) -> Bool {
        if table.hasHooks { return true }
        guard let sql = table.statements.otherVersions else { return false }
        let key = ObjectIdentifier(table.layout)
        if let known = readsModels[key] { return known }
        let result = try hasOtherVersions(sql)
        readsModels[key] = result
        return result
    }

    /// Returns the property of a key in the first layout that has it.
    func property(_ key: String, _ candidates: [ModelLayout]) throws(ModelError) -> ValueDescriptor {
        for layout in candidates {
            guard let slot = layout.index(of: key) else { continue }
            let property = layout.properties[slot]
            guard property.isStored else {
                throw ModelError(
                    .unknownKey, property.descriptor, expected: "a property that stores hold",
                    found: ModelError.quote(key))
            }
            return property.descriptor
        }
        guard let first = candidates.first else {
            throw ModelError(
                .unknownKey, expected: "a key of a model", found: "\(ModelError.quote(key)) of an element that is none",
                schema: layout.schema.name)
        }
        throw first.unknownKeyError(key)
    }

    private mutating func pathParameter(_ keys: [String]) throws(ModelError) -> String {
        let members = keys.map { StoredFormat.member(of: $0) }
        if let odd = members.first(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C } }) {
            throw ModelError(
                .notConvertible, expected: "a key without quotation marks, backslashes and control characters",
                found: ModelError.quote(odd), schema: layout.schema.name)
        }
        return parameter(.text("$" + members.map { ".\"\($0)\"" }.joined()))
    }
}

extension StoreTable {
    /// Returns the quoted name of the column that repeats a property; nil if there is none.
    fileprivate func column(_ key: String, _ type: String) -> String? {
        (identity + indexed).first { $0.descriptor != nil && $0.type == type && UTF8Text.equal($0.key, key) }?.name
    }
}

extension ModelLayout {
    func isIdentity(_ key: String) -> Bool { index(of: key).map { identitySlots.contains($0) } ?? false }
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
