import Foundation

/// Chooses rows, has each measured in processes of its own, and prints them.
struct Benchmark {
    private let arguments: Arguments
    private let context: BenchmarkContext

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        context = try BenchmarkContext(issueCount: arguments.issueCount)
    }

    /// Whether every row counts.
    func run() throws -> Bool {
        let chosen = allWorkloads(context).filter { workload in
            arguments.filter.map { workload.name.localizedCaseInsensitiveContains($0) } ?? true
        }
        guard !chosen.isEmpty else { throw Arguments.Mistake(description: "no row has such a name") }
        let rows = try chosen.map { workload in
            let heaps = workload.dependsOnHeap ? heapsOfTimes : [.fresh]
            return ReportRow(
                workload: workload,
                measurements: try Dictionary(uniqueKeysWithValues: heaps.map { ($0, try measure(workload, on: $0)) }))
        }
        switch arguments.format {
        case .json: print(try Report.json(rows))
        case .markdown: print(Report.markdown(rows))
        case .text: print(circumstances + "\n\n" + Report.table(rows))
        }
        return rows.allSatisfy(\.counts)
    }

    /// The heaps on which times are measured. Whether everything works is the same on the worst one as on a served one.
    private var heapsOfTimes: [HeapState] { arguments.quick ? [.fresh, .served] : HeapState.allCases }

    /// Starts this program once more for one row and one state of the heap.
    private func measure(_ workload: Workload, on heap: HeapState) throws -> Measurement {
        note("\(workload.name), \(heap.rawValue) heap")
        let output = try runThisProgram(
            ["--row", workload.name, heap.rawValue, "--issues", String(arguments.issueCount)]
                + (arguments.quick ? ["--quick"] : []))
        return try JSONDecoder().decode(Measurement.self, from: output)
    }

    /// What the figures depend on, so that a table that is kept says where it is from.
    private var circumstances: String {
        let process = ProcessInfo.processInfo
        let date = DateText.write(Date()).prefix(10)
        let size = String(format: "%.1f", Double(context.document.count) / 1_000_000)
        return "\(date), \(process.operatingSystemVersionString), \(process.processorCount) processors; "
            + "\(context.issueCount) issues, \(size) MB; processor time, medians, a process for each row and heap"
    }
}

/// All rows in the order of the table.
func allWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let groups = [
        decodingWorkloads, eventWorkloads, encodingWorkloads, archiveWorkloads, modelOperationWorkloads,
        accessorWorkloads, observationWorkloads, transformerWorkloads, ruleWorkloads, memoryWorkloads,
        registrationWorkloads, linkedAdapterWorkloads, mergingWorkloads, storeWorkloads, linkedRowWorkloads,
        storeQuestionWorkloads,
        scalingWorkloads,
    ]
    return groups.flatMap { $0(context) }
}

/// Tells progress and mistakes, apart from the table.
func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
