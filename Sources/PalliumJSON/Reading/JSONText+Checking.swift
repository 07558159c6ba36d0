extension JSONText {
    /// The text of bytes that may be anything; nil when they are not well-formed UTF-8.
    ///
    /// Memory: reads only inside the buffer, words of eight bytes at offsets of which eight bytes lie in it.
    package init?(checking bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return nil }
        let end = start + bytes.count
        var position = start
        var isASCII = true
        while position < end {
            while end - position >= 8,
                UnsafeRawPointer(position).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
            }
            guard position < end else { break }
            if position.pointee < 0x80 {
                position += 1
            } else {
                let length = UTF8Validation.lengthOfSequence(position, end)
                guard length > 0 else { return nil }
                isASCII = false
                position += length
            }
        }
        self.init(start: start, count: bytes.count, isASCII: isASCII)
    }
}
