#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Comparison and hashing of text by its UTF-8 bytes.
///
/// `String.==` and `String.hash` use canonical equivalence: two spellings of é are equal, and text with many combining
/// marks costs quadratic time. Bytes have neither property.
///
/// Safety: comparing 16 bytes as words is allowed because a `String` is 16 bytes, in a slot as in a variable. Bytes are
/// compared up to the smaller count, inside the closures that lend them.
@usableFromInline
package enum UTF8Text {
    /// Whether two texts have the same bytes.
    @inlinable @inline(__always)
    package static func equal(_ left: UnsafePointer<String>, _ right: UnsafePointer<String>) -> Bool {
        // The same 16 bytes are the same text: a short one inline, or the same storage.
        let leftWords = unsafe UnsafeRawPointer(left).load(as: (UInt64, UInt64).self)
        let rightWords = unsafe UnsafeRawPointer(right).load(as: (UInt64, UInt64).self)
        if leftWords == rightWords { return true }
        guard unsafe left.pointee.utf8.count == right.pointee.utf8.count else { return false }
        return unsafe equalBytes(left.pointee, right.pointee)
    }

    /// Whether two texts have the same bytes.
    @inlinable @inline(__always)
    package static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && equalBytes(left, right)
    }

    /// Whether a text has these bytes.
    @inlinable @inline(__always)
    package static func equal(_ text: UnsafePointer<String>, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard unsafe text.pointee.utf8.count == count else { return false }
        return unsafe text.pointee.withBytes { other, _ in unsafe equalBytes(other, start, count) }
    }

    /// Whether as many bytes are equal.
    @usableFromInline @_effects(releasenone) @inline(never)
    package static func equalBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe memcmp(left, right, count) == 0
    }

    /// Compares two texts with the same number of bytes.
    ///
    /// Both closures are written out here: when another function lends the bytes of one text, the compiler counts
    /// references to both texts, which took half the time of comparing models. With `releasenone` callers in other
    /// modules count no references either.
    @usableFromInline @_effects(releasenone) @inline(never)
    static func equalBytes(_ left: String, _ right: String) -> Bool {
        let result = unsafe left.utf8.withContiguousStorageIfAvailable { leftBytes in
            unsafe right.utf8.withContiguousStorageIfAvailable { rightBytes in
                guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress else {
                    return true
                }
                return unsafe memcmp(leftStart, rightStart, leftBytes.count) == 0
            }
        }
        return result.flatMap { $0 } ?? left.utf8.elementsEqual(right.utf8)
    }

    /// Hashes the bytes and their number, so that "ab","c" and "a","bc" differ.
    @inlinable @inline(__always)
    package static func hash(_ text: UnsafePointer<String>, into hasher: inout Hasher) {
        unsafe text.pointee.withBytes { start, count in unsafe hash(start, count, into: &hasher) }
    }

    /// Hashes bytes and their number.
    @inlinable @inline(__always)
    package static func hash(_ start: UnsafePointer<UInt8>, _ count: Int, into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        hasher.combine(count)
    }

    /// Hashes the bytes of a text and their number.
    package static func hash(_ text: String, into hasher: inout Hasher) {
        unsafe withUnsafePointer(to: text) { unsafe hash($0, into: &hasher) }
    }

    /// Whether `left` comes before `right` in the order of their bytes.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

/// A dictionary key that is text compared and hashed by its UTF-8 bytes.
package struct UTF8Key: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: UTF8Key, right: UTF8Key) -> Bool { UTF8Text.equal(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        UTF8Text.hash(text, into: &hasher)
    }
}

extension BorrowedBytes {
    /// The offset of the first byte of a value from an offset on.
    package func offset(of byte: UInt8, from first: Int) -> Int? {
        precondition(first >= 0)
        // The search stays between `first` and the end.
        guard first < count, let found = unsafe memchr(start + first, Int32(byte), count - first) else { return nil }
        return unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - start
    }
}
