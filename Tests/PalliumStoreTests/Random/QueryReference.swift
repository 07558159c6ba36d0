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
        if let condition = query.condition { try check(condition, query.schema) }
        for (key, _) in query.order {
            let path = try path(key, query.schema)
            guard path.kind.hasOrder else { throw Mistake(codes: Self.misfits) }
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

    private func path(_ key: String, _ name: String) throws(Mistake) -> Path {
        var (name, steps, isInRow) = (name, Self.steps(key)[...], true)
        let all = Array(steps)
        while let step = steps.popFirst() {
            guard let kind = schemas.kind(step, of: name) else { throw Mistake(codes: [.unknownKey]) }
            let isInDocument = !(isInRow && schemas.hasColumn(step, of: name))
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

    /// The value at the end of a key path, as SQLite reads it.
    private func value(_ key: String, of holder: PlainModel?) -> PlainValue? {
        guard var model = holder, let path = try? path(key, model.schema) else { return nil }
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

    // MARK: Conditions

    private func holds(_ condition: PlainCondition, for model: PlainModel) throws(Mistake) -> Bool {
        switch condition {
        case .compare(let key, let comparison, let operand):
            let found = value(key, of: model)
            guard let operand else { return (found == nil) == (comparison == .equal) }
            guard let found else { return comparison == .different }
            let kind = try path(key, model.schema).kind
            let order = try found.compared(to: converted(operand, to: kind)) ?? 2
            return switch comparison {
            case .equal: order == 0
            case .different: order != 0
            case .less: order < 0
            case .atMost: order <= 0
            case .greater: order > 0
            case .atLeast: order >= 0
            }
        case .isIn(let key, let values):
            for value in values where try holds(.compare(key, .equal, value), for: model) { return true }
            return false
        case .contains(let key, let operand):
            switch value(key, of: model) {
            case .text(let text):
                guard case .text(let part) = operand else { return false }
                return text.bytes(contain: part)
            case .list(let elements), .set(let elements):
                guard case .list(let kind) = try path(key, model.schema).kind.asList else { return false }
                let operand = try converted(operand, to: kind)
                return elements.contains { $0.untilNull.compared(to: operand) == 0 }
            default: return false
            }
        case .hasPrefix(let key, let prefix):
            guard let text = value(key, of: model)?.asText else { return false }
            return text.utf8.starts(with: prefix.utf8)
        case .and(let left, let right):
            let (left, right) = (try holds(left, for: model), try holds(right, for: model))
            return left && right
        case .or(let left, let right):
            let (left, right) = (try holds(left, for: model), try holds(right, for: model))
            return left || right
        case .not(let inner): return try !holds(inner, for: model)
        }
    }

    /// Throws for a condition that is a mistake whatever the models are.
    private func check(_ condition: PlainCondition, _ schema: String) throws(Mistake) {
        switch condition {
        case .compare(let key, _, let operand):
            let kind = try path(key, schema).kind
            if let operand { _ = try converted(operand, to: kind) }
        case .isIn(let key, let operands):
            let kind = try path(key, schema).kind
            for operand in operands { _ = try converted(operand, to: kind) }
        case .contains(let key, let operand):
            switch try path(key, schema).kind.asList {
            case .list(let element): _ = try converted(operand, to: element)
            case .text: _ = try converted(operand, to: .text)
            default: throw Mistake(codes: Self.misfits)
            }
        case .hasPrefix(let key, _):
            switch try path(key, schema).kind {
            case .text, .url: break
            default: throw Mistake(codes: Self.misfits)
            }
        case .and(let left, let right), .or(let left, let right):
            try check(left, schema)
            try check(right, schema)
        case .not(let inner): try check(inner, schema)
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
    fileprivate var asText: String? {
        switch self {
        case .text(let text), .url(let text): text
        default: nil
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
