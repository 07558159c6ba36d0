/// Writes strings as JSON text: in quotation marks, with the escapes that RFC 8259 §7 demands.
///
/// Invariant: before copying bytes or writing an escape, a function calls `reserve` for the rest of the text and 16
/// more bytes.
extension JSONByteBuffer {
    /// Appends `length` bytes of UTF-8 as a JSON string.
    @usableFromInline
    package mutating func append(quoted text: UnsafePointer<UInt8>, count length: Int) {
        unsafe append(quoted: text, count: length, escapingSlashes: false)
    }

    /// Appends `length` bytes of UTF-8 as a JSON string, eight bytes at a time while no escape is needed.
    package mutating func append(quoted text: UnsafePointer<UInt8>, count length: Int, escapingSlashes: Bool) {
        append(byte: UInt8(ascii: "\""))
        var source = unsafe ByteAddress(text)
        let end = source + length
        while true {
            // Sixteen more than the rest: for a whole word stored over the end, or for one escape and the closing
            // quotation mark.
            reserve(end - source &+ 16)
            source = appendPlain(source, end, escapingSlashes)
            if source == end { break }
            unsafe appendEscape(source.byte)
            source += 1
        }
        unsafe start[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    /// Appends up to the first byte that needs an escape, which it returns, or up to the end. Eight bytes more than
    /// `end - first` must be reserved.
    @inline(__always)
    private mutating func appendPlain(
        _ first: ByteAddress, _ end: ByteAddress, _ escapingSlashes: Bool
    ) -> ByteAddress {
        var source = first
        var target = unsafe start + count
        defer { count = unsafe target - start }
        // Two words in each round, while nothing needs an escape: the processor works on both at once.
        while !escapingSlashes && end - source >= 16 {
            let (low, high) = unsafe (source.word, (source + 8).word)
            if EightBytes.flagsOfEscapedBytes(low) | EightBytes.flagsOfEscapedBytes(high) != 0 { break }
            unsafe UnsafeMutableRawPointer(target).storeBytes(of: low.littleEndian, as: UInt64.self)
            unsafe UnsafeMutableRawPointer(target + 8).storeBytes(of: high.littleEndian, as: UInt64.self)
            source += 16
            unsafe target += 16
        }
        while end - source >= 8 {
            let word = unsafe source.word
            var flags = EightBytes.flagsOfEscapedBytes(word)
            if escapingSlashes { flags |= EightBytes.flagsOfSlashes(word) }
            unsafe UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
            let plain = flags == 0 ? 8 : EightBytes.firstFlag(flags)
            source += plain
            unsafe target += plain
            if flags != 0 { return source }
        }
        // Fewer than eight bytes are left. If the last eight all come after `first`, they are loaded and stored as one
        // word; that overlaps bytes that were stored before.
        let rest = end - source
        if rest > 0, source - first >= 8 - rest {
            let word = unsafe (end - 8).word
            var flags = EightBytes.flagsOfEscapedBytes(word)
            if escapingSlashes { flags |= EightBytes.flagsOfSlashes(word) }
            if flags == 0 {
                unsafe UnsafeMutableRawPointer(target + (rest - 8)).storeBytes(of: word.littleEndian, as: UInt64.self)
                unsafe target += rest
                return end
            }
        }
        while source < end, unsafe !Self.needsEscape(source.byte, escapingSlashes) {
            unsafe target.pointee = unsafe source.byte
            unsafe target += 1
            source += 1
        }
        return source
    }

    /// Appends a string as a JSON string, without copying it first where Swift keeps it as UTF-8.
    package mutating func append(quoted text: String, escapingSlashes: Bool = false) {
        unsafe text.withBytes { start, count in
            unsafe append(quoted: start, count: count, escapingSlashes: escapingSlashes)
        }
    }

    /// Appends UTF-8 as a JSON string.
    @inlinable @inline(__always)
    package mutating func append(quoted text: BorrowedBytes) { unsafe append(quoted: text.start, count: text.count) }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8, _ escapingSlashes: Bool) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || escapingSlashes && byte == UInt8(ascii: "/")
    }

    /// Appends the short escape where RFC 8259 has one, `\u00xx` otherwise. Six bytes must be reserved.
    private mutating func appendEscape(_ byte: UInt8) {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x09: short = UInt8(ascii: "t")
        case 0x0A: short = UInt8(ascii: "n")
        case 0x0C: short = UInt8(ascii: "f")
        case 0x0D: short = UInt8(ascii: "r")
        default:
            append(literal: "\\u00")
            append(byte: UInt8(ascii: "0") + byte >> 4)
            let low = byte & 15
            append(byte: low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
            return
        }
        append(byte: UInt8(ascii: "\\"))
        append(byte: short)
    }
}
