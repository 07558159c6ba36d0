import Foundation
import Synchronization

/// Runs `body` on a thread with a stack of `kilobytes` and waits for its end. Secondary threads have 512 kB on Apple
/// systems.
package func onStack<Failure: Error>(
    kilobytes: Int = 512, _ body: @escaping @Sendable () throws(Failure) -> Void
) throws(Failure) {
    let outcome = Mutex<Result<Void, Failure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = Result { () throws(Failure) in try body() }
        outcome.withLock { $0 = result }
        isDone.signal()
    }
    thread.stackSize = kilobytes << 10
    thread.start()
    isDone.wait()
    try outcome.withLock { $0 }?.get()
}
