import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Queries about models of all kinds find what a reference in plain Swift finds, with indexes and without.
struct RandomQueryTests {
    /// A store, the reference for it, and where they differ.
    private struct Trial {
        let registry = SchemaRegistry()
        let store: ModelStore
        let reference: QueryReference

        init(_ models: [PlainModel], isIndexed: Bool) throws {
            let schemas = RandomRows.schemas(isIndexed: isIndexed)
            let plain = PlainSchemas(schemas)
            try registry.register(schemas)
            store = try ModelStore(at: nil, registry: registry)
            reference = QueryReference(plain, models)
            try store.save(models.map { [registry] in try $0.model(plain, registry) })
        }

        /// How the store differs from the reference; nil if they agree.
        func difference(_ plain: PlainQuery) -> String? {
            let (fetched, counted) = (outcome { try found(plain) }, outcome { try store.count(plain.query(registry)) })
            do {
                let expected = try reference.fetch(plain)
                let isSame =
                    try fetched.value.map { value throws(QueryReference.Mistake) in
                        try reference.agree(value, expected, plain)
                    } == true && counted.value == expected.count
                return isSame ? nil : "found \(fetched), counted \(counted), not \(expected)"
            } catch {
                let (code, other) = (fetched.code, counted.code)
                let isSame = code.map { error.codes.contains($0) } == true && (code == other || plain.condition == nil)
                return isSame ? nil : "found \(fetched), counted \(counted), not \(error.codes)"
            }
        }

        /// Returns nil for a mistake that the reference finds.
        func withoutMistakes<Result>(_ body: () throws -> Result?) throws -> Result? {
            do { return try body() } catch is QueryReference.Mistake { return nil }
        }

        /// How the pages of a result differ from the whole; nil if they do not.
        func differenceOfPages(_ plain: PlainQuery) throws -> String? {
            var all = plain
            (all.limit, all.offset) = (nil, 0)
            // The order of equal rows is fixed where there is any order.
            if all.order.isEmpty { all.limit = .max }
            let expected = try found(all)
            all.limit = max(plain.limit ?? 3, 1)
            var (pages, last): ([PlainIdentity], DynamicModel?) = ([], nil)
            repeat {
                let query =
                    try last == nil
                    ? ModelQuery(
                        schema: registry.schema(named: all.schema), where: all.condition?.condition,
                        order: all.query(registry).order, limit: all.limit, including: .depth(16))
                    : all.query(registry, after: last)
                let page = try store.fetch(query)
                pages += try page.map { try PlainIdentity($0, reference.schemas) }
                last = page.last
            } while last != nil && pages.count <= expected.count
            return pages == expected ? nil : "pages of \(all.limit ?? 0) have \(pages), not \(expected)"
        }

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

        private func found(_ plain: PlainQuery) throws -> [PlainIdentity] {
            try store.fetch(plain.query(registry)).map { try PlainIdentity($0, reference.schemas) }
        }

        private func outcome<Value>(_ body: () throws -> Value) -> Outcome<Value> {
            do { return .success(try body()) } catch { return .failure(error) }
        }
    }

    /// What a call returned or threw.
    private enum Outcome<Value> {
        case success(Value), failure(any Error)

        var value: Value? { if case .success(let value) = self { value } else { nil } }
        var code: ModelError.Code? { if case .failure(let error as ModelError) = self { error.code } else { nil } }
    }

    /// The smallest models and query that show a difference.
    private static func shrunk(_ models: [PlainModel], _ query: PlainQuery, isIndexed: Bool) throws -> String {
        var (models, query) = (models, query)
        func differs(_ models: [PlainModel], _ query: PlainQuery) -> String? {
            (try? Trial(models, isIndexed: isIndexed))?.difference(query)
        }
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for part in query.parts where differs(models, part) != nil {
                (query, isSmaller) = (part, true)
                break
            }
            for index in models.indices.reversed() {
                var fewer = models
                fewer.remove(at: index)
                if differs(fewer, query) != nil { (models, isSmaller) = (fewer, true) }
            }
        }
        for index in models.indices {
            for key in models[index].values.keys.sorted() where !["id", "name", "part"].contains(key) {
                var fewer = models
                fewer[index].values[key] = nil
                // A stub is another thing.
                if fewer[index].schema == "Team", fewer[index].isStub(2) { continue }
                if differs(fewer, query) != nil { models = fewer }
            }
        }
        return "\(isIndexed ? "indexed" : "without index"): \(query): \(differs(models, query) ?? "?") of\n"
            + models.map(\.picture).joined(separator: "\n")
    }

    /// Asks stores of random models for what a reference finds.
    private func compare(models count: Int, _ query: (inout RandomRows) -> PlainQuery) throws {
        for seed in Trials(1) {
            var rows = RandomRows(seed: seed)
            let models = rows.models(count)
            let trials = try [true, false].map { (isIndexed: $0, trial: try Trial(models, isIndexed: $0)) }
            for _ in 0..<12 {
                let query = query(&rows)
                for (isIndexed, trial) in trials where trial.difference(query) != nil {
                    Issue.record("\(try Self.shrunk(models, query, isIndexed: isIndexed))")
                    return
                }
            }
        }
    }

    @Test(.trials) func storesFindWhatTheReferenceFinds() throws { try compare(models: 30) { $0.query() } }

    /// Asks stores of random models, with indexes and without, and records the first difference of each seed.
    private func check(
        _ difference: (Trial, PlainQuery, inout RandomRows) throws -> String?
    ) throws {
        for seed in Trials(1) {
            var rows = RandomRows(seed: seed)
            let models = rows.models(30)
            let trials = try [true, false].map { try Trial(models, isIndexed: $0) }
            for _ in 0..<8 {
                let query = rows.query()
                // Rows that the order does not tell apart would make the cut another one.
                let state = rows
                for trial in trials {
                    rows = state
                    // Queries and columns that are mistakes are for another test.
                    guard (try? trial.reference.fetch(query)) != nil,
                        let difference = try trial.withoutMistakes({ try difference(trial, query, &rows) })
                    else { continue }
                    Issue.record("\(query): \(difference)")
                    return
                }
            }
        }
    }

    @Test(.trials) func pagesBehindOneAnotherAreTheWholeResult() throws {
        try check { trial, query, _ in try trial.differenceOfPages(query) }
    }

    @Test(.trials) func rowsHaveTheValuesOfTheReference() throws {
        try check { trial, query, rows in
            var query = query
            (query.limit, query.offset) = (nil, 0)
            let keys = rows.columns(query.schema)
            return keys.isEmpty ? nil : try trial.differenceOfRows(query, keys)
        }
    }

    @Test(.trials) func groupsAreThoseOfTheReference() throws {
        try check { trial, query, rows in
            guard let measured = rows.columns(query.schema).first else { return nil }
            return try trial.differenceOfGroups(query, rows.columns(query.schema), of: measured)
        }
    }

    @Test(.trials) func sumsOfGroupsAreExact() throws {
        try check { trial, query, rows in
            guard !["Team"].contains(query.schema), let key = rows.columns(query.schema).first else { return nil }
            let measured = rows.numbers.pick(["size", "small", "natural", "votes", "parent.size"])
            return try trial.differenceOfSums(query, by: key, of: measured)
        }
    }

    @Test(.trials) func mistakesAreTheSameWithIndexesAndWithout() throws {
        try compare(models: 8) { $0.doubtfulQuery() }
    }
}
