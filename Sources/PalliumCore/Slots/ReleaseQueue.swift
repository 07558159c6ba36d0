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

    private final class ThreadState {
        var depth = 0
        var pending: [Unmanaged<AnyObject>] = []
    }

    /// A pthread key whose value is the thread's state, freed when the thread ends.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Fails only when the process has used up its keys (1,024 on Linux).
        let error = pthread_key_create(&key) { state in
            // Darwin passes a non-optional pointer, Linux an optional one.
            let pointer: UnsafeMutableRawPointer? = state
            if let pointer { Unmanaged<ThreadState>.fromOpaque(pointer).release() }
        }
        precondition(error == 0, "no thread-specific key is left in this process")
        return key
    }()

    private static var threadState: ThreadState {
        if let pointer = pthread_getspecific(key) { return Unmanaged<ThreadState>.fromOpaque(pointer).takeUnretainedValue() }
        let state = ThreadState()
        pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
        return state
    }

    /// Takes over one reference to an object that may hold models.
    package static func release(_ object: Unmanaged<AnyObject>) {
        let state = threadState
        guard state.depth < maximumDepth else {
            state.pending.append(object)
            return
        }
        state.depth += 1
        object.release()
        state.depth -= 1
        guard state.depth == 0, !state.pending.isEmpty else { return }
        state.depth = 1
        while let next = state.pending.popLast() { next.release() }
        state.depth = 0
        // A long list is not kept for the life of the thread.
        if state.pending.capacity > 4096 { state.pending = [] }
    }
}
