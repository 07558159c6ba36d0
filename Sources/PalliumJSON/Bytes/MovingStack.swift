/// A growing stack whose upper elements can be moved out as an array without touching reference counts.
///
///     storage   [ e0 e1 e2 … ][ free … ]
///               └── count ──┘
///
/// Invariant: exactly the first `count` elements of the storage are initialised, and every index is checked against
/// `count`. Only this value holds the memory, and it frees the memory at its end.
@safe
struct MovingStack<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        unsafe storage?.deinitialize(count: count)
        unsafe storage?.deallocate()
    }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        guard let storage = unsafe storage else { return }
        unsafe (storage + count).initialize(to: element)
        count &+= 1
    }

    subscript(position: Int) -> Element {
        @inline(__always) get {
            guard position >= 0, position < count, let storage = unsafe storage else {
                // An invariant of the reader, checked for every value.
                preconditionFailure("outside the stack")
            }
            return unsafe storage[position]
        }
    }

    /// Removes the elements from `first` on and returns them.
    mutating func takeAll(from first: Int) -> [Element] {
        // An invariant of the reader, checked for every container.
        precondition(first >= 0 && first <= count, "outside the stack")
        guard let storage = unsafe storage else { return [] }
        let taken = count - first
        count = first
        return unsafe Array(unsafeUninitializedCapacity: taken) { target, initialized in
            unsafe target.baseAddress?.moveInitialize(from: storage + first, count: taken)
            initialized = taken
        }
    }

    /// Drops the elements from `first` on.
    mutating func removeAll(from first: Int) {
        // An invariant of the reader, checked for every container.
        precondition(first >= 0 && first <= count, "outside the stack")
        guard let storage = unsafe storage else { return }
        unsafe (storage + first).deinitialize(count: count - first)
        count = first
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutablePointer<Element>.allocate(capacity: max(16, capacity * 2))
        if let storage = unsafe storage {
            unsafe grown.moveInitialize(from: storage, count: count)
            unsafe storage.deallocate()
        }
        unsafe storage = grown
        capacity = max(16, capacity * 2)
    }
}
