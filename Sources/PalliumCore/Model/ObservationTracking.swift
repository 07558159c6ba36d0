import Observation
import PalliumJSON
import Synchronization

/// Tells whether the Observation framework tracks the code that runs on the thread.
///
/// The framework does not say so, and observers for each model that is ever read would take memory and time. But it hashes
/// the key path of what tracked code reads, and nothing else: so a key path that counts how often it is hashed tells.
final class ObservationTracking {
    /// Counts how often it is hashed.
    private final class HashCount: Hashable, Sendable {
        let count = Atomic<UInt>(0)

        static func == (left: HashCount, right: HashCount) -> Bool { left === right }

        func hash(into hasher: inout Hasher) { count.wrappingAdd(1, ordering: .relaxed) }
    }

    /// The subject of the question to a registrar.
    private struct Probe: Observable {
        subscript(counted count: HashCount) -> Void { () }
    }

    private static let ofThread = ThreadLocal { ObservationTracking() }

    /// Whether hashing tells. A later framework may hash something else; then all code counts as tracked.
    private static let isReliable = {
        let tracking = ObservationTracking()
        return withObservationTracking {
            tracking.isActive
        } onChange: {
        }
    }()

    private let hashCount: HashCount
    private let path: KeyPath<Probe, Void>
    /// Observers for the next model that tracked code reads.
    ///
    /// Asking leaves a note with the registrar for as long as it lives. So the registrar that was asked becomes that of the
    /// model, and ends with it.
    ///
    /// Only one thread uses them, and no access overlaps with another, so dynamic checks could never fail.
    @safe @exclusivity(unchecked) private var observers = ModelObservers()

    private init() {
        hashCount = HashCount()
        path = \Probe[counted: hashCount]
    }

    private var isActive: Bool {
        let before = hashCount.count.load(ordering: .relaxed)
        // Counting another reference takes as long as asking.
        uncounted(observers) {
            $0.registrar.access(Probe(), keyPath: path)
        }
        return hashCount.count.load(ordering: .relaxed) != before
    }

    /// Returns observers for a model that has none, if tracked code reads it.
    static func newObserversIfTracked() -> ModelObservers? { ofThread.withObject { $0.takeObserversIfActive() } }

    @inline(__always)
    private func takeObserversIfActive() -> ModelObservers? {
        guard isActive || !Self.isReliable else { return nil }
        let taken = observers
        observers = ModelObservers()
        return taken
    }
}
