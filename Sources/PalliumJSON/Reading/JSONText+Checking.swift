/// Checks text that does not come from a reader.
extension JSONText {
    /// Checks bytes of unknown content; nil when they are not well-formed UTF-8.
    ///
    /// Safety: reads only inside the buffer, and a word only where eight bytes are left.
    package init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        let start = unsafe bytes.baseAddress ?? ("" as StaticString).utf8Start
        let end = unsafe start + bytes.count
        var position = unsafe start
        var isASCII = true
        while unsafe position < end {
            while unsafe end - position >= 8,
                unsafe UnsafeRawPointer(position).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                unsafe position += 8
            }
            guard unsafe position < end else { break }
            if unsafe position.pointee < 0x80 {
                unsafe position += 1
            } else {
                let length = unsafe UTF8Validation.lengthOfSequence(position, end)
                guard length > 0 else { return nil }
                isASCII = false
                unsafe position += length
            }
        }
        unsafe self.init(start: start, count: bytes.count, isASCII: isASCII)
    }
}

extension BorrowedBytes {
    /// The text of the bytes; nil when they are not well-formed UTF-8.
    package var validText: String? { unsafe JSONText(checking: buffer)?.string }

    /// Whether the bytes are well-formed UTF-8.
    package var isValidText: Bool { unsafe JSONText(checking: buffer) != nil }
}
