import PalliumJSON

extension JSONByteBuffer {
    /// Appends the string at an address as a JSON string.
    @inline(__always)
    mutating func append(quoted text: UnsafePointer<String>, _ escapesSlashes: Bool) {
        append(quoted: text.pointee, escapingSlashes: escapesSlashes)
    }
}
