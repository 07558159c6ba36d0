/// The bytes of a string in a slot, found without counting references to it.
///
/// Counting costs more than writing a short text, and the compiler does it whenever a buffer is changed while the
/// string is read.
///
/// ```
///   more than 15 bytes   start ──▶ the string's own storage      15 bytes or fewer   short [ b b b … ]
/// ```
/// Safety: the string is in a slot that nobody changes while the bytes are used, which whoever makes them promises. Text
/// of more than 15 bytes is in storage of its own, which lives as long as the string; shorter text may be in a temporary
/// copy, so it is copied.
@frozen
@usableFromInline
@safe
package struct TextBytes {
    @usableFromInline let start: UnsafePointer<UInt8>?
    @usableFromInline let short: (UInt64, UInt64)
    @usableFromInline package let count: Int

    /// Nil for strings that do not hold UTF-8 at an address, such as those of Objective-C.
    @inlinable @inline(__always)
    package init?(at text: UnsafePointer<String>) {
        var short: (UInt64, UInt64) = (0, 0)
        let found: (start: UnsafePointer<UInt8>?, count: Int)? = unsafe text.pointee.utf8
            .withContiguousStorageIfAvailable {
                bytes in
                if bytes.count > 15 { return (bytes.baseAddress, bytes.count) }
                unsafe withUnsafeMutableBytes(of: &short) { unsafe $0.copyBytes(from: UnsafeRawBufferPointer(bytes)) }
                return (nil, bytes.count)
            }
        guard let found = unsafe found else { return nil }
        unsafe start = found.start
        unsafe count = found.count
        self.short = short
    }
}

extension JSONByteBuffer {
    /// Appends the bytes of a text as they are.
    @inlinable @inline(__always)
    package mutating func append(_ text: TextBytes) {
        if let start = unsafe text.start { return unsafe append(bytes: start, count: text.count) }
        appendBytes(atMost: 16) { room in
            room.store(text.short, as: (UInt64, UInt64).self, at: 0)
            return text.count
        }
    }

    /// Appends the bytes of a text as a JSON string.
    @inlinable @inline(__always)
    package mutating func append(quoted text: TextBytes) {
        if let start = unsafe text.start { return unsafe append(quoted: start, count: text.count) }
        unsafe withUnsafeBytes(of: text.short) { bytes in
            if let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress {
                unsafe append(quoted: start, count: text.count)
            }
        }
    }
}
