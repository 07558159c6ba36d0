/// Safety: words are loaded within the count of the bytes, while the string lends them.
extension String {
    /// Length and first bytes in one word: different for most different strings, equal for equal ones.
    var fingerprint: UInt64 {
        unsafe withBytes { start, count in
            var word: UInt64 = 0
            if count >= 8 {
                word = unsafe EightBytes.load(start) ^ EightBytes.load(start + (count - 8)) &* 31
            } else {
                for index in 0..<count { word = unsafe word << 8 | UInt64(start[index]) }
            }
            return word ^ UInt64(truncatingIfNeeded: count) << 56
        }
    }

    /// Hands out the UTF-8 bytes and their number: in place where Swift keeps them as such, in a copy otherwise, which
    /// happens to bridged strings of Apple platforms only. The address is a valid one also where there are no bytes.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        func handOut(_ bytes: UnsafeBufferPointer<UInt8>) -> Result {
            unsafe body(bytes.baseAddress ?? ("" as StaticString).utf8Start, bytes.count)
        }
        return unsafe utf8.withContiguousStorageIfAvailable(handOut) ?? withCopiedBytes(handOut)
    }

    @usableFromInline @inline(never)
    package func withCopiedBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var copy = self
        return copy.withUTF8(body)
    }
}
