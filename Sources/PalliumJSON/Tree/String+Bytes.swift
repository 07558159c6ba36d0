/// Strings as the bytes they are. Swift's own `==`, `hash` and `<` use canonical equivalence, which takes quadratic
/// time on hostile runs of combining marks and makes one name out of two JSON names.
///
/// Safety: bytes are compared where both counts are equal, and loaded within the count, while the strings lend them.
extension String {
    /// Whether both have the same UTF-8 bytes.
    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return unsafe withBytes { left, count in
            unsafe other.withBytes { right, _ in unsafe EightBytes.areEqual(left, right, count) }
        }
    }

    /// Feeds the UTF-8 bytes and their number to the hasher.
    func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        unsafe withBytes { start, count in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// Whether the UTF-8 bytes come before those of `other`.
    func bytesPrecede(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

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
