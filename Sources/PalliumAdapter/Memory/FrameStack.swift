/// The frames of a walk without recursion, the innermost at the top.
///
/// ```
///   memory    [ frame 0 | frame 1 | … | innermost ][ free … ]
///             └────────────── count ──────────────┘
/// ```
/// A frame is used where it lies: `frames.top.index += 1`. An access lasts as long as its expression, so none sees a frame
/// that was moved or removed. The compiler refuses it: a pushing method cannot run during the access, and a frame that
/// cannot be copied cannot be kept.
///
/// Safety: `memory` has room for `capacity` frames, of which the first `count` are initialised, and only this value refers
/// to it. `innermost` is the address of the last of them.
@safe
struct FrameStack<Frame: ~Copyable>: ~Copyable {
    private var memory: UnsafeMutablePointer<Frame>
    private var innermost: UnsafeMutablePointer<Frame>
    private(set) var count = 0
    // Four frames are enough for most documents, and memory for many frames is slow to get for a single object.
    private var capacity = 4

    init() {
        unsafe memory = .allocate(capacity: capacity)
        unsafe innermost = memory - 1
    }

    deinit {
        unsafe memory.deinitialize(count: count)
        unsafe memory.deallocate()
    }

    var isEmpty: Bool { @_transparent get { count == 0 } }

    /// The innermost frame. There must be one.
    var top: Frame {
        @_transparent unsafeAddress {
            precondition(count > 0)
            return unsafe UnsafePointer(innermost)
        }
        @_transparent unsafeMutableAddress {
            precondition(count > 0)
            return unsafe innermost
        }
    }

    /// The frame at an index; that at 0 was pushed first.
    subscript(index: Int) -> Frame {
        @_transparent unsafeAddress {
            precondition(index >= 0 && index < count)
            return unsafe UnsafePointer(memory + index)
        }
        @_transparent unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return unsafe memory + index
        }
    }

    @inline(__always)
    mutating func push(_ frame: consuming Frame) {
        if count == capacity { grow() }
        unsafe innermost += 1
        unsafe innermost.initialize(to: frame)
        count &+= 1
        checkInvariant()
    }

    /// Removes the innermost frame. There must be one.
    @inline(__always)
    mutating func pop() {
        precondition(count > 0)
        unsafe innermost.deinitialize(count: 1)
        unsafe innermost -= 1
        count &-= 1
        checkInvariant()
    }

    mutating func removeAll() {
        while count > 0 { pop() }
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        unsafe grown.moveInitialize(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = grown
        unsafe innermost = grown + (count - 1)
        capacity *= 2
    }

    @_transparent
    private func checkInvariant() {
        assert(count >= 0 && count <= capacity)
        unsafe assert(innermost - memory == count - 1)
    }

    /// The frames, for code that reads them while nobody changes the stack.
    @unsafe var waiting: WaitingFrames<Frame> { unsafe WaitingFrames(memory, count: count) }
}

/// The frames of a stack that does not change meanwhile.
///
/// Safety: only a stack makes one. Whoever asks for it promises that no frame is pushed, removed or changed as long as it is
/// used.
@safe
struct WaitingFrames<Frame: ~Copyable> {
    private let start: UnsafePointer<Frame>
    let count: Int

    fileprivate init(_ start: UnsafePointer<Frame>, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    subscript(index: Int) -> Frame {
        unsafeAddress {
            // Nothing outside of the frames is read.
            precondition(index >= 0 && index < count)
            return unsafe start + index
        }
    }
}
