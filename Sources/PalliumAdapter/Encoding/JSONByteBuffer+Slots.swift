import PalliumCore
import PalliumJSON

/// The bytes of a string in a slot, found without counting references to it.
///
/// Counting costs more than writing a short text, and the compiler does it whenever a buffer is changed while the
/// string is read.
///
/// ```
///   more than 15 bytes   start ──▶ the string's own storage      15 bytes or fewer   short [ b b b … ]
/// ```
/// Safety: the string is in a slot that nobody changes while the bytes are used. Text of more than 15 bytes is in
/// storage of its own, which lives as long as the string; shorter text may be in a temporary copy, so it is copied.
@unsafe
@usableFromInline
package struct SlotText {
    @usableFromInline package let start: UnsafePointer<UInt8>?
    @usableFromInline package let short: (UInt64, UInt64)
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
        unsafe self.short = short
    }
}

/// Writes values in slots, and texts of plans.
extension JSONByteBuffer {
    /// Appends a string as a JSON string, without counting references to it.
    @inline(__always)
    mutating func append(quoted string: SlotString) {
        unsafe string.withAddress { text in
            guard let found = unsafe SlotText(at: text) else { return unsafe append(quoted: text.pointee) }
            if let start = unsafe found.start { return unsafe append(quoted: start, count: found.count) }
            unsafe withUnsafeBytes(of: found.short) { bytes in
                if let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress {
                    unsafe append(quoted: start, count: found.count)
                }
            }
        }
    }

    @inline(__always)
    mutating func append(quoted text: PackedText) {
        unsafe text.withBytes { unsafe append(quoted: $0.baseAddress!, count: $0.count) }
    }

    /// Appends a date as an ISO 8601 text; returns false if it has none.
    @inline(__always)
    mutating func append(quoted date: SpelledDate) -> Bool {
        let written = appendBytes(atMost: ISO8601Text.maximumWrittenByteCount + 2) { room in
            room.store(UInt8(ascii: "\""), at: 0)
            guard let count = ISO8601Text.write(date, into: room.part(from: 1)) else { return 0 }
            room.store(UInt8(ascii: "\""), at: count &+ 1)
            return count &+ 2
        }
        return written > 0
    }

    /// Appends a text, without its first byte if `skippingFirst` is true.
    @inline(__always)
    mutating func append(_ text: PaddedText, skippingFirst: Bool = false) {
        text.append(to: &self, skippingFirst: skippingFirst)
    }

    /// The last byte; nil if there is none.
    var last: UInt8? { count > 0 ? self[count - 1] : nil }

    /// Parses the text after an offset, which is one value.
    func value(from start: Int, maximumDepth: Int) throws(JSONSyntaxError) -> JSONValue {
        try withBorrowedBytes(from: start) { bytes throws(JSONSyntaxError) in
            try JSONValue(parsing: bytes, options: .unlimited(maximumDepth: maximumDepth))
        }
    }
}
