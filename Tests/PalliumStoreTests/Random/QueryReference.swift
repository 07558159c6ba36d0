import Foundation
import Pallium

/// What the article says about queries, tested on every model in turn.
struct QueryReference {
    /// A condition that cannot be tested, with the codes that say so.
    struct Mistake: Error {
        let codes: Set<ModelError.Code>
    }

    /// The codes for a value that a property cannot have, or whose kind has no order. The article does not tell them apart.
    private static let misfits: Set<ModelError.Code> = [.typeMismatch, .notConvertible, .numberOutOfRange]

    let schemas: PlainSchemas
    var rows: [PlainIdentity: PlainModel] = [:]

    init(_ schemas: PlainSchemas, _ models: [PlainModel] = []) {
        self.schemas = schemas
        for model in models { rows[schemas.identity(of: model)] = model }
    }

    /// The identities of the models that a query finds, in order.
    func fetch(_ query: PlainQuery) throws(Mistake) -> [PlainIdentity] {
        let start = Start.model(query.schema, isRow: true)
        if let condition = query.condition { try check(condition, start) }
        for (key, _) in query.order {
            guard try kind(key, start).hasOrder else { throw Mistake(codes: Self.misfits) }
        }
        let family = Set(schemas.family(query.schema))
        var found: [PlainIdentity] = []
        for (identity, model) in rows where family.contains(model.schema) {
            if let condition = query.condition, try !holds(condition, for: model) { continue }
            found.append(identity)
        }
        let sorted = found.sorted { left, right in
            // The article says nothing of equal ones.
            isOrdered(left, right, query) ?? zip(left.values, right.values).lazy.compactMap(Self.isLess).first ?? false
        }
        let rest = sorted.dropFirst(max(query.offset, 0))
        return Array(query.limit.map { rest.prefix($0) } ?? rest)
    }

    private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool? {
        left == right ? nil : left.lexicographicallyPrecedes(right)
    }

    /// Whether one row comes before another one; nil if the order of the query does not say.
    private func isOrdered(_ left: PlainIdentity, _ right: PlainIdentity, _ query: PlainQuery) -> Bool? {
        for (key, isDescending) in query.order {
            let order = Self.order(value(key, of: rows[left]), value(key, of: rows[right]))
            if order != 0 { return isDescending ? order > 0 : order < 0 }
        }
        return nil
    }

    /// Whether two results are the same, if rows that the order does not tell apart may stand for one another.
    func agree(_ found: [PlainIdentity], _ expected: [PlainIdentity], _ query: PlainQuery) throws(Mistake) -> Bool {
        var all = query
        (all.limit, all.offset) = (nil, 0)
        let every = Set(try fetch(all))
        return found.count == expected.count && Set(found).count == found.count && every.isSuperset(of: found)
            && zip(found, expected).allSatisfy { isOrdered($0, $1, query) == nil }
    }

    /// Models without a value come before all others.
    private static func order(_ left: PlainValue?, _ right: PlainValue?) -> Int {
        guard let left, let right else { return left == nil ? right == nil ? 0 : -1 : 1 }
        return left.compared(to: right) ?? 0
    }

    // MARK: Keys

    /// The beginning of keys.
    private enum Start {
        /// A model, and whether it is a row.
        case model(String, isRow: Bool)
        /// An element that is no model, and whether it has a key.
        case value(PlainKind, hasKey: Bool)
    }

    /// The subject of a condition.
    private struct Subject {
        let start: Start
        /// Nil for an element whose row does not exist.
        var model: PlainModel?
        var value: PlainValue?
        var key: String?
    }

    private struct Path {
        var steps: [String]
        var kind: PlainKind
        var isInDocument: Bool
    }

    /// The keys between dots. A backslash makes the next character part of a key.
    static func steps(_ key: String) -> [String] {
        var (steps, isEscaped) = ([""], false)
        for character in key {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else if !isEscaped, character == "." {
                steps.append("")
            } else {
                steps[steps.count - 1].append(character)
                isEscaped = false
            }
        }
        return steps
    }

    private func path(_ key: String, _ start: Start) throws(Mistake) -> Path {
        switch start {
        case .value(let kind, _) where key == PlainCondition.element:
            return Path(steps: [], kind: kind, isInDocument: true)
        case .value(_, hasKey: true) where key == PlainCondition.elementKey:
            return Path(steps: [], kind: .text, isInDocument: true)
        // An element that is a model has keys only.
        case .model where key == PlainCondition.element: throw Mistake(codes: [.unknownKey, .notConvertible])
        case .model(let name, let isRow): return try path(Self.steps(key), name, isRow)
        case .value: throw Mistake(codes: [.unknownKey])
        }
    }

