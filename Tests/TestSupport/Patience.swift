package import Dispatch
package import Testing

/// How long a test waits for an event that a fault could keep from happening.
///
/// A test waits for what happens, and never for a time that must be long enough: the machine may be as slow as it likes.
/// Without any end, however, a fault would keep a run from ending. So the end is further away than any load can reach.
package enum Patience {
    package static let minutes = 240
    package static let duration = Duration.seconds(minutes * 60)
}

extension TimeLimitTrait.Duration {
    /// The time after which a test waits in vain.
    package static var patient: Self { .minutes(Patience.minutes) }
}

extension DispatchSemaphore {
    /// Waits for a signal; returns whether it came.
    package func waitPatiently() -> Bool { wait(timeout: .now() + .seconds(Patience.minutes * 60)) == .success }
}
