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

    @Test(.trials) func mistakesAreTheSameWithIndexesAndWithout() throws {
        try compare(models: 8) { $0.doubtfulQuery() }
    }
}