    private func path(
        _ all: [String], _ name: String, _ isRow: Bool, isFolded: Bool = false
    ) throws(Mistake) -> Path {
        var (name, steps, isInRow) = (name, all[...], isRow)
        while let step = steps.popFirst() {
            guard let kind = schemas.kind(step, of: name) else { throw Mistake(codes: [.unknownKey]) }
            let hasColumn =
                schemas.hasColumn(step, of: name)
                || isFolded && schemas.hasColumn(PlainCondition.folded + step, of: name)
            let isInDocument = !(isInRow && hasColumn)
            if isInDocument, step.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.value < 32 }) {
                throw Mistake(codes: [.notConvertible, .unknownKey, .typeMismatch, .invalidValue])
            }
            if steps.isEmpty { return Path(steps: all, kind: kind, isInDocument: isInDocument) }
            switch kind {
            case .model(let schema): (name, isInRow) = (schema, false)
            case .reference(let schema): (name, isInRow) = (schema, true)
            default: throw Mistake(codes: [.unknownKey])
            }
        }
        throw Mistake(codes: [.unknownKey])
    }

    /// The value of a key, as SQLite reads it.
    private func value(_ key: String, of subject: Subject) -> PlainValue? {
        if key.hasPrefix(PlainCondition.folded) {
            return value(String(key.dropFirst(PlainCondition.folded.count)), of: subject, isFolded: true)?.folded
        }
        return value(key, of: subject, isFolded: false)
    }

    private func value(_ key: String, of subject: Subject, isFolded: Bool) -> PlainValue? {
        if key == PlainCondition.element { return subject.value?.untilNull }
        if key == PlainCondition.elementKey { return subject.key.map { .text($0) } }
        if key.hasPrefix(PlainCondition.count) {
            let collection = value(String(key.dropFirst(PlainCondition.count.count)), of: subject)
            return .integer(collection?.entries.count ?? 0)
        }
        guard case .model(_, let isRow) = subject.start, var model = subject.model,
            let path = try? path(Self.steps(key), model.schema, isRow, isFolded: isFolded)
        else { return nil }
        var steps = path.steps[...]
        while let step = steps.popFirst() {
            guard let value = model[step] else { return nil }
            if steps.isEmpty { return path.isInDocument ? value.untilNull : value }
            switch value {
            case .model(let inner): model = inner
            case .reference(let identity):
                model = rows[identity] ?? PlainModel(schema: identity.table)
                // The identity is known even if there is no such row.
                for (key, value) in zip(schemas.identity(of: identity.table), identity.parts) {
                    model.values[key] = value
                }
            default: return nil
            }
        }
        return nil
    }

    /// The value of a key in a row.
    func value(_ key: String, of row: PlainModel?) -> PlainValue? {
        guard let row else { return nil }
        return value(key, of: Subject(start: .model(row.schema, isRow: true), model: row))
    }

    // MARK: Elements

    /// The beginning of the keys of a condition on the elements of a kind.
    private func start(ofElementsIn kind: PlainKind) throws(Mistake) -> Start {
        switch kind {
        case .list(.model(let schema)), .set(.model(let schema)): return .model(schema, isRow: false)
        case .list(.reference(let schema)), .set(.reference(let schema)): return .model(schema, isRow: true)
        case .list(let element), .set(let element): return .value(element, hasKey: false)
        case .table: return .value(.integer(Int.min...Int.max), hasKey: true)
        default: throw Mistake(codes: Self.misfits)
        }
    }

    /// A path that leads through a collection means that any of its elements meets the condition.
    private func spelledOut(_ condition: PlainCondition, _ start: Start) -> PlainCondition {
        guard case .model(var name, _) = start else { return condition }
        func any(_ key: String, _ test: (String) -> PlainCondition) -> PlainCondition? {
            let prefix = [PlainCondition.count, PlainCondition.folded].first { key.hasPrefix($0) } ?? ""
            let steps = Self.steps(String(key.dropFirst(prefix.count)))
            func text(_ steps: ArraySlice<String>) -> String {
                steps.map { $0.replacing("\\", with: "\\\\").replacing(".", with: "\\.") }.joined(separator: ".")
            }
            for (number, step) in steps.dropLast().enumerated() {
                switch schemas.kind(step, of: name) {
                case .model(let next), .reference(let next): name = next
                case .list(.model), .list(.reference):
                    return .elements(text(steps[...number]), .any, test(prefix + text(steps[(number + 1)...])))
                default: return nil
                }
            }
            return nil
        }
        switch condition {
        case .compare(let key, let comparison, let value):
            return any(key) { .compare($0, comparison, value) } ?? condition
        case .isIn(let key, let values): return any(key) { .isIn($0, values) } ?? condition
        case .contains(let key, let value): return any(key) { .contains($0, value) } ?? condition
        case .hasPrefix(let key, let text): return any(key) { .hasPrefix($0, text) } ?? condition
        case .elements(let key, let quantifier, let inner):
            return any(key) { .elements($0, quantifier, inner) } ?? condition
        case .and, .or, .not: return condition
        }
    }

    private func elements(_ key: String, of subject: Subject, _ kind: PlainKind) throws(Mistake) -> [Subject] {
        let start = try start(ofElementsIn: kind)
        return (value(key, of: subject)?.entries ?? []).map { key, value in
            switch value {
            case .model(let model): Subject(start: start, model: model)
            case .reference(let identity): Subject(start: start, model: rows[identity])
            default: Subject(start: start, value: value, key: key)
            }
        }
    }

    /// An element whose row does not exist meets no condition.
    private func meets(_ element: Subject, _ condition: PlainCondition) throws(Mistake) -> Bool {
        guard element.model != nil || element.value != nil else { return false }
        return try holds(condition, for: element)
    }

    // MARK: Conditions

    private func holds(_ condition: PlainCondition, for row: PlainModel) throws(Mistake) -> Bool {
        try holds(condition, for: Subject(start: .model(row.schema, isRow: true), model: row))
    }

    private func kind(_ key: String, _ start: Start) throws(Mistake) -> PlainKind {
        if key.hasPrefix(PlainCondition.folded) {
            let kind = try kind(String(key.dropFirst(PlainCondition.folded.count)), start)
            switch kind.asList {
            case .text, .list(.text): return kind
            default: throw Mistake(codes: Self.misfits)
            }
        }
        guard key.hasPrefix(PlainCondition.count) else { return try path(key, start).kind }
        _ = try self.start(ofElementsIn: path(String(key.dropFirst(PlainCondition.count.count)), start).kind)
        return .integer(Int.min...Int.max)
    }

    private func holds(_ condition: PlainCondition, for subject: Subject) throws(Mistake) -> Bool {
        var start = subject.start
        if case .model(_, let isRow) = start, let model = subject.model { start = .model(model.schema, isRow: isRow) }
        let condition = spelledOut(condition, start)
        switch condition {
        case .compare(let key, let comparison, let operand):
            let found = value(key, of: subject)
            guard let operand else { return (found == nil) == (comparison == .equal) }
            guard let found else { return comparison == .different }
            let wanted = try converted(operand, to: kind(key, start))
            let order = found.compared(to: key.hasPrefix(PlainCondition.folded) ? wanted.folded : wanted) ?? 2
            return switch comparison {
            case .equal: order == 0
            case .different: order != 0
            case .less: order < 0
            case .atMost: order <= 0
            case .greater: order > 0
            case .atLeast: order >= 0
            }
        case .isIn(let key, let values):
            for value in values where try holds(.compare(key, .equal, value), for: subject) { return true }
            return false
        case .contains(let key, let operand):
            let operand = key.hasPrefix(PlainCondition.folded) ? operand.folded : operand
            switch value(key, of: subject) {
            case .text(let text):
                guard case .text(let part) = operand else { return false }
                return text.bytes(contain: part)
            case .list(let elements), .set(let elements):
                guard case .list(let kind) = try kind(key, start).asList else { return false }
                let operand = try converted(operand, to: kind)
                return elements.contains { $0.untilNull.compared(to: operand) == 0 }
            default: return false
            }
        case .hasPrefix(let key, let prefix):
            guard let text = value(key, of: subject)?.asText else { return false }
            if key.hasPrefix(PlainCondition.folded), let prefix = PlainValue.text(prefix).folded.asText {
                return text.utf8.starts(with: prefix.utf8)
            }
            return text.utf8.starts(with: prefix.utf8)
        case .elements(let key, let quantifier, let inner):
            var count = 0
            let elements = try elements(key, of: subject, kind(key, start))
            for element in elements where try meets(element, inner) { count += 1 }
            return switch quantifier {
            case .any: count > 0
            case .all: count == elements.count
            case .none: count == 0
            }
        case .and(let left, let right):
            let (left, right) = (try holds(left, for: subject), try holds(right, for: subject))
            return left && right
        case .or(let left, let right):
            let (left, right) = (try holds(left, for: subject), try holds(right, for: subject))
            return left || right
        case .not(let inner): return try !holds(inner, for: subject)
        }
    }

    /// Throws for a condition that is a mistake whatever the models are.
    private func check(_ condition: PlainCondition, _ start: Start) throws(Mistake) {
        switch spelledOut(condition, start) {
        case .compare(let key, _, let operand):
            let kind = try kind(key, start)
            if let operand { _ = try converted(operand, to: kind) }
        case .isIn(let key, let operands):
            let kind = try kind(key, start)
            for operand in operands { _ = try converted(operand, to: kind) }
        case .contains(let key, let operand):
            switch try kind(key, start).asList {
            case .list(let element): _ = try converted(operand, to: element)
            case .text: _ = try converted(operand, to: .text)
            default: throw Mistake(codes: Self.misfits)
            }
        case .hasPrefix(let key, _):
            switch try kind(key, start) {
            case .text, .url: break
            default: throw Mistake(codes: Self.misfits)
            }
        case .elements(let key, _, let inner):
            let kind = try kind(key, start)
            if [PlainCondition.count, PlainCondition.folded].contains(where: { key.hasPrefix($0) }) {
                throw Mistake(codes: Self.misfits)
            }
            try check(inner, self.start(ofElementsIn: kind))
        case .and(let left, let right), .or(let left, let right):
            try check(left, start)
            try check(right, start)
        case .not(let inner): try check(inner, start)
        }
    }

    /// A value as the kind of the property has it.
    private func converted(_ value: PlainValue, to kind: PlainKind) throws(Mistake) -> PlainValue {
        switch (kind, value) {
        case (.bool, .bool), (.double, .double), (.text, .text), (.date, .date), (.url, .url), (.uuid, .uuid),
            (.cases(nil), .text), (.unsigned, .unsigned), (.decimal, .decimal):
            return value
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, .unsigned(let number)): return .decimal(Decimal(number))
        case (.decimal, .double(let number)): return .decimal(Decimal(number))
        case (.unsigned, .integer(let number)):
            guard let number = UInt(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .unsigned(number)
        case (.unsigned, .double(let number)):
            guard let number = UInt(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .unsigned(number)
        case (.cases(let cases?), .text(let text)):
            guard cases.contains(text) else { throw Mistake(codes: [.unknownCase]) }
            return value
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else { throw Mistake(codes: Self.misfits) }
            return value
        case (.integer, .double(let number)):
            guard let number = Int(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return try converted(.integer(number), to: kind)
        case (.double, .integer(let number)):
            guard let number = Double(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .double(number)
        default: throw Mistake(codes: Self.misfits)
        }
    }
}

extension PlainKind {
    var hasOrder: Bool {
        switch self {
        case .bool, .integer, .unsigned, .double, .decimal, .text, .date, .url, .uuid, .cases: true
        case .list, .set, .table, .model, .reference: false
        }
    }

    fileprivate var asList: PlainKind {
        if case .set(let element) = self { .list(element) } else { self }
    }
}

extension PlainValue {
    /// The elements of a collection, with their keys in a dictionary.
    fileprivate var entries: [(key: String?, value: PlainValue)] {
        switch self {
        case .list(let values), .set(let values): values.map { (nil, $0) }
        case .table(let values): values.map { ($0, .integer($1)) }
        default: []
        }
    }

    fileprivate var asText: String? {
        switch self {
        case .text(let text), .url(let text): text
        default: nil
        }
    }

    /// Texts without the difference of case, by what Swift knows of capital and small letters.
    var folded: PlainValue {
        func single(_ text: String) -> Unicode.Scalar? {
            text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
        }
        func fold(_ scalar: Unicode.Scalar) -> String {
            guard scalar.properties.changesWhenCaseFolded else { return String(scalar) }
            let upper = single(scalar.properties.uppercaseMapping) ?? scalar
            return String(single(upper.properties.lowercaseMapping) ?? scalar)
        }
        return switch self {
        case .text(let text): .text(text.unicodeScalars.map(fold).joined())
        case .list(let values): .list(values.map(\.folded))
        case .set(let values): .set(values.map(\.folded))
        default: self
        }
    }

    /// What SQLite reads of a text in a document: all up to a null character.
    fileprivate var untilNull: PlainValue {
        guard case .text(let text) = self else { return self }
        return .text(String(text.unicodeScalars.prefix { $0 != "\0" }.map(Character.init)))
    }
}

extension String {
    /// Whether the bytes of another text are among those of this one, next to each other.
    fileprivate func bytes(contain part: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        return wanted.count <= bytes.count
            && (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
