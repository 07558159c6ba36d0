import PalliumAdapter
import PalliumCore
import PalliumJSON

// Writes the values that `ArchiveCursor` reads.
extension JSONByteBuffer {
    @inline(__always)
    mutating func append(variable value: UInt64) {
        if value < 0x80 { return append(byte: UInt8(truncatingIfNeeded: value)) }
        appendLong(variable: value)
    }

    private mutating func appendLong(variable value: UInt64) {
        // A number of 64 bits takes at most ten bytes of seven bits.
        appendBytes(atMost: 10) { room in
            var rest = value
            var count = 0
            while rest >= 0x80 {
                room.store(UInt8(truncatingIfNeeded: rest) | 0x80, at: count)
                rest >>= 7
                count &+= 1
            }
            room.store(UInt8(truncatingIfNeeded: rest), at: count)
            return count &+ 1
        }
    }

    @inline(__always)
    mutating func append(zigzag value: Int64) {
        append(variable: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(fixed number: Number) {
        appendBytes(atMost: MemoryLayout<Number>.size) { room in
            room.store(number.littleEndian, as: Number.self, at: 0)
            return MemoryLayout<Number>.size
        }
    }

    mutating func append(text: String) {
        text.withBorrowedBytes { append(counted: $0) }
    }

    /// Appends a length and that many bytes.
    mutating func append(counted bytes: BorrowedBytes) { append(bytes, isCounted: true) }

    /// Appends bytes, and before them their number if a reader cannot know it.
    mutating func append(_ bytes: BorrowedBytes, isCounted: Bool) {
        if isCounted { append(variable: UInt64(bytes.count)) }
        append(bytes)
    }

    /// Appends the text of a slot, without counting references to it (see ``TextBytes``).
    ///
    /// Safety: the slot holds a text, and is not changed meanwhile.
    @inline(__always)
    mutating func append(textOf slot: PropertySlot) {
        let text = unsafe UnsafePointer(slot.pointer.assumingMemoryBound(to: String.self))
        guard let bytes = unsafe TextBytes(at: text) else { return append(text: slot.load(String.self)) }
        append(variable: UInt64(bytes.count))
        append(bytes)
    }

    // MARK: Parts of archives

    /// Appends the text of a JSON value.
    ///
    /// - Throws: an error for a value that is nested too deep.
    mutating func append(json: JSONValue) throws(JSONSyntaxError) {
        let bytes = try json.bytes()
        bytes.withBorrowedBytes { append(counted: $0) }
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

    /// Appends the schemas behind records and index, and writes the header.
    mutating func finishArchive(recordsLength: Int, _ schemas: [ArchivedSchema]) -> OwnedBytes {
        let indexLength = count - ArchiveHeader.byteCount - recordsLength
        append(schemas)
        let header = ArchiveHeader(
            recordsLength: recordsLength, indexLength: indexLength,
            schemasLength: count - ArchiveHeader.byteCount - recordsLength - indexLength)
        header.write(to: &self)
        var finished = JSONByteBuffer(capacity: 1)
        swap(&finished, &self)
        return finished.takeBytes()
    }
}
