/// Strings as the bytes they are. Swift's own `==`, `hash` and `<` use canonical equivalence, which takes quadratic
/// time on hostile runs of combining marks and makes one name out of two JSON names.
///
/// Safety: bytes are compared where both counts are equal, and loaded within the count, while the strings lend them.
extension String {
    /// Whether both have the same UTF-8 bytes.
    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        let left = utf8
        let right = other.utf8
        guard left.count == right.count else { return false }
        let fast = unsafe left.withContiguousStorageIfAvailable { left in
            unsafe right.withContiguousStorageIfAvailable { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
                return unsafe EightBytes.areEqual(leftStart, rightStart, left.count)
            }
        }
        if case .some(.some(let result)) = fast { return result }
        return left.elementsEqual(right)
    }

    /// Feeds the UTF-8 bytes and their number to the hasher.
    func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        let done: Void? = unsafe utf8.withContiguousStorageIfAvailable {
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if done == nil {
            for byte in utf8 { hasher.combine(byte) }
        }
    }

    /// Whether the UTF-8 bytes come before those of `other`.
    func bytesPrecede(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// Length and first bytes in one word: different for most different strings, equal for equal ones.
    var fingerprint: UInt64 {
        let view = utf8
        let count = view.count
        let word: UInt64? = unsafe view.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress, count > 0 else { return 0 }
            if count >= 8 { return unsafe EightBytes.load(start) ^ EightBytes.load(start + (count - 8)) &* 31 }
            var word: UInt64 = 0
            for index in 0..<count { word = unsafe word << 8 | UInt64(bytes[index]) }
            return word
        }
        return (word ?? 0) ^ UInt64(truncatingIfNeeded: count) << 56
    }
}
