import Foundation
import Synchronization

/// A value that only one thread at a time can use.
///
/// ThreadSanitizer knows the locks of pthreads, which `NSLock` uses, but not those that `Mutex` makes with system calls
/// on Linux. `.ci/sanitize` therefore builds with `NSLock`.
package struct Lock<Value>: ~Copyable, Sendable {
    #if THREAD_SANITIZER
        private final class Content: @unchecked Sendable {
            // @unchecked: used under `lock` only.
            var value: Value
            init(_ value: sending Value) { self.value = value }
        }

        private let lock = NSLock()
        private let content: Content

        package init(_ value: sending Value) { content = Content(value) }
    #else
        private let value: Mutex<Value>

        package init(_ value: sending Value) { self.value = Mutex(value) }
    #endif

    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        #if THREAD_SANITIZER
            lock.lock()
            defer { lock.unlock() }
            return try body(&content.value)
        #else
            return try value.withLock(body)
        #endif
    }
}
