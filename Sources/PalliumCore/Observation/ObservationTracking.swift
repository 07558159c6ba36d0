import Observation
import PalliumJSON
import Synchronization

/// Tells whether the Observation framework tracks the code that runs.
///
/// The framework does not say so, and a registrar for each model that is ever read would take memory and time. But it hashes
/// the key path of what tracked code reads, and nothing else: so a key path that counts how often it is hashed tells. If
/// another thread is tracked at the same time, the answer may be a harmless yes.
final class ObservationTracking: Sendable {
    private struct CountedHash: Hashable, Sendable {
        static func == (left: CountedHash, right: CountedHash) -> Bool { true }

        func hash(into hasher: inout Hasher) { hashCount.wrappingAdd(1, ordering: .relaxed) }
    }

    private struct Probe: Observable {
        subscript(counted hash: CountedHash) -> Void { () }
    }

    private static let hashCount = Atomic<UInt>(0)
    /// The framework of today. A later one may hash something else; then all code counts as tracked.
    private static let shared = {
        let tracking = ObservationTracking()
        let isReliable = withObservationTracking {
            tracking.isHashed
        } onChange: {
        }
        return isReliable ? tracking : nil
    }()

    private let registrar = ObservationRegistrar()
    private let path: any KeyPath<Probe, Void> & Sendable = \Probe[counted: CountedHash()]

    private init() {}

    private var isHashed: Bool {
        let before = Self.hashCount.load(ordering: .relaxed)
        registrar.access(Probe(), keyPath: path)
        return Self.hashCount.load(ordering: .relaxed) != before
    }

    /// Whether reads must be told to the framework.
    static var isActive: Bool { shared?.isHashed ?? true }
}
