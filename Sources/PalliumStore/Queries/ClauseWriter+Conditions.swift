import PalliumCore
import PalliumJSON

// Conditions on properties.
extension ClauseWriter {
    /// The number of changes between `&&` and `||`, one inside of the other, that the parser of SQLite can take.
    private static let maximumDepth = 16
    /// The number of comparisons of a query. SQLite takes expressions of a thousand levels, and each may be one.
    private static let maximumComparisons = 900

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
                .limitExceeded,
                expected:
                    "at most \(Self.maximumDepth.counted("level")) of && and ||, of which any, all and none take \(Self.levelsOfElements) each",
                found: "more")
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
            result = "\(try operand(key, in: scope).sql) \(comparison.sign) NULL"
        case .comparison(let key, let comparison, let value?):
            let operand = try comparable(key, in: scope)
            let parameter = parameter(try operand.descriptor.columnValue(of: value).folded(if: operand.ignoresCase))
            // An index serves `=` better than `IS`, which differs only where there is no value.
            let sign = comparison == .equal ? "=" : comparison.sign
            result = "\(operand.sql) \(sign) \(parameter)"
        case .list(let key, let list):
            let operand = try comparable(key, in: scope)
            var (values, others) = ([SQLiteValue](), "")
            for value in list {
                let value = try operand.descriptor.columnValue(of: value).folded(if: operand.ignoresCase)
                guard case .text(let text) = value, text.utf8.contains(0) else {
                    values.append(value)
                    continue
                }
                // Neither documents nor the list, which is JSON, can be searched for it.
                if operand.place.endsAtNull {
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
            let text = operand.ignoresCase ? CaseFolding.fold(text) : text
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

    mutating func countComparison() throws(ModelError) {
        comparisonCount += 1
        guard comparisonCount <= Self.maximumComparisons else {
            throw ModelError(
                .limitExceeded, expected: "at most \(Self.maximumComparisons.counted("comparison"))", found: "more")
        }
    }

    private mutating func contains(_ operand: Operand, _ value: Condition.Value) throws(ModelError) -> String {
        guard let element = operand.descriptor.element, operand.descriptor.kind != .dictionary else {
            try checkText(operand)
            let part = try operand.descriptor.columnValue(of: value).folded(if: operand.ignoresCase)
            return "instr(\(operand.sql), \(parameter(part))) > 0"
        }
        try checkColumn(element)
        let parameter = parameter(try element.columnValue(of: value).folded(if: operand.ignoresCase))
        if operand.ignoresCase { callsFunctions = true }
        let place = operand.ignoresCase ? Place.folded(.element("value")) : .element("value")
        let found = place.value(of: element.columnType)
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

    func checkColumn(_ descriptor: ValueDescriptor) throws(ModelError) {
        guard descriptor.property.kind.hasColumn else {
            throw ModelError(
                .notConvertible, descriptor, expected: "a kind whose values SQLite can compare",
                found: "the kind \(descriptor.property.kind.name)")
        }
    }
}

extension Condition.Comparison {
    /// The operator of SQL. The first two take null for a value.
    fileprivate var sign: String {
        switch self {
        case .equal: "IS"
        case .different: "IS NOT"
        case .less: "<"
        case .atMost: "<="
        case .greater: ">"
        case .atLeast: ">="
        }
    }
}
