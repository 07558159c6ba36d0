import PalliumAdapter
import PalliumCore
import PalliumJSON

// Properties as expressions.
extension ClauseWriter {
    /// The number of keys in a path, each of which may lead to another table. SQLite joins up to 64.
    private static let maximumKeys = 16

    /// Returns a property whose values can be compared.
    mutating func comparable(_ key: Key, in scope: Scope) throws(ModelError) -> Operand {
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
        var operand = try property(key, in: scope)
        if key.ignoresCase {
            guard (operand.descriptor.element ?? operand.descriptor).kind == .string else {
                throw ModelError(
                    .typeMismatch, operand.descriptor, expected: "text in a condition without the difference of case",
                    found: operand.descriptor.expectation)
            }
            operand.ignoresCase = true
        }
        if !key.countsElements { return operand }
        guard operand.descriptor.element != nil else { throw Self.noCollection(operand.descriptor) }
        return Operand(
            links: operand.links, place: operand.place, descriptor: Self.countDescriptor(operand.descriptor),
            isCount: true)
    }

    private mutating func property(_ key: Key, in scope: Scope) throws(ModelError) -> Operand {
        let keys = try keys(key, in: scope)
        if keys.isEmpty {
            let element = try element(key, of: scope)
            let place = key.ignoresCase ? folded(element.place) : element.place
            return Operand(links: [], place: place, descriptor: element.descriptor)
        }
        var (source, path) = (scope.source, [String]())
        var candidates = scope.candidates
        var links: [(link: Link, madeIn: Source?, path: [String])] = []
        for (number, name) in keys.enumerated() {
            let descriptor = try property(name, candidates)
            let foldsCase = key.ignoresCase && descriptor.element == nil
            let rest = keys[number...]
            if number == keys.count - 1 {
                var all: [Link] = []
                for (link, source, path) in links {
                    var link = link
                    if let source {
                        link.made = try place(path + keys[path.count...], descriptor, in: source, foldsCase: foldsCase)
                    }
                    all.append(link)
                }
                return Operand(
                    links: all, place: try place(path + rest, descriptor, in: source, foldsCase: foldsCase),
                    descriptor: descriptor)
            }
            guard descriptor.kind == .model, let model = descriptor.model else {
                throw ModelError(
                    .unknownKey, descriptor, expected: "a property with one model before the dot",
                    found: descriptor.expectation)
            }
            candidates = [model] + registry.descendants(of: model)
            path.append(name)
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
        _ path: [String], _ descriptor: ValueDescriptor, in source: Source, foldsCase: Bool = false
    ) throws(ModelError) -> Place {
        if foldsCase {
            guard case .row(let table, let alias) = source, path.count == 1,
                let column = table.column(path[0], descriptor.columnType, isFolded: true), try !readsModels(of: table)
            else { return folded(try place(path, descriptor, in: source)) }
            return .column("\(alias).\(column)")
        }
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

    private mutating func folded(_ place: Place) -> Place {
        callsFunctions = true
        return .folded(place)
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
    fileprivate func column(_ key: String, _ type: String, isFolded: Bool = false) -> String? {
        (identity + indexed).first {
            $0.descriptor != nil && $0.type == type && $0.isFolded == isFolded && UTF8Text.equal($0.key, key)
        }?.name
    }
}

extension ModelLayout {
    func isIdentity(_ key: String) -> Bool { index(of: key).map { identitySlots.contains($0) } ?? false }
}
