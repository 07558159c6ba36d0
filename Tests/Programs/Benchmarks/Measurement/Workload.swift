/// A row of the table: what is compared, and how far ahead Pallium wants to be.
struct Workload {
    /// What the row measures.
    let name: String
    /// What the figures mean.
    let unit: Unit
    /// What has to be reached.
    let goal: Goal
    /// Makes everything that is needed, for rows that are chosen only.
    let prepare: () throws -> Preparation

    enum Unit {
        /// Nanoseconds per thing of this name.
        case nanoseconds(per: String)
        case bytes
    }

    enum Preparation {
        /// Both sides are timed in rounds. `proof` tells whether they do equal work.
        case timed(ours: TimedWork, baseline: TimedWork, configuration: Configuration, proof: () throws -> Bool)
        /// Both sides were measured once, in processes of their own.
        case measured(ours: Double, baseline: Double, configuration: Configuration, digestEqual: Bool)
        /// The row cannot be measured here.
        case skipped(reason: String)
    }
}
