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
        let (together, apart) = (chosen(of: workloadsTogether), chosen(of: scalingWorkloads(context)))
        let merging = chosen(of: mergingWorkloads(context))
        guard !together.isEmpty || !apart.isEmpty || !merging.isEmpty else {
            throw Arguments.Mistake(description: "no row has such a name")
        }
        // Scaling is measured before the other rows fill the heap: on a heap with holes only the long document would
        // have to collect its memory piece by piece.
        let apartRows = try measure(apart)
        // Merging comes last: it holds tens of thousands of models that grow old, among which other rows' memory would lie
        // scattered.
        let rows = try measure(together) + measure(merging) + apartRows
        if arguments.json {
            print(try Report.json(rows))
        } else {
            print(circumstances + "\n\n" + Report.table(rows))
        }
        return rows.allSatisfy(\.counts)
    }

    private var workloadsTogether: [Workload] {
        let groups = [
            decodingWorkloads, eventWorkloads, encodingWorkloads, archiveWorkloads, modelOperationWorkloads,
            accessorWorkloads, transformerWorkloads, memoryWorkloads, registrationWorkloads,
        ]
        return groups.flatMap { $0(context) }
    }

    private func chosen(of workloads: [Workload]) -> [Workload] {
        guard let filter = arguments.filter else { return workloads }
        return workloads.filter { $0.name.localizedCaseInsensitiveContains(filter) }
    }

    /// What the figures depend on, so that a table that is kept says where it is from.
    private var circumstances: String {
        let process = ProcessInfo.processInfo
        let date = DateText.write(Date()).prefix(10)
        let size = String(format: "%.1f", Double(context.document.count) / 1_000_000)
        return "\(date), \(process.operatingSystemVersionString), \(process.processorCount) processors; "
            + "\(context.issueCount) issues, \(size) MB; processor time, medians"
    }

    /// Prepares all rows, proves them, and then times those that are timed together.
    private func measure(_ workloads: [Workload]) throws -> [ReportRow] {
        var rows: [Int: ReportRow] = [:]
        var timed: [(index: Int, counts: Bool, pair: (ours: TimedWork, baseline: TimedWork))] = []
        for (index, workload) in workloads.enumerated() {
            do {
                switch try workload.prepare() {
                case .skipped(let reason): note("\(workload.name): skipped, \(reason)")
                case .measured(let ours, let baseline, let configuration, let digestEqual):
                    let counts = try counts(workload, configuration, digestEqual: digestEqual)
                    rows[index] = ReportRow(workload, ours: ours, baseline: baseline, counts: counts)
                case .timed(let ours, let baseline, let configuration, let proof):
                    let counts = try counts(workload, configuration, digestEqual: try proof())
                    timed.append((index, counts, (ours, baseline)))
                }
            } catch {
                note("\(workload.name): failed")
                throw error
            }
        }
        guard !timed.isEmpty else { return workloads.indices.compactMap { rows[$0] } }
        let rounds =
            arguments.quick
            ? Rounds(count: 3, nanosecondsPerTurn: 10_000_000) : Rounds(count: 5, nanosecondsPerTurn: 400_000_000)
        let times = try rounds.run(timed.map(\.pair)) { note("round \($0) of \(rounds.count)") }
        for (entry, times) in zip(timed, times) {
            rows[entry.index] = ReportRow(
                workloads[entry.index], ours: times.ours, baseline: times.baseline, counts: entry.counts)
        }
        return workloads.indices.compactMap { rows[$0] }
    }

    /// Whether both sides do equal work and the way of decoding is strict; says what is wrong otherwise.
    private func counts(_ workload: Workload, _ configuration: Configuration, digestEqual: Bool) throws -> Bool {
        let accepted = try configuration.acceptedMutations.get()
        if !digestEqual { note("\(workload.name): the digests differ") }
        if accepted > 0 {
            let all = Configuration.mutationCount
            note("\(workload.name): \(accepted) of \(all) wrong documents were accepted (\(configuration.name))")
        }
        return digestEqual && accepted == 0
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
