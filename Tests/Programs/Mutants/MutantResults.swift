import Foundation
import Synchronization

/// What became of each mutant.
final class MutantResults: Sendable {
    private struct State {
        var verdicts: [Int: TestRun.Verdict] = [:]
        var problems: [String] = []
    }

    private let state = Mutex(State())
    private let count: Int
    private let mutations: [Int: Mutation]
    private let sources: [String: SourceText]
    private let start = ContinuousClock.now

    /// - Parameter count: how many will be tried.
    init(count: Int, of mutations: [Int: Mutation], in sources: [String: SourceText]) {
        self.count = count
        self.mutations = mutations
        self.sources = sources
    }

    /// Notes how it ended.
    func record(_ verdict: Result<TestRun.Verdict, any Error>, of mutant: Int) {
        state.withLock { state in
            switch verdict {
            case .success(let verdict): state.verdicts[mutant] = verdict
            case .failure(let error): state.problems.append("\(mutant): \(error)")
            }
            let survivors = state.verdicts.values.count { $0 == .passed }
            let tried = "\(state.verdicts.count) of \(count) tried, \(survivors) survive"
            say("\(mutant) \(state.verdicts[mutant]?.rawValue ?? "?") (\(tried))")
            if state.verdicts[mutant] == .passed, let mutation = mutations[mutant], let source = sources[mutation.path]
            {
                say("survivor \(mutant): \(mutation.operator.rawValue) at \(mutation.path):\(mutation.line)")
                say(mutation.difference(in: source))
            }
        }
    }

    private var survivors: [Int] { state.withLock { $0.verdicts.filter { $0.value == .passed }.keys.sorted() } }

    /// Whether nine of ten were killed and every one was tried.
    var isEnough: Bool { state.withLock { $0.problems.isEmpty } && survivors.count * 10 <= count }

    /// How many were killed, of each kind and in all.
    var report: String {
        var lines: [String] = []
        let (verdicts, problems) = state.withLock { ($0.verdicts, $0.problems) }
        lines += problems
        lines.append("")
        for kind in MutationOperator.allCases {
            let own = verdicts.filter { mutations[$0.key]?.operator == kind }
            let killed = own.values.count { $0 != .passed }
            if !own.isEmpty { lines.append("\(kind.rawValue): \(killed) of \(own.count) killed") }
        }
        func count(_ verdict: TestRun.Verdict) -> Int { verdicts.values.count { $0 == verdict } }
        let killed = verdicts.count - survivors.count
        lines.append(
            "\(killed) of \(verdicts.count) killed: \(count(.failed)) by a failed test, \(count(.crashed)) by a crash, "
                + "\(count(.timedOut)) by time; \(survivors.count) survive; "
                + "\(Int((ContinuousClock.now - start) / .seconds(60))) min")
        return lines.joined(separator: "\n")
    }
}
