import Foundation
import Synchronization

/// Runs a body on a thread with a stack of 512 kB, as secondary threads have on Apple platforms, and waits for it.
func withSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
    final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        do { try body() } catch { outcome.error.withLock { $0 = error } }
        done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    if let error = outcome.error.withLock({ $0 }) { throw error }
}
