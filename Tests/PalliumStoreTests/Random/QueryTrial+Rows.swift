import Foundation
import Pallium

@testable import PalliumStore

// Rows of values and of groups.
extension QueryTrial {
    /// How rows with some values differ from what the reference has; nil if they do not.
    func differenceOfRows(_ plain: PlainQuery, _ keys: [String]) throws -> String? {
        let columns = keys.map { QueryColumn.value(PlainCondition.key($0)) }
        let expected = try reference.fetch(plain).map { row in
            try keys.map { try json(reference.value($0, of: reference.rows[row])) }
        }
        let found = try store.rows(of: plain.query(registry), only: columns)
        return Self.sorted(found) == Self.sorted(expected) ? nil : "rows \(found), not \(expected)"
    }

    /// How groups differ from those of the reference; nil if they do not.
    func differenceOfGroups(_ plain: PlainQuery, _ keys: [String], of measured: String) throws -> String? {
        var all = plain
        (all.limit, all.offset, all.order) = (nil, 0, [])
        var groups: [[JSONValue]: [PlainValue?]] = [:]
        if keys.isEmpty { groups[[]] = [] }
        for row in try reference.fetch(all) {
            let model = reference.rows[row]
            let group = try keys.map { try json(reference.value($0, of: model)) }
            groups[group, default: []].append(reference.value(measured, of: model))
        }
        let expected = try groups.map { group, values in
            let sorted = values.compactMap(\.self).sorted { ($0.compared(to: $1) ?? 0) < 0 }
            return group + [.number(JSONNumber(values.count))]
                + (try [json(sorted.first), json(sorted.last)])
        }
        let key = PlainCondition.key(measured)
        let found = try store.rows(
            of: all.query(registry),
            only: keys.map { .value(PlainCondition.key($0)) } + [.count, .min(key), .max(key)])
        return Self.sorted(found) == Self.sorted(expected) ? nil : "groups \(found), not \(expected)"
    }

    /// How sums of integers differ from the exact ones; nil if they do not.
    func differenceOfSums(_ plain: PlainQuery, by key: String, of measured: String) throws -> String? {
        var all = plain
        (all.limit, all.offset, all.order) = (nil, 0, [])
        var sums: [JSONValue: Int128?] = [:]
        for row in try reference.fetch(all) {
            let model = reference.rows[row]
            let group = try json(reference.value(key, of: model))
            guard case .integer(let value)? = reference.value(measured, of: model) else {
                sums[group] = .some(sums[group] ?? nil)
                continue
            }
            sums[group] = .some(((sums[group] ?? nil) ?? 0) + Int128(value))
        }
        let isTooGreat = sums.values.contains { $0.map { Int(exactly: $0) == nil } == true }
        do {
            let found = try store.rows(
                of: all.query(registry),
                only: [.value(PlainCondition.key(key)), .sum(PlainCondition.key(measured))])
            let expected = sums.map { [$0, $1.flatMap { Int($0) }.map { .number(JSONNumber($0)) } ?? .null] }
            return !isTooGreat && Self.sorted(found) == Self.sorted(expected)
                ? nil : "sums \(found), not \(sums)"
        } catch let error as ModelError where error.code == .numberOutOfRange {
            return isTooGreat ? nil : "\(error), not \(sums)"
        }
    }

    /// How sums of floating-point numbers differ from those of the reference; nil if they do not. Nothing is said of the order
    /// in which numbers are added up, so that a sum may be too great only on the way.
    func differenceOfRealSums(_ plain: PlainQuery, by key: String, of measured: String) throws -> String? {
        var all = plain
        (all.limit, all.offset, all.order) = (nil, 0, [])
        // The sums of the positive numbers and of the negative ones, in a unit in which none is too great.
        let unit = 1024.0
        var groups: [[UInt8]: (up: Double, down: Double)?] = [:]
        func name(_ value: JSONValue) -> [UInt8] { Self.sorted([[value]]).flatMap(\.utf8) }
        for row in try reference.fetch(all) {
            let model = reference.rows[row]
            let group = try name(json(reference.value(key, of: model)))
            var sums = groups[group] ?? nil
            if case .double(let value)? = reference.value(measured, of: model) {
                let (up, down) = sums ?? (0, 0)
                sums = (up + max(value, 0) / unit, down + min(value, 0) / unit)
            }
            groups[group] = .some(sums)
        }
        let sums = groups.values.compactMap(\.self)
        let (limit, slack) = (Double.greatestFiniteMagnitude / unit, 1e-12)
        let mayFail = sums.contains { max($0.up, -$0.down) > limit * (1 - slack) }
        let mustFail = sums.contains { abs($0.up + $0.down) > limit * (1 + slack) }
        do {
            let found = try store.rows(
                of: all.query(registry),
                only: [.value(PlainCondition.key(key)), .sum(PlainCondition.key(measured))])
            let areRight = found.allSatisfy { row in
                guard let expected = groups[name(row[0])] else { return false }
                guard let expected, let sum = row[1].numberValue?.double else {
                    return expected == nil && row[1] == .null
                }
                let difference = abs(sum / unit - (expected.up + expected.down))
                return difference <= max(slack * (expected.up - expected.down), .leastNormalMagnitude)
            }
            return !mustFail && areRight && found.count == groups.count ? nil : "sums \(found), not \(groups)"
        } catch let error as ModelError where error.code == .numberOutOfRange {
            return mayFail ? nil : "\(error), not \(groups)"
        }
    }

    private static func sorted(_ rows: [[JSONValue]]) -> [String] {
        // Zeros of both signs are one number.
        rows.map { "\($0)".replacing("-0.0", with: "0").replacing("-0,", with: "0,").replacing("-0]", with: "0]") }
            .sorted()
    }

    /// A value as JSON, by an adapter.
    private func json(_ value: PlainValue?) throws -> JSONValue {
        switch value {
        case nil: return .null
        case .bool(let value)?: return .bool(value)
        case .integer(let value)?: return .number(JSONNumber(value))
        case .unsigned(let value)?: return .number(JSONNumber(value))
        case .text(let value)?, .url(let value)?: return .string(value)
        case .uuid(let value)?: return .string(value.uuidString)
        case .decimal(let value)?: return JSONNumber(text: "\(value)").map { .number($0) } ?? .null
        default:
            let key = if case .double? = value { "score" } else { "when" }
            let model = DynamicModel(schema: try registry.schema(named: "Item"), registry: registry)
            try model.setValue(value?.property, forKey: key)
            var options = JSONAdapterOptions()
            options.writesIncompleteModels = true
            return try JSONAdapter(schema: model.schema, registry: registry, options: options)
                .jsonValue(from: model)[key] ?? .null
        }
    }
}
