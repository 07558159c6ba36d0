import RunSupport

/// Runs both sides of a row in turns and takes medians.
///
/// Rounds follow one another, and in each the sides come in another order, so that a machine that grows slow for a while
/// hits both. The figure is the median over the rounds of the round's own median.
struct Rounds {
    /// How many rounds.
    let count: Int
    /// How long a side runs in a round; one run at least.
    let nanosecondsPerTurn: UInt64

    static let short = Rounds(count: 3, nanosecondsPerTurn: 10_000_000)
    static let long = Rounds(count: 5, nanosecondsPerTurn: 400_000_000)

    /// The times of both sides in nanoseconds per unit.
    func run(_ ours: TimedWork, _ baseline: TimedWork) throws -> (ours: Double, baseline: Double) {
        var medians: (ours: [Double], baseline: [Double]) = ([], [])
        var order = SeededGenerator(seed: 42)
        for _ in 1...count {
            let turns = [{ medians.ours.append(try turn(ours)) }, { medians.baseline.append(try turn(baseline)) }]
            for turn in order.shuffled(turns) { try turn() }
        }
        return (Self.median(medians.ours) / Double(ours.units), Self.median(medians.baseline) / Double(baseline.units))
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
