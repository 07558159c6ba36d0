/// A row of the table: what is compared, and how far ahead Pallium wants to be.
struct Workload {
    /// What the row measures.
    let name: String
    /// What the figures mean.
    let unit: Unit
    /// What has to be reached.
    let goal: Goal
    /// Whether the row's figures are times, which depend on the heap; sizes do not.
    var dependsOnHeap = true
    /// Makes everything that is needed, in the process of the row only.
    let prepare: () throws -> Preparation

    enum Unit {
        /// Nanoseconds per thing of this name.
        case nanoseconds(per: String)
        case bytes
    }

    /// A row that can be measured.
    struct Preparation {
        /// Measures both sides, per unit.
        let measure: (Rounds) throws -> (ours: Double, baseline: Double)
        /// The way of decoding, which must be strict.
        let configuration: Configuration
        /// Returns whether both sides do equal work.
        let proof: () throws -> Bool

        /// Both sides are timed in rounds.
        static func timed(
            ours: TimedWork, baseline: TimedWork, configuration: Configuration, proof: @escaping () throws -> Bool
        ) -> Preparation {
            Preparation(measure: { try $0.run(ours, baseline) }, configuration: configuration, proof: proof)
        }

        /// Both sides are known already.
        static func measured(
            ours: Double, baseline: Double, configuration: Configuration, proof: @escaping () throws -> Bool
        ) -> Preparation {
            Preparation(measure: { _ in (ours, baseline) }, configuration: configuration, proof: proof)
        }
    }
}
