/// Access to the UTF-8 bytes of strings.
///
/// Safety: the bytes are used only inside the closure that lends them.
extension String {
    /// A word made of the length and some bytes: equal for equal strings, different for most others.
    var fingerprint: UInt64 {
        withBorrowedBytes { bytes in
            let count = bytes.count
            var word: UInt64 = 0
            if count >= 8 {
                word = bytes.word(at: 0) ^ bytes.word(at: count - 8) &* 31
            } else {
                for byte in bytes { word = word << 8 | UInt64(byte) }
            }
            return word ^ UInt64(truncatingIfNeeded: count) << 56
        }
    }

    /// Calls `body` with the UTF-8 bytes and their number.
    ///
    /// The bytes are copied only where Swift does not store the string as UTF-8: bridged strings on Apple platforms.
    /// The address is valid even if the string is empty.
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
