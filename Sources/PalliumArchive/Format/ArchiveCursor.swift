import PalliumCore
import PalliumJSON

/// Reads the bytes of an archive from the front, never beyond the end.
///
/// Safety: `position <= end`, and `[position, end)` is readable as long as the cursor is used. Every length is compared
/// with the remaining bytes before it is used. A count is refused unless that many bytes are left, because every
/// counted item takes at least one.
@safe
struct ArchiveCursor {
    private var position: UnsafeRawPointer
    private let end: UnsafeRawPointer

    init(_ bytes: BorrowedBytes) {
        // An empty buffer may have no address; nothing is ever read from this one.
        unsafe position = bytes.rawBuffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        unsafe end = position + bytes.count
    }

    var remaining: Int { unsafe end - position }

    @inline(never)
    private func shortage() -> ModelError { .archive(expected: "more bytes", found: "the end of a part") }

    @inline(__always)
    mutating func take(_ count: Int) throws(ModelError) -> BorrowedBytes {
        unsafe BorrowedBytes(UnsafeRawBufferPointer(start: try pass(count), count: count))
    }

    @inline(__always)
    private mutating func pass(_ count: Int) throws(ModelError) -> UnsafeRawPointer {
        // A count from the bytes may be anything, so the comparison must not overflow.
        guard count >= 0, unsafe count <= end - position else { throw shortage() }
        let start = unsafe position
        unsafe position += count
        return unsafe start
    }

    @inline(__always)
    mutating func readByte() throws(ModelError) -> UInt8 { try unsafe pass(1).load(as: UInt8.self) }

    /// Reads an unsigned number: seven bits a byte, low ones first; the high bit says that another byte follows.
    @inline(__always)
    mutating func readVariable() throws(ModelError) -> UInt64 {
        let first = try readByte()
        return first < 0x80 ? UInt64(first) : try readLongVariable(first)
    }

    @inline(never)
    private mutating func readLongVariable(_ first: UInt8) throws(ModelError) -> UInt64 {
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let byte = try readByte()
            // The tenth byte holds the highest bit only.
            guard shift < 63 || byte <= 1 else {
                throw .archive(expected: "a number of 64 bits", found: "a longer one")
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
    }

    /// Reads a signed number, small ones short: 0, -1, 1, -2, … are 0, 1, 2, 3, …
    @inline(__always)
    mutating func readZigzag() throws(ModelError) -> Int64 {
        let value = try readVariable()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    @inline(__always)
    mutating func readWord() throws(ModelError) -> UInt64 {
        unsafe UInt64(littleEndian: try pass(8).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    mutating func readDouble() throws(ModelError) -> Double { Double(bitPattern: try readWord()) }

    @inline(__always)
    mutating func readDate() throws(ModelError) -> SpelledDate {
        SpelledDate(seconds: try readDouble(), spelling: DateSpelling(rawValue: try readVariable()))
    }

    /// Reads the count of items that take a byte each at least.
    @inline(__always)
    mutating func readCount() throws(ModelError) -> Int {
        let count = try readVariable()
        guard count <= UInt64(remaining) else { throw shortage() }
        return Int(count)
    }

    mutating func readCount(atMost maximum: Int) throws(ModelError) -> Int {
        let count = try readCount()
        guard count <= maximum else {
            throw .archive(expected: "at most \(maximum.counted("entry", "entries"))", found: "\(count)")
        }
        return count
    }

    /// Reads a number below a limit: of an object, a schema, a property.
    @inline(__always)
    mutating func readNumber(below limit: Int, _ what: StaticString) throws(ModelError) -> Int {
        let number = try readVariable()
        guard number < UInt64(limit) else { throw Self.outOfRange(number, limit, what) }
        return Int(number)
    }

    @inline(never)
    private static func outOfRange(_ number: UInt64, _ limit: Int, _ what: StaticString) -> ModelError {
        .archive(expected: "the number of \(what) below \(limit)", found: "\(number)")
    }

    @inline(__always)
    mutating func readBytes() throws(ModelError) -> BorrowedBytes {
        try take(readCount())
    }

    mutating func readText() throws(ModelError) -> String {
        guard let text = try readBytes().validText else { throw Self.otherBytes }
        return text
    }

    /// Reads a text only to check it.
    mutating func skipText() throws(ModelError) {
        guard try readBytes().isValidText else { throw Self.otherBytes }
    }

    private static var otherBytes: ModelError { .archive(expected: "text in UTF-8", found: "other bytes") }

    func expectEnd() throws(ModelError) {
        guard remaining == 0 else { throw .archive(expected: "the end of a part", found: "\(remaining) more bytes") }
    }
}
