#if THREAD_SANITIZER
    public import Foundation
#else
    public import Synchronization
#endif

/// A value that only one thread at a time can use.
///
/// ThreadSanitizer knows the locks of pthreads, which `NSLock` uses, but not those that `Mutex` makes with system calls
/// on Linux. `.ci/sanitize` therefore builds with `NSLock`.
@frozen
@usableFromInline
package struct Lock<Value>: ~Copyable, Sendable {
    #if THREAD_SANITIZER
        @usableFromInline
        final class Content: @unchecked Sendable {
            // @unchecked: used under `lock` only.
            @usableFromInline var value: Value
            init(_ value: sending Value) { self.value = value }
        }

        @usableFromInline let lock = NSLock()
        @usableFromInline let content: Content

        package init(_ value: sending Value) { content = Content(value) }
    #else
        @usableFromInline let value: Mutex<Value>

        package init(_ value: sending Value) { self.value = Mutex(value) }
    #endif

    /// Inlined, so that no caller looks up the type of the value at run time.
    @inlinable @inline(__always)
    package func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
            lock.lock()
            defer { lock.unlock() }
            return try body(&content.value)
        #else
            return try value.withLock(body)
        #endif
    }
}
