#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Releases graphs of models of any depth on a small stack.
///
/// Freeing is recursive by nature: the last reference to a model frees its slots, which hold the last references to
/// other models. Up to a fixed depth that is the fastest way; beyond it the objects wait in a list of the thread, and
/// the outermost release empties the list. Every object's own `deinit` finds its slots intact.
package enum ReleaseQueue {
    /// Nested releases that run on the stack before objects are queued; a level takes a few hundred bytes.
    private static let maximumDepth = 32

    /// The state of one thread. Only that thread ever reaches it.
    private struct ThreadState {
        var depth = 0
        var pending: [Unmanaged<AnyObject>] = []
    }

    /// A pthread key whose value points at the thread's state, freed when the thread ends.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Fails only when the process has used up its keys (1,024 on Linux).
        let error = pthread_key_create(&key) { state in
            // Darwin passes a non-optional pointer, Linux an optional one.
            let pointer: UnsafeMutableRawPointer? = state
            guard let state = pointer?.assumingMemoryBound(to: ThreadState.self) else { return }
            state.deinitialize(count: 1)
            state.deallocate()
        }
        precondition(error == 0, "no thread-specific key is left in this process")
        return key
    }()

    @inline(__always)
    private static var threadState: UnsafeMutablePointer<ThreadState> {
        if let pointer = pthread_getspecific(key) { return pointer.assumingMemoryBound(to: ThreadState.self) }
        return makeThreadState()
    }

    @inline(never)
    private static func makeThreadState() -> UnsafeMutablePointer<ThreadState> {
        let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
        state.initialize(to: ThreadState())
        pthread_setspecific(key, state)
        return state
    }

    /// Takes over one reference to an object that may hold models.
    package static func release(_ object: Unmanaged<AnyObject>) {
        let state = threadState
        guard state.pointee.depth < maximumDepth else {
            state.pointee.pending.append(object)
            return
        }
        state.pointee.depth += 1
        object.release()
        state.pointee.depth -= 1
        guard state.pointee.depth == 0, !state.pointee.pending.isEmpty else { return }
        state.pointee.depth = 1
        while let next = state.pointee.pending.popLast() { next.release() }
        state.pointee.depth = 0
        // A long list is not kept for the life of the thread.
        if state.pointee.pending.capacity > 4096 { state.pointee.pending = [] }
    }
}
