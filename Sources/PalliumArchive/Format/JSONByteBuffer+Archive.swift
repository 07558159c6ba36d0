import PalliumAdapter
import PalliumCore
import PalliumJSON

// Writes the values that `ArchiveCursor` reads.
//
// Safety: nothing is written beyond the reserved room: a number of 64 bits takes at most ten bytes of seven bits, and a
// text or a buffer the bytes it counts.
extension JSONByteBuffer {
    @inline(__always)
    mutating func append(variable value: UInt64) {
        if value < 0x80 { return append(byte: UInt8(truncatingIfNeeded: value)) }
        appendLong(variable: value)
    }

    private mutating func appendLong(variable value: UInt64) {
        _ = unsafe appendBytes(atMost: 10) { start in
            var rest = value
            var count = 0
            while rest >= 0x80 {
                unsafe start[count] = UInt8(truncatingIfNeeded: rest) | 0x80
                rest >>= 7
                count &+= 1
            }
            unsafe start[count] = UInt8(truncatingIfNeeded: rest)
            return count &+ 1
        }
    }

    @inline(__always)
    mutating func append(zigzag value: Int64) {
        append(variable: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(fixed number: Number) {
        _ = unsafe appendBytes(atMost: MemoryLayout<Number>.size) { start in
            unsafe UnsafeMutableRawPointer(start).storeBytes(of: number.littleEndian, as: Number.self)
            return MemoryLayout<Number>.size
        }
    }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(counted: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a length and that many bytes.
    mutating func append(counted bytes: UnsafeRawBufferPointer) { unsafe append(bytes, isCounted: true) }

    /// Appends bytes, and before them their number if a reader cannot know it.
    mutating func append(_ bytes: UnsafeRawBufferPointer, isCounted: Bool) {
        if isCounted { append(variable: UInt64(bytes.count)) }
        if let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress {
            unsafe append(bytes: start, count: bytes.count)
        }
    }

    /// Appends the text at an address, without counting references to it (see ``SlotText``).
    @inline(__always)
    mutating func append(text: UnsafePointer<String>) {
        guard let found = unsafe SlotText(at: text) else { return unsafe append(text: text.pointee) }
        unsafe append(variable: UInt64(found.count))
        if let start = unsafe found.start { return unsafe append(bytes: start, count: found.count) }
        reserve(16)
        _ = unsafe appendBytes(atMost: 16) { target in
            unsafe UnsafeMutableRawPointer(target).storeBytes(of: found.short, as: (UInt64, UInt64).self)
            return unsafe found.count
        }
    }

    // MARK: Parts of archives

    /// Appends the text of a JSON value.
    ///
    /// - Throws: an error for a value that is nested too deep.
    mutating func append(json: JSONValue) throws(JSONSyntaxError) {
        let bytes = try json.bytes()
        unsafe bytes.withUnsafeBytes { unsafe append(counted: $0) }
    }

    /// Appends the preserved members of an object.
    mutating func append(preserved members: JSONObject, of number: Int) throws(ModelError) {
        append(variable: UInt64(number))
        do throws(JSONSyntaxError) { try append(json: .object(members)) } catch {
            throw ModelError(
                .depthLimit, expected: "JSON members of at most \(JSONWritingOptions().maximumDepth.counted("level"))",
                found: "deeper ones"
            ).at(["objects", "\(number)"]).located()
        }
    }

    /// Appends room for the header, which is known only at the end.
    mutating func beginArchive() {
        for _ in 0..<ArchiveHeader.byteCount / 8 { append(fixed: UInt64(0)) }
    }

    /// Appends the schemas behind records and index, and writes the header. The caller frees the memory with `free`.
    mutating func finishArchive(
        recordsLength: Int, _ schemas: [ArchivedSchema]
    ) -> (memory: UnsafeMutableRawPointer, count: Int) {
        let indexLength = count - ArchiveHeader.byteCount - recordsLength
        append(schemas)
        let header = ArchiveHeader(
            recordsLength: recordsLength, indexLength: indexLength,
            schemasLength: count - ArchiveHeader.byteCount - recordsLength - indexLength)
        var finished = JSONByteBuffer(capacity: 1)
        swap(&finished, &self)
        let (memory, count) = unsafe finished.takeMemory()
        // The memory is as long as the header and the three lengths.
        unsafe header.write(to: UnsafeMutableRawBufferPointer(start: memory, count: count))
        return unsafe (memory, count)
    }
}
