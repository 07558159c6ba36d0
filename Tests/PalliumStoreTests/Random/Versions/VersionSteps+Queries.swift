import Pallium
import TestSupport

/// Queries with the keys of a program, and edits of the objects of a session.
extension VersionSteps {
    mutating func deletion(_ program: Int) -> PlainQuery {
        if numbers.once(in: 2) {
            let identity = identity()
            return PlainQuery(
                schema: identity.table,
                condition: .compare(family.identityKey(of: identity.table, program), .equal, identity.parts[0]))
        }
        return query(program)
    }

    mutating func query(_ program: Int) -> PlainQuery {
        let schema = numbers.pick(["Item", "Item", "Item", "Task", "User"])
        var query = PlainQuery(schema: schema)
        if numbers.below(6) > 0 { query.condition = condition(schema, program, depth: 2) }
        for _ in 0..<numbers.below(3) {
            let key = numbers.pick(keys(schema, program)).key
            if !query.order.contains(where: { $0.key == key }) { query.order.append((key, numbers.once(in: 2))) }
        }
        // The article says nothing of the order of equal ones, so that there are none.
        if !query.order.isEmpty || numbers.once(in: 2) {
            let id = family.identityKey(of: schema, program)
            if !query.order.contains(where: { $0.key == id }) { query.order.append((id, numbers.once(in: 2))) }
            if numbers.once(in: 3) { query.limit = numbers.below(4) }
            if numbers.once(in: 4) { query.offset = numbers.below(3) }
        }
        return query
    }

    /// The key paths that a query may have, and whether they lead to numbers.
    private func keys(_ schema: String, _ program: Int) -> [(key: String, isNumber: Bool)] {
        var keys = [(key: family.identityKey(of: schema, program), isNumber: true)]
        for field in family.fields(schema) {
            guard let key = field.keys[program] else { continue }
            let inner: String
            switch field.kind {
            case .integer, .text:
                if case .integer = field.kind { keys.append((key, true)) } else { keys.append((key, false)) }
                continue
            case .place: inner = "Place"
            case .reference(let name): inner = name
            case .references: continue
            }
            for field in family.fields(inner) where field.isScalar {
                guard let last = field.keys[program] else { continue }
                if case .integer = field.kind {
                    keys.append(("\(key).\(last)", true))
                } else {
                    keys.append(("\(key).\(last)", false))
                }
            }
        }
        return keys
    }

    private mutating func condition(_ schema: String, _ program: Int, depth: Int) -> PlainCondition {
        if depth > 0, numbers.once(in: 3) {
            let left = condition(schema, program, depth: depth - 1)
            switch numbers.below(3) {
            case 0: return .not(left)
            case 1: return .and(left, condition(schema, program, depth: depth - 1))
            default: return .or(left, condition(schema, program, depth: depth - 1))
            }
        }
        let fans = family.fields(schema).first { if case .references = $0.kind { true } else { false } }
        if numbers.once(in: 5), let key = fans?.keys[program] {
            let inner = condition("User", program, depth: 0)
            return .elements(key, numbers.pick(PlainCondition.Quantifier.allCases), inner)
        }
        let (key, isNumber) = numbers.pick(keys(schema, program))
        func value(_ numbers: inout SeededGenerator) -> PlainValue {
            isNumber ? .integer(numbers.pick([0, 1, 2, 3, 4, 20, 40])) : .text(numbers.pick(["", "a", "b", "é", "p"]))
        }
        switch numbers.below(8) {
        case 0..<2: return .compare(key, numbers.pick([.equal, .different]), nil)
        case 2: return .isIn(key, (0..<numbers.below(3)).map { _ in value(&numbers) })
        case 3 where !isNumber: return .hasPrefix(key, numbers.pick(["", "a", "é"]))
        default: return .compare(key, numbers.pick(PlainCondition.Comparison.allCases), value(&numbers))
        }
    }

    // MARK: Sessions

    mutating func session(_ program: Int, _ number: Int, _ reference: VersionReference) -> VersionStep {
        var objects: [VersionStep.Edited] = []
        for _ in 0...numbers.below(2) {
            let identity = identity()
            if objects.contains(where: { $0.identity == identity }) { continue }
            var edits: [(key: String, edit: VersionStep.Edit)] = []
            for field in family.fields(schema(identity)) where field.isScalar && numbers.once(in: 4) {
                guard let key = field.keys[program] else { continue }
                let value = VersionStep.Edit.value(scalar(field, isRoot: true))
                let others: [VersionStep.Edit] =
                    field.isRequired ? [] : field.fallback == nil ? [.null, .unset] : [.unset]
                edits.append((key, numbers.below(3) > 0 ? value : numbers.pick(others + [value])))
            }
            objects.append(VersionStep.Edited(identity: identity, edits: edits))
        }
        let other = process(number)
        return .session(
            objects, other: other, step(other / 2, number, reference, depth: 0),
            numbers.pick(VersionStep.End.allCases))
    }
}
