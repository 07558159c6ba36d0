import Pallium

// Conditions on the elements of collections.
extension QueryReference {
    /// The beginning of the keys of a condition on the elements of a kind.
    func start(ofElementsIn kind: PlainKind) throws(Mistake) -> Start {
        switch kind {
        case .list(.model(let schema)), .set(.model(let schema)): return .model(schema, isRow: false)
        case .list(.reference(let schema)), .set(.reference(let schema)): return .model(schema, isRow: true)
        case .list(let element), .set(let element): return .value(element, hasKey: false)
        case .table: return .value(.integer(Int.min...Int.max), hasKey: true)
        default: throw Mistake(codes: Self.misfits)
        }
    }

    /// A path that leads through a collection means that any of its elements meets the condition.
    func spelledOut(_ condition: PlainCondition, _ start: Start) -> PlainCondition {
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

    func elements(_ key: String, of subject: Subject, _ kind: PlainKind) throws(Mistake) -> [Subject] {
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
    func meets(_ element: Subject, _ condition: PlainCondition) throws(Mistake) -> Bool {
        guard element.model != nil || element.value != nil else { return false }
        return try holds(condition, for: element)
    }
}
