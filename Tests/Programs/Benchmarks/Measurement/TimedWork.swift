import RunSupport

/// One side of a comparison: something that is done again and again and timed each time.
struct TimedWork {
    /// How many things one run handles; times are reported per thing.
    let units: Int
    /// Does the work once and answers its nanoseconds.
    let sample: () throws -> UInt64

    /// Times an operation. Its result is released after the clock has stopped.
    static func operation<Result>(units: Int, _ work: @escaping () throws -> Result) -> TimedWork {
        TimedWork(units: units) {
            let start = processorTime()
            let result = try work()
            let time = processorTime() - start
            blackHole(result)
            return time
        }
    }

    /// Times an operation on something that is made before the clock starts.
    static func operation<Input, Result>(
        units: Int, on make: @escaping () throws -> Input, _ work: @escaping (Input) throws -> Result
    ) -> TimedWork {
        TimedWork(units: units) {
            let input = try make()
            let start = processorTime()
            let result = try work(input)
            let time = processorTime() - start
            blackHole((input, result))
            return time
        }
    }

    /// Times the release of a result that is made before the clock starts.
    static func release<Result>(units: Int, of make: @escaping () throws -> Result) -> TimedWork {
        let held = Held<Result>()
        return TimedWork(units: units) {
            held.value = try make()
            let start = processorTime()
            held.value = nil
            return processorTime() - start
        }
    }

    /// The only owner of a result, on the heap, so that the optimiser cannot release it early.
    private final class Held<Result> {
        var value: Result?
    }
}
