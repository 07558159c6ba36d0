import Foundation
import Pallium

/// The start of a program that knows many models which refer to each other: an adapter for each, against registering the
/// schemas.
///
/// Each adapter reaches nearly all schemas. If it did not find what was made for the others, time and memory would grow
/// with the square of the number of schemas.
func linkedAdapterWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let linked = LinkedSchemas(count: max(10, context.issueCount / 10))
    let name = "adapters for \(linked.count) linked schemas"

    func row(_ name: String, _ goal: Goal, _ adapters: TimedWork) -> Workload {
        Workload(name: name, unit: .nanoseconds(per: "schema"), goal: goal) {
            .timed(
                ours: adapters, baseline: .operation(units: linked.count, linked.register),
                configuration: try linked.configuration(), proof: linked.areRight)
        }
    }
    let adapters = TimedWork.operation(units: linked.count, on: linked.register) { try linked.makeAdapters($0) }
    let ofThreads = TimedWork(units: linked.count) {
        try linked.timeToMakeAdapters(linked.register(), threads: 8)
    }
    return [
        row(name + ", against registering them", .atMost(1.2), adapters),
        row(name + ", on eight threads at once", .atMostAmount(200_000), ofThreads),
    ] + heldMemory("memory: " + name, linked)
}

/// How much memory the registry and the adapters take while they are held, against the registry alone. Only Linux tells
/// resident memory.
private func heldMemory(_ name: String, _ linked: LinkedSchemas) -> [Workload] {
    #if os(Linux)
        return [
            Workload(
                name: name, unit: .bytes, goal: .atMostAmount(15_000 * Double(linked.count)), dependsOnHeap: false
            ) {
                // What a first adapter needs once is there before.
                let few = LinkedSchemas(count: 10)
                blackHole(try few.makeAdapters(few.register()))
                let before = MemoryMode.heldBytes()
                let registry = try linked.register()
                let registered = MemoryMode.heldBytes()
                let adapters = try linked.makeAdapters(registry)
                let made = MemoryMode.heldBytes()
                withExtendedLifetime(adapters) {}
                return .measured(
                    ours: made - before, baseline: registered - before, configuration: try linked.configuration(),
                    proof: linked.areRight)
            }
        ]
    #else
        return []
    #endif
}
