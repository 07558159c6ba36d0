import Foundation
import Synchronization

/// A value that one thread at a time uses.
///
/// ThreadSanitizer follows the locks of pthreads, which Foundation's are, and sees nothing of those that `Mutex` makes of
/// system calls on Linux: `.ci/sanitize` builds with the former.
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
