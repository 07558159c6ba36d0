import Foundation
import Pallium

@testable import PalliumStore

/// A condition that the reference can test, and the store's for it.
indirect enum PlainCondition {
    enum Comparison: String, CaseIterable { case equal, different, less, atMost, greater, atLeast }

    enum Quantifier: String, CaseIterable { case any, all, none }

    /// The element that a condition on elements tests, its key in a dictionary, and what stands before a key whose elements
    /// are counted.
    static let (element, elementKey, count) = ("$element", "$key", "$count ")
    /// Stands before the key of a text that is compared without the difference of case.
    static let folded = "$folded "

    static func key(_ text: String) -> Key {
        if text.hasPrefix(folded) { return key(String(text.dropFirst(folded.count))).caseInsensitive }
        if text == element { return .element }
        if text == elementKey { return .elementKey }
        return text.hasPrefix(count) ? Key(String(text.dropFirst(count.count))).count : Key(text)
    }

    /// Of which nil is allowed for `equal` and `different` only.
    case compare(String, Comparison, PlainValue?)
    case isIn(String, [PlainValue])
    case contains(String, PlainValue)
    case hasPrefix(String, String)
    case elements(String, Quantifier, PlainCondition)
    case and(PlainCondition, PlainCondition)
    case or(PlainCondition, PlainCondition)
    case not(PlainCondition)

    var condition: Condition {
        switch self {
        case .compare(let key, let comparison, let value):
            let key = Self.key(key)
            guard let value = value?.property else { return comparison == .equal ? key == nil : key != nil }
            return switch comparison {
            case .equal: key == value
            case .different: key != value
            case .less: key < value
            case .atMost: key <= value
            case .greater: key > value
            case .atLeast: key >= value
            }
        case .isIn(let key, let values): return Self.key(key).isIn(values.compactMap(\.property))
        case .contains(let key, let value):
            return value.property.map { Self.key(key).contains($0) } ?? (Self.key(key) == nil)
        case .hasPrefix(let key, let text): return Self.key(key).hasPrefix(text)
        case .elements(let key, .any, let condition): return Self.key(key).any(condition.condition)
        case .elements(let key, .all, let condition): return Self.key(key).all(condition.condition)
        case .elements(let key, .none, let condition): return Self.key(key).none(condition.condition)
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
        case .elements(let key, let quantifier, let inner): inner.parts.map { .elements(key, quantifier, $0) }
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
        case .elements(let key, let quantifier, let inner): "\(quantifier) of \(key) (\(inner))"
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

    func query(_ registry: SchemaRegistry, after last: DynamicModel? = nil) throws -> ModelQuery<DynamicModel> {
        ModelQuery(
            schema: try registry.schema(named: schema), where: condition?.condition,
            order: order.map { (key: PlainCondition.key($0.key), isDescending: $0.isDescending) }
                .map { $0.isDescending ? .descending($0.key) : .ascending($0.key) },
            limit: limit, offset: offset, after: last, including: last == nil ? .stubs : .depth(16))
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
