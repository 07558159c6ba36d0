import Foundation
import Observation
import Pallium

/// Reading and writing models that may be observed, against classes that the `@Observable` macro made.
func observationWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let count = context.issueCount
    let passes = 10

    /// An operation on each counter, again and again; tracked code has read another property of it, or nothing.
    func row(
        _ name: String, isTracked: Bool, _ ours: @escaping ([ObservedCounter], Int) -> Int,
        _ baseline: @escaping ([ObservableCounter], Int) -> Int
    ) -> Workload {
        // A quarter longer than the macro's code is accepted for properties that are found by their keys.
        Workload(name: name, unit: .nanoseconds(per: "access"), goal: .atLeast(0.8)) {
            let observed = try Counter.make(count, ObservedCounter.self)
            let observable = (0..<count).map { ObservableCounter(number: $0, count: $0) }
            if isTracked {
                withObservationTracking {
                    blackHole(observed.reduce(0) { $0 &+ $1.number })
                    blackHole(observable.reduce(0) { $0 &+ $1.number })
                } onChange: {
                }
            }
            return .timed(
                ours: .operation(units: passes * count) { for pass in 0..<passes { blackHole(ours(observed, pass)) } },
                baseline: .operation(units: passes * count) {
                    for pass in 0..<passes { blackHole(baseline(observable, pass)) }
                },
                configuration: context.arrayConfiguration
            ) { ours(observed, 7) == baseline(observable, 7) }
        }
    }
    return [
        row("read an Int of an observed model", isTracked: false) { counters, _ in
            counters.reduce(0) { $0 &+ $1.count }
        } _: { counters, _ in
            counters.reduce(0) { $0 &+ $1.count }
        },
        row("read an Int of a tracked model", isTracked: true) { counters, _ in
            counters.reduce(0) { $0 &+ $1.count }
        } _: { counters, _ in
            counters.reduce(0) { $0 &+ $1.count }
        },
        row("write an Int of a tracked model", isTracked: true) { counters, pass in
            for counter in counters { counter.count = pass }
            return counters.count
        } _: { counters, pass in
            for counter in counters { counter.count = pass }
            return counters.count
        },
        Workload(
            name: "tell a change to 1,000 observers of a model", unit: .nanoseconds(per: "change"),
            goal: .atMostAmount(200_000)
        ) {
            let counter = try Counter.make(1, ObservedCounter.self)[0]
            let calls = Calls()
            let observations = try (0..<1000).map { _ in try counter.observe("count") { _ in calls.count += 1 } }
            let changes = 20
            func change() {
                for _ in 0..<changes { counter.count += 1 }
            }
            return .timed(
                ours: .operation(units: changes, change),
                baseline: .operation(units: changes) { for _ in 0..<changes { calls.callAll(1000) } },
                configuration: context.arrayConfiguration
            ) {
                calls.count = 0
                change()
                return calls.count == changes * observations.count
            }
        },
    ] + untakenChanges(context)
}

/// How much memory changes take that a slow consumer has not asked for, against a stream that keeps each of them. Only Linux
/// tells resident memory.
private func untakenChanges(_ context: BenchmarkContext) -> [Workload] {
    #if os(Linux)
        let count = 1_000_000
        return [
            Workload(
                name: "memory: \(count) changes that nobody has taken yet", unit: .bytes,
                goal: .atMostAmount(1_000_000),
                dependsOnHeap: false
            ) {
                func growth(_ body: () throws -> Void) rethrows -> Double {
                    let before = MemoryMode.kibibytes("VmRSS:")
                    try body()
                    return (MemoryMode.kibibytes("VmRSS:") - before) * 1024
                }
                let counter = try Counter.make(1, ObservedCounter.self)[0]
                let changes = try counter.changes()
                // What a first change needs once is there before.
                counter.count = -1
                let ours = growth { for number in 0..<count { counter.count = number } }
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                let baseline = growth { for number in 0..<count { continuation.yield(number) } }
                withExtendedLifetime(stream) {}
                return .measured(ours: ours, baseline: baseline, configuration: context.arrayConfiguration) {
                    withExtendedLifetime(changes) { counter.count == count - 1 }
                }
            }
        ]
    #else
        return []
    #endif
}

/// Counts the calls of closures.
private final class Calls {
    var count = 0
    private lazy var closures: [() -> Void] = (0..<1000).map { _ in { [unowned self] in count += 1 } }

    /// Calls closures from an array, the least that telling observers can cost.
    func callAll(_ number: Int) { for closure in closures.prefix(number) { closure() } }
}
