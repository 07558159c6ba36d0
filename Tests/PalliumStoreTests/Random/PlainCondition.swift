import Foundation
import Pallium

@testable import PalliumStore

/// A condition that the reference can test, and the store's for it.
indirect enum PlainCondition {
    enum Comparison: String, CaseIterable { case equal, different, less, atMost, greater, atLeast }

    /// Of which nil is allowed for `equal` and `different` only.
    case compare(String, Comparison, PlainValue?)
    case isIn(String, [PlainValue])
    case contains(String, PlainValue)
    case hasPrefix(String, String)
    case and(PlainCondition, PlainCondition)
    case or(PlainCondition, PlainCondition)
    case not(PlainCondition)

    var condition: Condition {
        switch self {
        case .compare(let key, let comparison, let value):
            guard let value = value?.property else { return comparison == .equal ? Key(key) == nil : Key(key) != nil }
            return switch comparison {
            case .equal: Key(key) == value
            case .different: Key(key) != value
            case .less: Key(key) < value
            case .atMost: Key(key) <= value
            case .greater: Key(key) > value
            case .atLeast: Key(key) >= value
            }
        case .isIn(let key, let values): return Key(key).isIn(values.compactMap(\.property))
        case .contains(let key, let value): return value.property.map { Key(key).contains($0) } ?? (Key(key) == nil)
        case .hasPrefix(let key, let text): return Key(key).hasPrefix(text)
        case .and(let left, let right): return left.condition && right.condition
        case .or(let left, let right): return left.condition || right.condition
        case .not(let inner): return !inner.condition
        }
    }

    /// Conditions that are simpler, for the smallest one that shows a difference.
    var parts: [PlainCondition] {
        switch self {
        case .and(let left, let right):
            [left, right] + left.parts.map { .and($0, right) } + right.parts.map { .and(left, $0) }
        case .or(let left, let right):
            [left, right] + left.parts.map { .or($0, right) } + right.parts.map { .or(left, $0) }
        case .not(let inner): [inner] + inner.parts.map { .not($0) }
        case .isIn(let key, let values):
            values.indices.map { index in
                var fewer = values
                fewer.remove(at: index)
                return .isIn(key, fewer)
            }
        default: []
        }
    }
}

extension PlainCondition: CustomStringConvertible {
    var description: String {
        switch self {
        case .compare(let key, let comparison, let value): "\(key) \(comparison) \(value?.picture ?? "nil")"
        case .isIn(let key, let values): "\(key) in [\(values.map(\.picture).joined(separator: ", "))]"
        case .contains(let key, let value): "\(key) contains \(value.picture)"
        case .hasPrefix(let key, let text): "\(key) begins with \(PlainValue.text(text).picture)"
        case .and(let left, let right): "(\(left) && \(right))"
        case .or(let left, let right): "(\(left) || \(right))"
        case .not(let inner): "!\(inner)"
        }
    }
}

/// A query in the words of the reference.
struct PlainQuery: CustomStringConvertible {
    var schema: String
    var condition: PlainCondition?
    var order: [(key: String, isDescending: Bool)] = []
    var limit: Int?
    var offset = 0

    func query(_ registry: SchemaRegistry) throws -> ModelQuery<DynamicModel> {
        ModelQuery(
            schema: try registry.schema(named: schema), where: condition?.condition,
            order: order.map { $0.isDescending ? .descending(Key($0.key)) : .ascending(Key($0.key)) },
            limit: limit, offset: offset)
    }

    var description: String {
        let keys = order.map { ($0.isDescending ? "-" : "") + $0.key }
        return
            "\(schema) where \(condition.map { "\($0)" } ?? "true") order \(keys) limit \(limit ?? -1) offset \(offset)"
    }

    /// Queries that ask for less.
    var parts: [PlainQuery] {
        func with(_ change: (inout PlainQuery) -> Void) -> PlainQuery {
            var query = self
            change(&query)
            return query
        }
        return (condition == nil ? [] : [with { $0.condition = nil }])
            + (condition?.parts ?? []).map { part in with { $0.condition = part } }
            + order.indices.map { index in with { $0.order.remove(at: index) } }
            + (limit == nil ? [] : [with { $0.limit = nil }]) + (offset == 0 ? [] : [with { $0.offset = 0 }])
    }
}
