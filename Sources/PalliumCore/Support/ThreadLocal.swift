import PalliumJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An object that each thread has for itself. It is made at its first use and released when the thread ends.
///
/// Safety: the pointer of a thread owns one reference to its object, which only that thread uses.
package struct ThreadLocal<Object: AnyObject>: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> Object

    /// - Parameter make: Makes the object of a thread.
    package init(_ make: @escaping @Sendable () -> Object) {
        self.make = make
        var key = pthread_key_t()
        // Fails only when the process has used up its keys (1,024 on Linux).
        let error = unsafe pthread_key_create(&key) { object in
            // Darwin passes a non-optional pointer, Linux an optional one.
            let pointer: UnsafeMutableRawPointer? = unsafe object
            if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
        if error != 0 { trap("no thread-specific key is left in this process") }
        self.key = key
    }

    /// Calls `body` with the object of the present thread.
    @inline(__always)
    package func withObject<Result>(_ body: (Object) -> Result) -> Result {
        if let pointer = unsafe pthread_getspecific(key) {
            return unsafe Unmanaged<Object>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
        }
        return body(makeObject())
    }

    @inline(never)
    private func makeObject() -> Object {
        let object = make()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
        return object
    }
}
