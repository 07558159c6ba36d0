import PalliumCore

// Conditions on the elements of collections.
//
// ```
//   labels any name = "bug"      EXISTS (SELECT 1 FROM json_each(t0."_document", '$.labels') AS e1
//                                        JOIN "Label" AS t2 ON t2."id" = json_extract(e1.value, '$.id')
//                                        WHERE … t2."name" = 'bug')
//   labels all name = "bug"      NOT EXISTS (… LEFT JOIN … WHERE NOT …)
// ```
extension ClauseWriter {
    /// What the keys of a condition begin at: a row, or an element of a collection.
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
    private static let levelsOfElements = 6

    /// Writes a condition on the elements of a collection.
    mutating func sql(
        _ quantifier: Condition.Quantifier, of key: Key, _ condition: Term, isNegated: Bool, in scope: Scope, depth: Int
    ) throws(ModelError) -> String {
        try checkDepth(depth)
        let operand = try operand(key, in: scope)
        guard let descriptor = operand.descriptor.element, !operand.isCount else {
            throw Self.noCollection(operand.descriptor)
        }
        let name = newAlias("e")
        let models = descriptor.model.map { [$0] + registry.descendants(of: $0) } ?? []
        var (source, rows, exists) = (Source.element("\(name).value"), "", "")
        if let root = descriptor.model?.rowLayout {
            let (table, alias, isRow) = try row(of: root, descriptor, at: [], in: source)
            // An element without a row meets no condition.
            rows = " LEFT JOIN \(table.name) AS \(alias) ON \(isRow)"
            exists = "\(alias).\"_schema\" NOTNULL AND "
            if quantifier != .all { (rows, exists) = (" JOIN\(rows.dropFirst(10))", "") }
            source = .row(table, alias)
        }
        let inner = Scope(
            source: source, candidates: models, element: (descriptor, name),
            isInDictionary: operand.descriptor.kind == .dictionary)
        let test = exists + (try sql(condition, in: inner, depth: depth + Self.levelsOfElements))
        let isMet = quantifier == .all ? "NOT ifnull(\(test), 0)" : test
        let result = operand.select { place in
            "EXISTS (SELECT 1 FROM \(place.elements) AS \(name)\(rows) WHERE \(name).key NOTNULL AND \(isMet))"
        }
        return (quantifier == .any) != isNegated ? "(\(result))" : "NOT ifnull((\(result)), 0)"
    }

    /// Returns the condition for a path that leads through a collection: that any of the elements meets one; nil for another
    /// path.
    func content(
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
            candidates = [model] + registry.descendants(of: model)
        }
        return nil
    }

    /// Returns the element of a scope, or its key.
    func element(_ key: Key, of scope: Scope) throws(ModelError) -> Operand {
        switch (key.path, scope.element) {
        case (.element, let (descriptor, name)?):
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
