import PalliumCore

/// The plans for the projections that an adapter was last asked for.
final class ProjectionCache: Sendable {
    /// How many projections are kept. Programs have few, and selections that come from outside must not fill the memory.
    private static let capacity = 32

    private let whole: JSONPlanSet
    private let compiled = Lock<[Projection: JSONPlanSet]>([:])

    /// - Parameter whole: The plans for whole models.
    init(_ whole: JSONPlanSet) { self.whole = whole }

    /// Returns the plans for a projection, compiled at the first request without holding the lock.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at its level can have.
    func plans(for projection: Projection) throws(ModelError) -> JSONPlanSet {
        if let plans = compiled.withLock({ $0[projection] }) { return plans }
        let plans = try JSONPlanSet(whole, to: projection)
        let dropped = compiled.withLock { compiled in
            let dropped = compiled.count < Self.capacity ? [:] : compiled
            if !dropped.isEmpty { compiled = [:] }
            compiled[projection] = plans
            return dropped
        }
        // Plans are released after the lock is open.
        withExtendedLifetime(dropped) {}
        return plans
    }
}
