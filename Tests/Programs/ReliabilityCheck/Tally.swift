/// How many checks passed, and the first that did not.
struct Tally {
    private(set) var passed = 0
    private(set) var failed = 0
    /// How many failures are printed.
    private static let shown = 20

    /// Counts a check; the text is made only for one that failed.
    @inline(__always)
    mutating func check(_ condition: Bool, _ failure: @autoclosure () -> String) {
        if condition { passed += 1 } else { fail(failure()) }
    }

    @inline(never)
    mutating func fail(_ text: String) {
        failed += 1
        if failed <= Self.shown { print("FAILED \(text)") }
    }

    /// Adds what another tally counted.
    mutating func add(_ other: Tally) {
        passed += other.passed
        failed += other.failed
    }

    var summary: String { "\(passed) passed, \(failed) failed" }
}
