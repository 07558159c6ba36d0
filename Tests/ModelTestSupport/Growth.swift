/// Whether ten times as much work takes about ten times the processor time, and not a hundred times.
///
/// How fast the machine is changes both times alike, and what disturbs one measurement does not disturb three.
///
/// - Parameter work: Does some amount of work, and returns the processor time that it took.
package nonisolated(nonsending) func isLinear(
    upTo count: Int, _ work: nonisolated(nonsending) (Int) async throws -> UInt64
) async rethrows -> Bool {
    var least = UInt64.max
    for _ in 0..<3 { least = min(least, try await work(count / 10)) }
    for _ in 0..<3 where try await work(count) < 40 * least { return true }
    return false
}
