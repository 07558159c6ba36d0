import Foundation

/// How much memory ten times the issues take while they are held, measured in processes of their own.
func memoryWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let count = context.issueCount * 10
    let growths = MemoryGrowths(count: count)
    return [
        Workload(name: "memory: \(count) issues held, resident growth", unit: .bytes, goal: .atMost(0.6)) {
            guard let (pallium, codable) = try growths.both() else { return MemoryGrowths.notHere }
            return .measured(
                ours: pallium.held, baseline: codable.held, configuration: context.arrayConfiguration,
                digestEqual: pallium.digest == codable.digest)
        },
        Workload(name: "memory: \(count) issues, peak against held", unit: .bytes, goal: .atMost(1.1)) {
            guard let (pallium, codable) = try growths.both() else { return MemoryGrowths.notHere }
            return .measured(
                ours: pallium.peak, baseline: pallium.held, configuration: context.arrayConfiguration,
                digestEqual: pallium.digest == codable.digest)
        },
    ]
}

/// Runs this program again, once per family of models, and keeps what it prints.
private final class MemoryGrowths {
    struct ChildFailed: Error {}

    static var notHere: Workload.Preparation {
        .skipped(reason: "this platform does not tell resident and peak memory")
    }

    private let count: Int
    private var known: (pallium: MemoryMode.Growth, codable: MemoryMode.Growth)?

    init(count: Int) { self.count = count }

    /// The growth with Pallium's models and with JSONDecoder's classes; nil where it cannot be measured.
    func both() throws -> (pallium: MemoryMode.Growth, codable: MemoryMode.Growth)? {
        #if os(Linux)
            if let known { return known }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("issues-\(UUID().uuidString).json")
            try IssueGenerator.document(count).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let growths = (pallium: try run(.pallium, file), codable: try run(.codable, file))
            known = growths
            return growths
        #else
            return nil
        #endif
    }

    private func run(_ family: MemoryMode.Family, _ file: URL) throws -> MemoryMode.Growth {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--memory", family.rawValue, file.path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let growth = MemoryMode.Growth(line: text) else { throw ChildFailed() }
        return growth
    }
}
