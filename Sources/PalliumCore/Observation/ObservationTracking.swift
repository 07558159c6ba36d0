import Observation
import PalliumJSON
import Synchronization

/// Tells whether the Observation framework tracks the code that runs.
///
/// The framework does not say so, and observers for each model that is ever read would take memory and time. But it hashes
/// the key path of what tracked code reads, and nothing else: so a key path that counts how often it is hashed tells. If
/// another thread is tracked at the same time, the answer may be a harmless yes.
enum ObservationTracking {
    fileprivate struct CountedHash: Hashable, Sendable {
        static func == (left: CountedHash, right: CountedHash) -> Bool { true }

        func hash(into hasher: inout Hasher) { hashCount.wrappingAdd(1, ordering: .relaxed) }
    }

    /// What a registrar is asked with.
    struct Probe: Observable {
        fileprivate subscript(counted hash: CountedHash) -> Void { () }
    }

    /// Observers for the next model of the thread that tracked code reads.
    ///
    /// Asking leaves a note with the registrar for as long as it lives. So the registrar that was asked becomes that of the
    /// model, and ends with it.
    private final class Spare {
        @safe @exclusivity(unchecked) var observers = ModelObservers()
    }

    private static let hashCount = Atomic<UInt>(0)
    private static let path: any KeyPath<Probe, Void> & Sendable = \Probe[counted: CountedHash()]
    private static let spare = ThreadLocal { Spare() }

    /// Whether hashing tells. A later framework may hash something else; then all code counts as tracked.
    private static let isReliable = {
        let observers = ModelObservers()
        return withObservationTracking {
            isHashed(by: observers)
        } onChange: {
        }
    }()

    private static func isHashed(by observers: ModelObservers) -> Bool {
        let before = hashCount.load(ordering: .relaxed)
        observers.probe(path)
        return hashCount.load(ordering: .relaxed) != before
    }

    /// Returns observers for a model that has none, if tracked code reads it.
    static func newObserversIfTracked() -> ModelObservers? {
        spare.withObject { spare in
            guard isHashed(by: spare.observers) || !isReliable else { return nil }
            let observers = spare.observers
            spare.observers = ModelObservers()
            return observers
        }
    }
}
