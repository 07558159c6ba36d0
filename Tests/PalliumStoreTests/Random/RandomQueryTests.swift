import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Queries about models of all kinds find what a reference in plain Swift finds, with indexes and without.
struct RandomQueryTests {
    /// The smallest models and query that show a difference.
    private static func shrunk(_ models: [PlainModel], _ query: PlainQuery, isIndexed: Bool) throws -> String {
        var (models, query) = (models, query)
        func differs(_ models: [PlainModel], _ query: PlainQuery) -> String? {
            (try? QueryTrial(models, isIndexed: isIndexed))?.difference(query)
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
            let trials = try [true, false].map { (isIndexed: $0, trial: try QueryTrial(models, isIndexed: $0)) }
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
        _ difference: (QueryTrial, PlainQuery, inout RandomRows) throws -> String?
    ) throws {
        for seed in Trials(1) {
            var rows = RandomRows(seed: seed)
            let models = rows.models(30)
            let trials = try [true, false].map { try QueryTrial(models, isIndexed: $0) }
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

    @Test(.trials) func sumsOfFloatingPointNumbersAreThoseOfTheReference() throws {
        try check { trial, query, rows in
            guard query.schema != "Team", let key = rows.columns(query.schema).first else { return nil }
            let measured = rows.numbers.pick(["score", "place.height", "parent.score"])
            return try trial.differenceOfRealSums(query, by: key, of: measured)
        }
    }

    @Test(.trials) func mistakesAreTheSameWithIndexesAndWithout() throws {
        try compare(models: 8) { $0.doubtfulQuery() }
    }
}
