/// Room for bytes that somebody else holds, written with checks.
///
/// Safety: whoever makes one promises that the memory is there, and that nobody else uses it, as long as it is used.
/// Nothing is read, so it need not be initialised.
@frozen
@usableFromInline
@safe
package struct BorrowedRoom {
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    @usableFromInline package let count: Int

    @inlinable @inline(__always)
    package init(start: UnsafeMutablePointer<UInt8>, count: Int) {
        assert(count >= 0)
        unsafe self.start = start
        self.count = count
    }

    /// Writes the byte at an offset, which must be below the count.
    @inlinable @inline(__always)
    package func store(_ byte: UInt8, at offset: Int) { unsafe checked(offset, 1).pointee = byte }

    /// Writes the eight bytes of a word from an offset on, the lowest byte first.
    @inlinable @inline(__always)
    package func store(_ word: UInt64, at offset: Int) { store(word.littleEndian, as: UInt64.self, at: offset) }

    /// Writes a value from an offset on as it stands in memory.
    @inlinable @inline(__always)
    package func store<Value: BitwiseCopyable>(_ value: Value, as type: Value.Type, at offset: Int) {
        unsafe UnsafeMutableRawPointer(checked(offset, MemoryLayout<Value>.size)).storeBytes(of: value, as: type)
    }

    /// The room from an offset on.
    @inlinable @inline(__always)
    package func part(from offset: Int) -> BorrowedRoom {
        precondition(offset >= 0 && offset <= count)
        return unsafe BorrowedRoom(start: start + offset, count: count &- offset)
    }

    /// Returns an address after it was checked that some bytes from it on belong to the room.
    @inlinable @inline(__always)
    func checked(_ offset: Int, _ length: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(offset >= 0 && offset <= count &- length)
        return unsafe start + offset
    }
}

extension String {
    /// Makes the text that a function writes to as much room and whose number of bytes it returns; nil if it returns nil.
    /// No text is empty.
    package init?(inRoomFor capacity: Int, _ body: (BorrowedRoom) -> Int?) {
        self = unsafe String(unsafeUninitializedCapacity: capacity) { room in
            guard let start = room.baseAddress else { return 0 }
            let count = unsafe body(BorrowedRoom(start: start, count: capacity)) ?? 0
            precondition(count >= 0 && count <= capacity)
            return count
        }
        if utf8.isEmpty { return nil }
    }
}
