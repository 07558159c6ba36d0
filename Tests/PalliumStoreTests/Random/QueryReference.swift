import Foundation
import Pallium

/// What the article says about queries, tested on every model in turn.
struct QueryReference {
    /// A condition that cannot be tested, with the codes that say so.
    struct Mistake: Error {
        let codes: Set<ModelError.Code>
    }

    /// The codes for a value that a property cannot have, or whose kind has no order. The article does not tell them apart.
    static let misfits: Set<ModelError.Code> = [.typeMismatch, .notConvertible, .numberOutOfRange]

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
}
