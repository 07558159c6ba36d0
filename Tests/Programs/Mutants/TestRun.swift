import Foundation

/// One run of the test program, for some suites, with or without an awake mutant.
struct TestRun {
    enum Verdict: String { case passed, failed, crashed, timedOut }

    let program: String
    /// Where the run may leave files.
    let directory: URL
    let memoryInKilobytes = 8_000_000

    /// The suites of the program by what `--filter` calls them.
    func suites() throws -> [String] {
        let (_, output) = try run(["--list-tests"], environment: [:], timeout: 60)
        let names = output.split(separator: "\n").compactMap { $0.split(separator: "/").first.map(String.init) }
        return Set(names.filter { $0.contains(".") && !$0.contains(" ") }).sorted()
    }

    /// Runs suites until the first failure or to the end.
    func test(
        _ suites: [String], environment: [String: String], timeout: Double
    ) throws -> (verdict: Verdict, output: String) {
        let names = suites.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
        return try run(["--filter", "^(\(names))(/|$)"], environment: environment, timeout: timeout)
    }

    private func run(
        _ arguments: [String], environment: [String: String], timeout: Double
    ) throws -> (verdict: Verdict, output: String) {
        let manager = FileManager.default
        let folder = directory.appending(path: UUID().uuidString)
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }
        let log = folder.appending(path: "log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // `timeout` ends the whole group of processes. The limits are for mutants that never end or grow for ever.
        process.arguments =
            [
                "timeout", "-s", "KILL", "\(timeout)", "bash", "-c",
                "ulimit -v \(memoryInKilobytes) -t \(Int(timeout * 4)) -c 0; exec \"$0\" \"$@\"", program,
                "--testing-library", "swift-testing",
            ] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["TMPDIR": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        while process.isRunning {
            Thread.sleep(forTimeInterval: 0.05)
            let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
            if text.contains("✘") {
                process.terminate()
                process.waitUntilExit()
                return (.failed, text)
            }
        }
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        let status = process.terminationStatus
        if status == 0 { return (.passed, text) }
        if status == 137 { return (.timedOut, text) }
        return (status > 128 || process.terminationReason == .uncaughtSignal ? .crashed : .failed, text)
    }
}
