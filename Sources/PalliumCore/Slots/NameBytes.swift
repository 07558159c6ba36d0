/// Comparison of names, which are short: calling the C library costs more than comparing.
///
/// Safety: callers promise `length` readable bytes at both addresses; words are loaded where so many bytes are left,
/// and the last ones overlap what was compared before.
enum NameBytes {
    /// Whether `length` bytes at both addresses are equal. Reads nothing outside the two ranges.
    @inline(__always)
    static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let left = unsafe UnsafeRawPointer(left)
        let right = unsafe UnsafeRawPointer(right)
        // Both ends of the range, which overlap unless it has exactly twice their size.
        guard length >= 8 else {
            if length >= 4 { return unsafe equalEnds(left, right, length, UInt32.self) }
            if length >= 2 { return unsafe equalEnds(left, right, length, UInt16.self) }
            return unsafe length <= 0 || left.load(as: UInt8.self) == right.load(as: UInt8.self)
        }
        var offset = 0
        while offset &+ 8 < length {
            guard unsafe word(left, offset) == word(right, offset) else { return false }
            offset &+= 8
        }
        // The last eight bytes, some of them a second time.
        return unsafe word(left, length &- 8) == word(right, length &- 8)
    }

    @inline(__always)
    private static func equalEnds<Word: FixedWidthInteger & BitwiseCopyable>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ length: Int, _ type: Word.Type
    ) -> Bool {
        let last = length &- MemoryLayout<Word>.size
        return unsafe left.loadUnaligned(as: Word.self) == right.loadUnaligned(as: Word.self)
            && left.loadUnaligned(fromByteOffset: last, as: Word.self)
                == right.loadUnaligned(fromByteOffset: last, as: Word.self)
    }

    @inline(__always)
    private static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        unsafe pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
