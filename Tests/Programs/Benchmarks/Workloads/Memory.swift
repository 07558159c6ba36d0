/// How much memory ten times the issues take while they are held. Only Linux tells resident and peak memory.
func memoryWorkloads(_ context: BenchmarkContext) -> [Workload] {
    #if os(Linux)
        let count = context.issueCount * 10
        typealias Growth = MemoryMode.Growth
        func row(
            _ name: String, _ goal: Goal, _ figures: @escaping (Growth, Growth) -> (ours: Double, baseline: Double)
        ) -> Workload {
            Workload(name: "memory: \(count) issues\(name)", unit: .bytes, goal: goal, dependsOnHeap: false) {
                let growths = try MemoryMode.growths(count: count)
                let (ours, baseline) = figures(growths.pallium, growths.codable)
                return .measured(ours: ours, baseline: baseline, configuration: context.arrayConfiguration) {
                    growths.pallium.digest == growths.codable.digest
                }
            }
        }
        return [
            row(" held, resident growth", .atMostAmount(1650 * Double(count))) { ($0.held, $1.held) },
            row(", peak against held", .atMost(1.1)) { pallium, _ in (pallium.peak, pallium.held) },
        ]
    #else
        return []
    #endif
}
