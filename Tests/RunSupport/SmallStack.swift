import Foundation
import Synchronization

/// Runs `body` on a thread with a stack of `kilobytes` and waits for its end. Secondary threads have 512 kB on Apple
/// systems.
package func onStack<Value: Sendable, Failure: Error>(
    kilobytes: Int = 512, _ body: @escaping @Sendable () throws(Failure) -> Value
) throws(Failure) -> Value {
    let outcome = Mutex<Result<Value, Failure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = Result { () throws(Failure) in try body() }
        outcome.withLock { $0 = result }
        isDone.signal()
    }
    thread.stackSize = kilobytes << 10
    thread.start()
    isDone.wait()
    guard let result = outcome.withLock({ $0 }) else {
        // The thread signals after it has stored the result.
        preconditionFailure("the thread ended without a result")
    }
    return try result.get()
}
