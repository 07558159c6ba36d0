import PalliumJSON

extension JSONByteBuffer {
    /// Appends the string at an address as a JSON string, without counting references to it: that costs more than writing
    /// a short text, and the compiler does it as soon as the buffer is changed while the string is looked at.
    ///
    /// Safety: `text` is a string in a slot that nobody changes during the call. Text of more than 15 bytes stands in
    /// storage of its own, which lives as long as the string; shorter text may be handed out in a copy and is copied.
    @inline(__always)
    mutating func append(quoted text: UnsafePointer<String>) {
        var short: (UInt64, UInt64) = (0, 0)
        let found: (start: UnsafePointer<UInt8>?, count: Int)? = text.pointee.utf8.withContiguousStorageIfAvailable {
            bytes in
            if bytes.count > 15 { return (bytes.baseAddress, bytes.count) }
            withUnsafeMutableBytes(of: &short) { $0.copyBytes(from: UnsafeRawBufferPointer(bytes)) }
            return (nil, bytes.count)
        }
        guard let found else { return append(quoted: text.pointee) }
        if let start = found.start { return append(quoted: start, count: found.count) }
        withUnsafeBytes(of: &short) { bytes in
            if let start = bytes.bindMemory(to: UInt8.self).baseAddress {
                append(quoted: start, count: found.count)
            }
        }
    }
}
