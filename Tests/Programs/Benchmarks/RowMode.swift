import Foundation

/// One row on one heap, in a process that does nothing else.
enum RowMode {
    /// Measures the row, proves that it counts, and prints the figures as JSON.
    static func run(_ name: String, on heap: HeapState, _ arguments: Arguments) throws {
        // The heap comes first, so that everything the row holds lies on it.
        let (context, inhabitant) = try heap.enter(arguments)
        guard let workload = allWorkloads(context).first(where: { $0.name == name }) else {
            throw Arguments.Mistake(description: "no row has the name \(name)")
        }
        let preparation = try workload.prepare()
        let sides = try preparation.measure(arguments.quick ? .short : .long)
        // The proof comes last, so that what it allocates and frees cannot change the heap that is measured.
        let measurement = Measurement(
            ours: sides.ours, baseline: sides.baseline, counts: try counts(workload, preparation))
        withExtendedLifetime(inhabitant) {}
        print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
    }

    /// Whether both sides do equal work and the way of decoding is strict; notes what is wrong otherwise.
    private static func counts(_ workload: Workload, _ preparation: Workload.Preparation) throws -> Bool {
        let configuration = preparation.configuration
        let accepted = try configuration.acceptedMutations()
        let isEqual = try preparation.proof()
        if !isEqual { note("\(workload.name): the digests differ") }
        if accepted > 0 {
            let all = Configuration.mutationCount
            note("\(workload.name): \(accepted) of \(all) wrong documents were accepted (\(configuration.name))")
        }
        return isEqual && accepted == 0
    }
}
