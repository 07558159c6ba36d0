/// Checks text that does not come from a reader.
extension JSONText {
    /// Checks bytes of unknown content; nil when they are not well-formed UTF-8.
    ///
    /// Safety: reads only inside the buffer, and a word only where eight bytes are left.
    @usableFromInline
    package init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        let start = unsafe ByteAddress(bytes.baseAddress ?? ("" as StaticString).utf8Start)
        let end = start + bytes.count
        var position = start
        var isASCII = true
        while position < end {
            while end - position >= 8,
                unsafe position.word & 0x8080_8080_8080_8080 == 0
            {
                position += 8
            }
            guard position < end else { break }
            if unsafe position.byte < 0x80 {
                position += 1
            } else {
                let length = UTF8Validation.lengthOfSequence(position, end)
                guard length > 0 else { return nil }
                isASCII = false
                position += length
            }
        }
        unsafe self.init(start: start.pointer, count: bytes.count, isASCII: isASCII)
    }
}

extension BorrowedBytes {
    /// The text of the bytes; nil when they are not well-formed UTF-8.
    @inlinable package var validText: String? { unsafe JSONText(checking: buffer)?.string }

    /// Whether the bytes are well-formed UTF-8.
    package var isValidText: Bool { unsafe JSONText(checking: buffer) != nil }
}
