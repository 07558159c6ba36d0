import PalliumCore
import PalliumJSON

// Conditions on the elements of collections.
//
// ```
//   labels any name = "bug"      EXISTS (SELECT 1 FROM json_each(t0."_document", '$.labels') AS e1
//                                        JOIN "Label" AS t2 ON t2."id" = json_extract(e1.value, '$.id')
//                                        WHERE … t2."name" = 'bug')
//   labels all name = "bug"      NOT EXISTS (… LEFT JOIN … WHERE NOT …)
// ```
extension ClauseWriter {
    /// The beginning of the keys of a condition: a row, or an element of a collection.
    struct Scope {
        let source: Source
        /// The layouts of the model; none for an element that is no model.
        let candidates: [ModelLayout]
        /// The element, and the name of the row that `Place.elements` gives for it; nil for the row of a query.
        var element: (descriptor: ValueDescriptor, name: String)?
        /// Whether the element has a key.
        var isInDictionary = false
    }

    /// Where the values of a model stand.
    enum Source {
        case row(StoreTable, String)
        /// In JSON, an expression.
        case element(String)
    }

    /// How much nearer an element comes to the limit of levels: the parser of SQLite takes this much more for it.
    static let levelsOfElements = 6

    /// Writes a condition on the elements of a collection, or on the model of a property with links.
    mutating func sql(
        _ quantifier: Condition.Quantifier, of key: Key, _ condition: Term, isNegated: Bool, in scope: Scope, depth: Int
    ) throws(ModelError) -> String {
        try checkDepth(depth)
        let name = newAlias("e")
        let depth = depth + Self.levelsOfElements
        let result: String
        if let (link, holder, descriptor) = try condition.readsElementKeys ? nil : link(key, in: scope) {
            let (join, test) = try rows(
                quantifier, descriptor, condition, in: scope, name: name, depth: depth, columns: link.target)
            let source = link.source.map { "\(name).\($0)" }.joined(separator: ", ")
            result = "\(holder) IN (SELECT \(source) FROM \(link.name) AS \(name)\(join) WHERE \(test))"
        } else {
            let operand = try operand(key, in: scope)
            guard let descriptor = operand.descriptor.element, !operand.isCount, !operand.ignoresCase else {
                throw Self.noCollection(operand.descriptor)
            }
            var inner = scope
            inner.isInDictionary = operand.descriptor.kind == .dictionary
            let (join, test) = try rows(quantifier, descriptor, condition, in: inner, name: name, depth: depth)
            result = operand.select { place in
                "EXISTS (SELECT 1 FROM \(place.elements) AS \(name)\(join) WHERE \(name).key NOTNULL AND \(test))"
            }
        }
        return (quantifier == .any) != isNegated ? "(\(result))" : "NOT ifnull((\(result)), 0)"
    }

    /// Returns the row of an element, to be joined, and whether the element decides: it meets the condition, or does not and
    /// all had to.
    ///
    /// - Parameter columns: The identity of the row in a table of links; nil if it stands in the element.
    private mutating func rows(
        _ quantifier: Condition.Quantifier, _ descriptor: ValueDescriptor, _ condition: Term, in scope: Scope,
        name: String, depth: Int, columns: [String]? = nil
    ) throws(ModelError) -> (join: String, test: String) {
        var (source, join, exists) = (Source.element("\(name).value"), "", "")
        if let root = descriptor.model?.rowLayout {
            let (table, alias, isRow) = try row(
                of: root, descriptor, at: [], in: source, columns: columns?.map { "\(name).\($0)" })
            source = .row(table, alias)
            join = " JOIN \(table.name) AS \(alias) ON \(isRow)"
            // An element without a row meets no condition.
            if quantifier == .all { (join, exists) = (" LEFT\(join)", "\(alias).\"_schema\" NOTNULL AND ") }
        }
        let models = descriptor.model.map { [$0] + registry.descendants(of: $0) } ?? []
        let inner = Scope(
            source: source, candidates: models, element: (descriptor, name), isInDictionary: scope.isInDictionary)
        let test = exists + (try sql(condition, in: inner, depth: depth))
        return (join, quantifier == .all ? "NOT ifnull(\(test), 0)" : test)
    }

