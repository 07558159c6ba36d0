import Pallium

// What keys lead to.
extension QueryReference {
    /// The beginning of keys.
    enum Start {
        /// A model, and whether it is a row.
        case model(String, isRow: Bool)
        /// An element that is no model, and whether it has a key.
        case value(PlainKind, hasKey: Bool)
    }

    /// The subject of a condition.
    struct Subject {
        let start: Start
        /// Nil for an element whose row does not exist.
        var model: PlainModel?
        var value: PlainValue?
        var key: String?
    }

    struct Path {
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

    func path(_ key: String, _ start: Start) throws(Mistake) -> Path {
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

    func path(
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
    func value(_ key: String, of subject: Subject) -> PlainValue? {
        if key.hasPrefix(PlainCondition.folded) {
            return value(String(key.dropFirst(PlainCondition.folded.count)), of: subject, isFolded: true)?.folded
        }
        return value(key, of: subject, isFolded: false)
    }

    func value(_ key: String, of subject: Subject, isFolded: Bool) -> PlainValue? {
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
}
