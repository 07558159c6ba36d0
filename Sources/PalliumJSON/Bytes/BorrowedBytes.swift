/// Bytes that somebody else holds, read with checks.
///
/// ```
///   start                     start + count
///     │ byte 0 │ byte 1 │ …     │
/// ```
/// Every read is compared with the count, so no sequence of calls reads outside the bytes.
///
/// Safety: whoever makes one of an address promises that the bytes are there, and unchanged, as long as it is used. A
/// function that lends one promises it for the call.
@frozen
@usableFromInline
@safe
package struct BorrowedBytes: RandomAccessCollection {
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline package let count: Int

    @inlinable @inline(__always)
    package init(start: UnsafePointer<UInt8>, count: Int) {
        assert(count >= 0)
        unsafe self.start = start
        self.count = count
    }

    @inlinable @inline(__always)
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address. Nothing is read at this one.
        unsafe self.init(start: bytes.baseAddress ?? ("" as StaticString).utf8Start, count: bytes.count)
    }

    @inlinable @inline(__always)
    package init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(bytes.assumingMemoryBound(to: UInt8.self))
    }

    @inlinable package var startIndex: Int { @inline(__always) get { 0 } }
    @inlinable package var endIndex: Int { @inline(__always) get { count } }
    @inlinable @inline(__always) package func index(after index: Int) -> Int { index &+ 1 }
    @inlinable @inline(__always) package func index(before index: Int) -> Int { index &- 1 }

    /// The byte at an offset, which must be below the count.
    @inlinable
    package subscript(offset: Int) -> UInt8 {
        @inline(__always) get {
            precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
            return unsafe start[offset]
        }
    }

    /// The byte at an offset; nil outside the bytes. A loop that ends there needs no other comparison.
    @inlinable @inline(__always)
    package func byte(at offset: Int) -> UInt8? {
        UInt(bitPattern: offset) < UInt(bitPattern: count) ? unsafe start[offset] : nil
    }

    /// The offset behind the bytes from an offset on that a function accepts.
    @inlinable @inline(__always)
    package func end(from offset: Int, while accepts: (UInt8) -> Bool) -> Int {
        precondition(offset >= 0)
        var end = offset
        while end < count, unsafe accepts(start[end]) { end &+= 1 }
        return end
    }

    /// The eight bytes from an offset on, the first byte lowest.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 { unsafe EightBytes.load(checked(offset, 8)) }

    /// The bytes from an offset on as a number that stands there as it does in memory.
    @inlinable @inline(__always)
    package func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
        unsafe UnsafeRawPointer(checked(offset, MemoryLayout<Value>.size)).loadUnaligned(as: Value.self)
    }

    /// Calls a function with each of the eight bytes from an offset on.
    @inlinable @inline(__always)
    package func forEachOfEight(at offset: Int, _ body: (UInt8) -> Void) {
        let first = unsafe checked(offset, 8)
        for index in 0..<8 { unsafe body(first[index]) }
    }

    /// The bytes of a range, counted from 0.
    @inlinable @inline(__always)
    package func part(_ range: Range<Int>) -> BorrowedBytes {
        unsafe BorrowedBytes(start: checked(range.lowerBound, range.count), count: range.count)
    }

    /// The bytes from an offset on, counted from 0.
    @inlinable @inline(__always)
    package func part(from offset: Int) -> BorrowedBytes {
        precondition(offset >= 0 && offset <= count)
        return unsafe BorrowedBytes(start: start + offset, count: count &- offset)
    }

    /// Whether these are the bytes of others.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: BorrowedBytes) -> Bool {
        unsafe count == other.count && UTF8Text.equalBytes(start, other.start, count)
    }

    /// Returns an address after it was checked that some bytes from it on belong to these.
    @inlinable @inline(__always)
    func checked(_ offset: Int, _ length: Int) -> UnsafePointer<UInt8> {
        precondition(length >= 0 && offset >= 0 && offset <= count &- length)
        return unsafe start + offset
    }

    /// The bytes for functions that take a buffer.
    @inlinable
    package var buffer: UnsafeBufferPointer<UInt8> {
        @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
    }

    /// The bytes for functions that take a raw buffer.
    @inlinable
    package var rawBuffer: UnsafeRawBufferPointer {
        @inline(__always) get { unsafe UnsafeRawBufferPointer(start: start, count: count) }
    }

    /// Calls a function with the bytes of a value as they stand in memory.
    package static func lend<Value: BitwiseCopyable>(of value: Value, to body: (BorrowedBytes) -> Void) {
        unsafe withUnsafeBytes(of: value) { unsafe body(BorrowedBytes($0)) }
    }

    // Lets arrays and strings copy all bytes at once.
    @inlinable @inline(__always)
    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe body(buffer)
    }
}

extension [UInt8] {
    /// Calls a function with the bytes, which it uses only while it runs.
    @inlinable @inline(__always)
    package func withBorrowedBytes<Result, Failure: Error>(
        _ body: (BorrowedBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { bytes throws(Failure) in try unsafe body(BorrowedBytes(bytes)) }
    }
}

extension Sequence<UInt8> {
    /// Calls a function with all bytes, which it uses only while it runs. They are copied if they are not in one block.
    func withContiguousBytes<Result>(_ body: (BorrowedBytes) -> Result) -> Result {
        withContiguousStorageIfAvailable { unsafe body(BorrowedBytes($0)) } ?? Array(self).withBorrowedBytes(body)
    }
}

extension String {
    /// Calls a function with the UTF-8 bytes, which it uses only while it runs (see `withBytes`).
    @inlinable @inline(__always)
    package func withBorrowedBytes<Result>(_ body: (BorrowedBytes) -> Result) -> Result {
        unsafe withBytes { unsafe body(BorrowedBytes(start: $0, count: $1)) }
    }
}
