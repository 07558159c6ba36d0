import Foundation

/// Runs `body` on a thread with a stack of `kilobytes` and waits for its end. Secondary threads have 512 kB on Apple
/// systems.
func onStack(kilobytes: Int, _ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        isDone.signal()
    }
    thread.stackSize = kilobytes << 10
    thread.start()
    isDone.wait()
}
