import Foundation
import Synchronization
package import Testing

/// The seeds of a test with random rounds, one for each round.
///
/// A test declares as many rounds as take a moment, and has the trait ``Testing/Trait/trials``:
///
///     @Test(.trials) func everyNumberComesBack() {
///         for seed in Trials(100) {
///             var random = SeededGenerator(seed: seed)
///             …
///         }
///     }
///
/// `PALLIUM_TRIALS` multiplies the rounds of every such test; `.ci/run trials` runs fifty times as many. `PALLIUM_SEED` is
/// the first seed, zero otherwise. All that is random in a round follows from its seed, and an issue names it: a run that
/// begins with that seed fails in its first round.
package struct Trials: Sequence, Sendable {
    private static let factor = Swift.max(1, number("PALLIUM_TRIALS") ?? 1)
    private static let first = number("PALLIUM_SEED") ?? 0

    package let seeds: Swift.Range<Int>

    /// - Parameter limit: The number of cases, if each round takes another one of them.
    package init(_ rounds: Int, atMost limit: Int = .max) {
        seeds = Self.first..<Self.first + Swift.min(rounds * Self.factor, limit)
    }

    package var count: Int { seeds.count }

    package func makeIterator() -> Iterator {
        if TrialRound.current == nil {
            Issue.record("Random rounds need the trait `.trials`, which names their seeds.")
        }
        return Iterator(seeds: seeds.makeIterator(), round: TrialRound.current)
    }

    package struct Iterator: IteratorProtocol {
        fileprivate var seeds: Swift.Range<Int>.Iterator
        fileprivate let round: TrialRound?

        package mutating func next() -> Int? {
            let seed = seeds.next()
            round?.seed.withLock { $0 = seed }
            return seed
        }
    }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
}

/// The round that a test is in.
private final class TrialRound: Sendable {
    @TaskLocal static var current: TrialRound?

    let seed = Mutex<Int?>(nil)

    var isInside: Bool { seed.withLock { $0 != nil } }

    func naming(_ issue: Issue) -> Issue {
        guard let seed = seed.withLock({ $0 }) else { return issue }
        var issue = issue
        issue.comments.append("in the round of seed \(seed), which `PALLIUM_SEED=\(seed)` runs first")
        return issue
    }
}

/// Adds the seed of the round to the issues of a test.
package struct TrialsTrait: TestTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let round = TrialRound()
        let trait = IssueHandlingTrait.compactMapIssues { round.naming($0) }
        try await TrialRound.$current.withValue(round) {
            try await trait.provideScope(for: test, testCase: testCase) {
                do {
                    try await function()
                } catch let error where round.isInside && !(error is ExpectationFailedError) {
                    // Outside, nothing would name the seed.
                    Issue.record(error)
                }
            }
        }
    }
}

extension Trait where Self == TrialsTrait {
    /// The test has random rounds, whose seeds are those of ``Trials``.
    package static var trials: Self { Self() }
}
