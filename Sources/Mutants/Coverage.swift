import Foundation

/// Which suites reach which mutants, and how long each takes.
struct Coverage {
    private(set) var reached: [String: Set<Int>] = [:]
    private(set) var seconds: [String: Double] = [:]

    /// Runs each suite by itself with no mutant awake.
    init(_ run: TestRun, log: (String) -> Void) throws {
        let file = run.directory.appending(path: "reached")
        for suite in try run.suites() {
            try Data(count: 65536).write(to: file)
            let start = ContinuousClock.now
            let environment = ["PALLIUM_MUTANTS_REACHED": file.path]
            var result = try run.test([suite], environment: environment, timeout: 600)
            if result.verdict != .passed { result = try run.test([suite], environment: environment, timeout: 600) }
            guard result.verdict == .passed else {
                log("\(suite) \(result.verdict.rawValue) with no mutant awake and is left out:")
                log(String(result.output.suffix(2000)))
                continue
            }
            seconds[suite] = Double((ContinuousClock.now - start) / .seconds(1))
            reached[suite] = Set(try Data(contentsOf: file).enumerated().filter { $0.element != 0 }.map(\.offset))
        }
        log("\(seconds.count) suites, one after another \(Int(seconds.values.reduce(0, +))) s")
    }

    /// The suites that reach a mutant, fast ones and those that are about little else first, in runs that grow: most
    /// mutants fall in the first one.
    func runs(for mutant: Int) -> [[String]] {
        func cost(_ suite: String) -> Double { Double(reached[suite]?.count ?? 0) * (seconds[suite] ?? 0) }
        var suites = reached.filter { $0.value.contains(mutant) }.keys.sorted { cost($0) < cost($1) }
        var runs: [[String]] = []
        var size = 6
        while !suites.isEmpty {
            runs.append(Array(suites.prefix(size)))
            suites.removeFirst(min(size, suites.count))
            size *= 4
        }
        return runs
    }

    /// Three times what the suites take by themselves, and ten seconds.
    func timeout(_ suites: [String]) -> Double { suites.reduce(10) { $0 + 3 * (seconds[$1] ?? 0) } }
}
