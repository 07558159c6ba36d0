import Foundation
import Synchronization

/// A value that one thread at a time uses.
///
/// ThreadSanitizer follows the locks of pthreads, which Foundation's are, and sees nothing of those that `Mutex` makes of
/// system calls on Linux: `.ci/sanitize` builds with the former.
package struct Lock<Value>: ~Copyable, Sendable {
    #if THREAD_SANITIZER
        private let lock = NSLock()
        // Safety of `nonisolated(unsafe)`: used under `lock` only; the memory belongs to this value alone.
        nonisolated(unsafe) private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        package init(_ value: sending Value) { self.value.initialize(to: value) }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }
    #else
        private let value: Mutex<Value>

        package init(_ value: sending Value) { self.value = Mutex(value) }
    #endif

    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        #if THREAD_SANITIZER
            lock.lock()
            defer { lock.unlock() }
            return try body(&value.pointee)
        #else
            return try value.withLock(body)
        #endif
    }
}
