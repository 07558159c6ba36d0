import Foundation

/// Chooses rows, proves that they count, times them and prints them.
struct Benchmark {
    private let arguments: Arguments
    private let context: BenchmarkContext

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        context = try BenchmarkContext(issueCount: arguments.issues ?? (arguments.quick ? 1000 : 10_000))
    }

    /// Whether every row counts.
    func run() throws -> Bool {
        let chosen = workloads().filter { workload in
            arguments.filter.map { workload.name.localizedCaseInsensitiveContains($0) } ?? true
        }
        guard !chosen.isEmpty else { throw Arguments.Mistake(description: "no row has such a name") }
        let rows = try measure(chosen)
        print(arguments.json ? try Report.json(rows) : Report.table(rows))
        return rows.allSatisfy(\.counts)
    }

    private func workloads() -> [Workload] {
        decodingWorkloads(context) + encodingWorkloads(context) + modelOperationWorkloads(context)
            + accessorWorkloads(context)
    }

    /// Rows that are measured in processes of their own come first, while this one is small.
    private func measure(_ workloads: [Workload]) throws -> [ReportRow] {
        var rows: [Int: ReportRow] = [:]
        var timed: [(index: Int, counts: Bool, pair: (ours: TimedWork, baseline: TimedWork))] = []
        for (index, workload) in workloads.enumerated() {
            switch try workload.prepare() {
            case .skipped(let reason): note("\(workload.name): skipped, \(reason)")
            case .measured(let ours, let baseline, let configuration, let digestEqual):
                rows[index] = ReportRow(
                    name: workload.name, unit: workload.unit, goal: workload.goal, ours: ours, baseline: baseline,
                    counts: try counts(workload, configuration, digestEqual: digestEqual))
            case .timed(let ours, let baseline, let configuration, let proof):
                let counts = try counts(workload, configuration, digestEqual: try proof())
                timed.append((index, counts, (ours, baseline)))
            }
        }
        let rounds =
            arguments.quick
            ? Rounds(count: 3, nanosecondsPerTurn: 10_000_000) : Rounds(count: 5, nanosecondsPerTurn: 400_000_000)
        for (entry, times) in zip(timed, try rounds.run(timed.map(\.pair))) {
            let workload = workloads[entry.index]
            rows[entry.index] = ReportRow(
                name: workload.name, unit: workload.unit, goal: workload.goal, ours: times.ours,
                baseline: times.baseline, counts: entry.counts)
        }
        return workloads.indices.compactMap { rows[$0] }
    }

    /// Whether both sides do equal work and the way of decoding is strict; says what is wrong otherwise.
    private func counts(_ workload: Workload, _ configuration: Configuration, digestEqual: Bool) throws -> Bool {
        let accepted = try configuration.acceptedMutations.get()
        if !digestEqual { note("\(workload.name): the digests differ") }
        if accepted > 0 {
            note("\(workload.name): \(accepted) of 200 wrong documents were accepted (\(configuration.name))")
        }
        return digestEqual && accepted == 0
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
