import PalliumCore
import PalliumJSON

/// Writes values in slots, and texts of plans.
///
/// Safety: bytes are used only while they are lent.
extension JSONByteBuffer {
    /// Appends a string as a JSON string, without counting references to it.
    @inline(__always)
    mutating func append(quoted string: SlotString) {
        unsafe string.withAddress { text in
            guard let bytes = unsafe TextBytes(at: text) else { return unsafe append(quoted: text.pointee) }
            append(quoted: bytes)
        }
    }

    @inline(__always)
    mutating func append(quoted text: PackedText) {
        unsafe text.withBytes { unsafe append(quoted: BorrowedBytes($0)) }
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
