/// Comparison of names, which are short: calling the C library costs more than comparing.
enum NameBytes {
    /// Whether `length` bytes at both addresses are equal. Reads nothing outside the two ranges.
    @inline(__always)
    static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let left = UnsafeRawPointer(left)
        let right = UnsafeRawPointer(right)
        guard length >= 8 else {
            for offset in 0..<length
            where left.load(fromByteOffset: offset, as: UInt8.self)
                != right.load(fromByteOffset: offset, as: UInt8.self)
            {
                return false
            }
            return true
        }
        var offset = 0
        while offset &+ 8 < length {
            guard word(left, offset) == word(right, offset) else { return false }
            offset &+= 8
        }
        // The last eight bytes, some of them a second time.
        return word(left, length &- 8) == word(right, length &- 8)
    }

    @inline(__always)
    private static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
