import Foundation
import Synchronization

/// Which suites reach which mutants, and how long each takes.
struct Coverage {
    private struct Suite {
        var seconds: Double
        var reached: Set<Int>
    }

    private let suites: [String: Suite]

    /// Runs each suite by itself with no mutant awake. One that fails even so is left out.
    init(_ run: TestRun, jobs: Int) throws {
        let found = Mutex<[String: Suite]>([:])
        concurrently(try run.suites(), jobs: jobs) { name in
            for _ in 0..<2 {
                do {
                    let suite = try Self.measure(name, run)
                    return found.withLock { $0[name] = suite }
                } catch { say("\(error)") }
            }
        }
        suites = found.withLock { $0 }
    }

    private static func measure(_ name: String, _ run: TestRun) throws -> Suite {
        let file = run.directory.appending(path: name)
        try Data(count: 65536).write(to: file)
        let start = ContinuousClock.now
        let result = try run.test([name], environment: ["PALLIUM_MUTANTS_REACHED": file.path], timeout: 600)
        guard result.verdict == .passed else {
            throw MutatedPackage.Failure(
                description: "\(name) \(result.verdict.rawValue) with no mutant awake:\n\(result.output.suffix(2000))")
        }
        return Suite(
            seconds: Double((ContinuousClock.now - start) / .seconds(1)),
            reached: Set(try Data(contentsOf: file).enumerated().filter { $0.element != 0 }.map(\.offset)))
    }

    var summary: String {
        "\(suites.count) suites, one after another \(Int(suites.values.reduce(0) { $0 + $1.seconds })) s"
    }

    /// Tries a mutant on the suites that reach it, narrow and fast ones first, in runs that grow: most mutants fall in the
    /// first one.
    func verdict(on mutant: Int, _ run: TestRun) throws -> TestRun.Verdict {
        func cost(_ suite: Suite) -> Double { Double(suite.reached.count) * suite.seconds }
        var waiting = suites.filter { $0.value.reached.contains(mutant) }.sorted { cost($0.value) < cost($1.value) }[
            ...]
        var size = 6
        while !waiting.isEmpty {
            let next = waiting.prefix(size)
            // Three times what the suites take by themselves, and ten seconds.
            let verdict = try run.test(
                next.map(\.key), environment: ["PALLIUM_MUTANT": "\(mutant)"],
                timeout: next.reduce(10) { $0 + 3 * $1.value.seconds }
            ).verdict
            if verdict != .passed { return verdict }
            waiting = waiting.dropFirst(size)
            size *= 4
        }
        return .passed
    }
}
