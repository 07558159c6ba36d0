import Foundation
import RunSupport

/// Time and memory of this process.
enum Measured {
    /// The shortest of several runs, in seconds of this thread's processor time, which other programs do not take.
    static func seconds(runs: Int, _ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<runs {
            let start = processorSeconds
            try body()
            best = min(best, processorSeconds - start)
        }
        return best
    }

    /// How many times as long the second work takes, measured until that is at most the limit. Noise only ever adds, so the
    /// shortest time of each counts. 0 for less than half a millisecond, where the clock and the caches decide and nothing
    /// can be hurt.
    static func growth(
        until limit: Double, one: () throws -> Void, four: () throws -> Void
    ) rethrows -> (ratio: Double, times: (one: Double, four: Double)) {
        var ratio = Double.infinity
        var times = (one: Double.infinity, four: Double.infinity)
        for _ in 0..<8 where ratio > limit {
            times.one = min(times.one, try seconds(runs: 5, one))
            times.four = min(times.four, try seconds(runs: 5, four))
            ratio = times.four < 5e-4 ? 0 : times.four / times.one
        }
        return (ratio, times)
    }

    private static var processorSeconds: Double { Double(processorTime()) / 1e9 }

    /// Starts the program again with an allocator that keeps freed memory, so that a time is not mostly the system's for
    /// pages given back and taken again. Returns where that is done already or cannot be done.
    static func restartKeepingFreedMemory() {
        #if canImport(Glibc)
            let settings = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"]
            guard settings.contains(where: { getenv($0) == nil }) else { return }
            for name in settings { setenv(name, "1073741824", 1) }
            var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
            execv("/proc/self/exe", &arguments)
        #endif
    }

    /// The resident bytes, or 0 where the system does not tell.
    static var residentBytes: Int {
        #if os(Linux)
            guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
            return kilobytes(of: "VmHWM:", in: text) * 1024
        #else
            return 0
        #endif
    }

    /// Lets the peak begin again at what is resident now.
    static func resetPeak() {
        #if os(Linux)
            try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        #endif
    }

    private static func kilobytes(of name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