    /// Returns the table of links for a property, and the identity of its row; nil if there is none, or its links are not
    /// those that rows read as.
    private mutating func link(
        _ key: Key, in scope: Scope
    ) throws(ModelError) -> (table: LinkTable, holder: String, descriptor: ValueDescriptor)? {
        guard usesLinks, case .row(let table, let alias) = scope.source, !key.countsElements, !key.ignoresCase,
            let name = try keys(key, in: scope).only,
            let link = table.links.first(where: { UTF8Text.equal($0.key, name) }), link.root != nil,
            try !readsModels(of: table)
        else { return nil }
        var descriptor = try property(name, scope.candidates)
        if case .link = key.path {
        } else if let element = descriptor.element {
            descriptor = element
        } else {
            return nil
        }
        guard descriptor.model?.rowLayout === link.root else { return nil }
        return (link, "(\(table.identity.map { "\(alias).\($0.name)" }.joined(separator: ", ")))", descriptor)
    }

    /// Returns the condition for a path that leads through a collection: that any of the elements meets one; nil for another
    /// path.
    mutating func content(
        testingElements content: Condition.Content, in scope: Scope
    ) throws(ModelError) -> Condition.Content? {
        guard let (key, test) = content.test else { return nil }
        let keys = try keys(key, in: scope)
        var candidates = scope.candidates
        for (number, name) in keys.dropLast().enumerated() {
            let descriptor = try property(name, candidates)
            if descriptor.element?.model != nil {
                let rest = Array(keys[(number + 1)...])
                return .elements(Key(path: .keys(Array(keys[...number]))), .any, test(key.following(rest)))
            }
            guard let model = descriptor.model else { return nil }
            // A table of links finds the rows that refer to one which meets the condition.
            let first = Key(path: .link(name))
            if number == 0, content.needsValue, let root = model.rowLayout,
                keys.count > 2 || !root.isIdentity(keys[1]), try link(first, in: scope) != nil
            {
                return .elements(first, .any, test(key.following(Array(keys[1...]))))
            }
            candidates = [model] + registry.descendants(of: model)
        }
        return nil
    }

    /// Returns the element of a scope, or its key.
    func element(_ key: Key, of scope: Scope) throws(ModelError) -> Operand {
        switch (key.path, scope.element) {
        case (.element, let (descriptor, name)?):
            guard descriptor.model == nil else {
                throw ModelError(
                    .notConvertible, descriptor, expected: "a key of the element",
                    found: "the element, which is a model")
            }
            return Operand(links: [], place: .element("\(name).value"), descriptor: descriptor)
        case (.elementKey, let (descriptor, name)?) where scope.isInDictionary:
            return Operand(
                links: [], place: .element("\(name).key"),
                descriptor: Self.descriptor(.string, "the key of an element", like: descriptor))
        default:
            throw ModelError(
                .unknownKey,
                expected: "a condition on the elements of a \(scope.element == nil ? "collection" : "dictionary")",
                found: "another one", schema: scope.candidates.first?.schema.name)
        }
    }

    static func noCollection(_ descriptor: ValueDescriptor) -> ModelError {
        ModelError(
            .typeMismatch, descriptor, expected: "an array, a set or a dictionary in a condition on elements",
            found: descriptor.expectation)
    }

    static func countDescriptor(_ descriptor: ValueDescriptor) -> ValueDescriptor {
        self.descriptor(.integer(.bits64), "\(descriptor.path).count", like: descriptor)
    }

    /// Makes the description of a value that is no property.
    private static func descriptor(
        _ kind: PropertyKind, _ path: String, like other: ValueDescriptor
    ) -> ValueDescriptor {
        ValueDescriptor(
            schema: other.schema, key: other.key, path: path, property: PropertySchema(kind).required, isElement: false)
    }
}

extension ClauseWriter.Term {
    /// Whether the key of the element decides, which tables of links do not have.
    fileprivate var readsElementKeys: Bool {
        var pending = [content]
        while let content = pending.popLast() {
            switch content {
            case .both(let left, let right), .either(let left, let right): pending += [left, right]
            case .not(let inner): pending.append(inner)
            default: if case .elementKey? = content.test?.key.path { return true }
            }
        }
        return false
    }
}

extension Condition.Content {
    /// Whether the condition does not hold for a property without a value.
    fileprivate var needsValue: Bool {
        switch self {
        case .comparison(let key, let comparison, let value):
            value != nil && comparison != .different && !key.countsElements
        case .list(let key, _): !key.countsElements
        case .contains, .prefix, .elements(_, .any, _): true
        case .elements, .both, .either, .not: false
        }
    }
}

extension Array {
    /// The element, if there is only one.
    fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
