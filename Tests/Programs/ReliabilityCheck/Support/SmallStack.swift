import Foundation
import Synchronization

/// Runs a body on a thread with a stack of so many bytes and waits for it.
func withStack(of bytes: Int, _ body: @escaping @Sendable () throws -> Tally) throws -> Tally {
    final class Outcome: Sendable {
        let result = Mutex<Result<Tally, any Error>?>(nil)
    }
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = Result { try body() }
        outcome.result.withLock { $0 = result }
        done.signal()
    }
    thread.stackSize = bytes
    thread.start()
    done.wait()
    guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("the thread ended without a result") }
    return try result.get()
}
