import PalliumJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Releases graphs of models of any depth on a small stack.
///
/// Releasing is recursive: the last reference to a model frees its slots, which hold the last references to other
/// models. Up to a fixed depth that is the fastest way. Deeper objects wait in a list of the thread, which the
/// outermost release empties. Every `deinit` finds the slots of its object intact.
///
/// Safety: the list owns one reference to each object in it, and releases it once.
package enum ReleaseQueue {
    /// The depth of releases on the stack before objects are queued. A level takes a few hundred bytes.
    private static let maximumDepth = 32

    /// The state of one thread, which only that thread uses.
    @unsafe
    private struct ThreadState {
        var depth = 0
        var pending: [Unmanaged<AnyObject>] = unsafe []
    }

    /// A pthread key whose value points at the thread's state, freed when the thread ends.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Fails only when the process has used up its keys (1,024 on Linux).
        let error = unsafe pthread_key_create(&key) { state in
            // Darwin passes a non-optional pointer, Linux an optional one.
            let pointer: UnsafeMutableRawPointer? = unsafe state
            guard let state = unsafe pointer?.assumingMemoryBound(to: ThreadState.self) else { return }
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        if error != 0 { stop("no thread-specific key is left in this process") }
        return key
    }()

    @inline(__always)
    private static var threadState: UnsafeMutablePointer<ThreadState> {
        if let pointer = unsafe pthread_getspecific(key) {
            return unsafe pointer.assumingMemoryBound(to: ThreadState.self)
        }
        return unsafe makeThreadState()
    }

    @inline(never)
    private static func makeThreadState() -> UnsafeMutablePointer<ThreadState> {
        let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        unsafe state.initialize(to: ThreadState())
        unsafe pthread_setspecific(key, state)
        return unsafe state
    }

    /// Releases one reference to an object that may hold models.
    package static func release(_ object: Unmanaged<AnyObject>) {
        let state = unsafe threadState
        guard unsafe state.pointee.depth < maximumDepth else {
            unsafe state.pointee.pending.append(object)
            return
        }
        unsafe state.pointee.depth += 1
        unsafe object.release()
        unsafe state.pointee.depth -= 1
        guard unsafe state.pointee.depth == 0, unsafe !state.pointee.pending.isEmpty else { return }
        unsafe state.pointee.depth = 1
        while let next = unsafe state.pointee.pending.popLast() { unsafe next.release() }
        unsafe state.pointee.depth = 0
        // A long list is not kept for the life of the thread.
        if unsafe state.pointee.pending.capacity > 4096 { unsafe state.pointee.pending = [] }
    }
}
