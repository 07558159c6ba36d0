import RunSupport

/// Runs both sides of all rows in turns and takes medians.
///
/// Rounds follow one another, and in each the sides of all rows come in another order, so that a machine that grows
/// slow for a while, or a heap that one row leaves behind, hits everybody alike. The figure is the median over the
/// rounds of the round's own median.
struct Rounds {
    /// How many rounds.
    let count: Int
    /// How long a side runs in a round; one run at least.
    let nanosecondsPerTurn: UInt64

    /// The times of both sides in nanoseconds per unit, in the order of the pairs.
    ///
    /// - Parameter progress: Called with the number of every round that begins, from 1.
    func run(
        _ pairs: [(ours: TimedWork, baseline: TimedWork)], progress: (Int) -> Void
    ) throws -> [(ours: Double, baseline: Double)] {
        let sides = pairs.flatMap { [$0.ours, $0.baseline] }
        var medians: [[Double]] = Array(repeating: [], count: sides.count)
        var order = SeededGenerator(seed: 42)
        for round in 1...count {
            progress(round)
            for index in order.shuffled(Array(sides.indices)) { medians[index].append(try turn(sides[index])) }
        }
        let figures = zip(sides, medians).map { side, medians in Self.median(medians) / Double(side.units) }
        return pairs.indices.map { (ours: figures[$0 * 2], baseline: figures[$0 * 2 + 1]) }
    }

    /// The median of one side's runs, after one run that warms caches and the heap and is not counted.
    private func turn(_ side: TimedWork) throws -> Double {
        releaseFreeMemory()
        blackHole(try side.sample())
        var times: [Double] = []
        var total: UInt64 = 0
        repeat {
            let time = try side.sample()
            times.append(Double(time))
            // Work that is prepared outside of the timed span must not go on for ever.
            total += max(time, nanosecondsPerTurn / 1000)
        } while total < nanosecondsPerTurn
        return Self.median(times)
    }

    private static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
