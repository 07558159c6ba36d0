import PalliumJSON

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

    /// The state of one thread, whose properties are read and written by `release` alone.
    @safe
    private final class ThreadState {
        @safe @exclusivity(unchecked) var depth = 0
        @exclusivity(unchecked) var pending: [Unmanaged<AnyObject>] = unsafe []
    }

    private static let thread = ThreadLocal { ThreadState() }

    /// Releases one reference to an object that may hold models.
    package static func release(_ object: Unmanaged<AnyObject>) {
        thread.withObject { state in
            guard state.depth < maximumDepth else {
                unsafe state.pending.append(object)
                return
            }
            state.depth += 1
            unsafe object.release()
            state.depth -= 1
            guard state.depth == 0, unsafe !state.pending.isEmpty else { return }
            state.depth = 1
            while let next = unsafe state.pending.popLast() { unsafe next.release() }
            state.depth = 0
            // A long list is not kept for the life of the thread.
            if unsafe state.pending.capacity > 4096 { unsafe state.pending = [] }
        }
    }
}
