#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The bytes of a JSON text while it is written.
///
/// They are one block of memory that grows by `realloc`, which moves large blocks by remapping pages instead of
/// copying.
///
///     start                 start + count            start + capacity
///       │ written             │ free                   │
///
/// Invariant: `count <= capacity`, and only this value holds `[start, start + capacity)`. Every write follows a
/// `reserve` of at least as many bytes; the first `count` bytes are initialised.
@usableFromInline
@safe
package struct JSONByteBuffer: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int

    /// The number of bytes written.
    @usableFromInline package internal(set) var count = 0

    /// Creates an empty buffer with room for `capacity` bytes.
    package init(capacity: Int = 256) {
        let size = max(64, capacity)
        unsafe start = Self.resized(nil, size)
        self.capacity = size
    }

    deinit { unsafe free(start) }

    /// Makes room for `additional` more bytes. Amortised O(1) per byte.
    @inlinable @inline(__always)
    package mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(additional) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ additional: Int) {
        // An invariant of the writer, checked by itself.
        precondition(additional >= 0 && additional < Int.max / 4, "a length is never negative")
        let size = max(capacity * 2, count + additional)
        unsafe start = Self.resized(start, size)
        capacity = size
    }

    /// Resizes the memory; ends the program when there is none, as every allocation in Swift does.
    private static func resized(_ old: UnsafeMutablePointer<UInt8>?, _ size: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, size) else { trap("failed to allocate \(size.counted("byte"))") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    // MARK: Bytes

    /// Appends one byte.
    @inlinable @inline(__always)
    package mutating func append(byte: UInt8) {
        reserve(1)
        unsafe start[count] = byte
        count &+= 1
    }

    /// Appends `count` bytes as they are.
    @inlinable @inline(__always)
    package mutating func append(bytes: UnsafePointer<UInt8>, count length: Int) {
        reserve(length)
        unsafe (start + count).update(from: bytes, count: length)
        count &+= length
    }

    /// Appends short text in moves of 16 bytes, without a call.
    ///
    /// The `length` bytes must be followed by readable bytes up to the next multiple of 16.
    @inlinable @inline(__always)
    package mutating func append(padded bytes: UnsafePointer<UInt8>, count length: Int) {
        reserve(length &+ 16)
        let source = unsafe UnsafeRawPointer(bytes)
        let target = unsafe UnsafeMutableRawPointer(start + count)
        var offset = 0
        repeat {
            let words = unsafe source.loadUnaligned(fromByteOffset: offset, as: (UInt64, UInt64).self)
            unsafe target.storeBytes(of: words, toByteOffset: offset, as: (UInt64, UInt64).self)
            offset &+= 16
        } while offset < length
        count &+= length
    }

    /// Appends the UTF-8 bytes of a literal as they are.
    @inlinable @inline(__always)
    package mutating func append(literal: StaticString) {
        unsafe append(bytes: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// Appends bytes as they are.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: BorrowedBytes) { unsafe append(bytes: bytes.start, count: bytes.count) }

    /// Lets `body` write up to `room` bytes and appends as many as it returns. It writes them without gaps.
    @inlinable @inline(__always)
    @discardableResult
    package mutating func appendBytes(atMost room: Int, _ body: (BorrowedRoom) -> Int) -> Int {
        reserve(room)
        let written = unsafe body(BorrowedRoom(start: start + count, count: room))
        precondition(written >= 0 && written <= room)
        count &+= written
        return written
    }

    /// Removes the bytes after the first `newCount`; does nothing when there are no more.
    package mutating func truncate(to newCount: Int) { count = max(0, min(count, newCount)) }

    // MARK: Results

    /// Calls `body` with the bytes from an offset on, which it uses only while it runs.
    package borrowing func withBorrowedBytes<Result: ~Copyable, Failure: Error>(
        from offset: Int = 0, _ body: (BorrowedBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(offset >= 0 && offset <= count)
        return try unsafe body(BorrowedBytes(start: start + offset, count: count &- offset))
    }

    /// The byte at an offset below the count.
    package subscript(offset: Int) -> UInt8 {
        get {
            precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
            return unsafe start[offset]
        }
        set {
            precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
            unsafe start[offset] = newValue
        }
    }

    /// Writes a number over the bytes from an offset on, which were written before.
    package mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        precondition(offset >= 0 && offset <= count &- MemoryLayout<Number>.size)
        unsafe UnsafeMutableRawPointer(start + offset).storeBytes(of: number, as: Number.self)
    }

    /// A copy of the bytes. O(count).
    package var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

    /// A copy of the bytes as a string. O(count).
    package var text: String { unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }

    /// Hands the memory over: the caller frees it with `free`. The second part is the number of bytes written.
    package consuming func takeMemory() -> (memory: UnsafeMutableRawPointer, count: Int) {
        let memory = unsafe start
        let count = count
        discard self
        return (UnsafeMutableRawPointer(memory), count)
    }

    /// Hands the memory over. The value that is returned frees it, unless it is handed over again.
    package consuming func takeBytes() -> OwnedBytes {
        let (memory, count) = unsafe takeMemory()
        return unsafe OwnedBytes(memory: memory, count: count)
    }
}

/// Bytes that were written, with the memory that they are in.
///
/// Safety: the memory comes from `malloc`, and only this value holds it, until it frees it or hands it over.
@safe
package struct OwnedBytes: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    package let count: Int

    fileprivate init(memory: UnsafeMutableRawPointer, count: Int) {
        unsafe self.memory = memory
        self.count = count
    }

    deinit { unsafe free(memory) }

    /// Calls `body` with the bytes, which it uses only while it runs.
    package borrowing func withBorrowedBytes<Result: ~Copyable, Failure: Error>(
        _ body: (BorrowedBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(BorrowedBytes(UnsafeRawBufferPointer(start: memory, count: count)))
    }

    /// Hands the memory over: the caller frees it with `free`.
    package consuming func take() -> (memory: UnsafeMutableRawPointer, count: Int) {
        let taken = unsafe (memory, count)
        discard self
        return unsafe taken
    }
}
