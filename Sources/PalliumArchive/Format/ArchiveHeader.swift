import PalliumCore
import PalliumJSON

/// The first bytes of an archive: the lengths of its parts and their checksums.
///
/// ```
/// offset  bytes
///      0      8   magic: 89 50 41 4C 0D 0A 1A 0A
///      8      4   format version
///     12      4   length of the schemas
///     16      8   length of the records
///     24      8   length of the index
///     32      8   checksum of records and index
///     40      8   checksum of the schemas
///     48      8   checksum of the 48 bytes above
///     56          records, index, schemas; nothing else
/// ```
/// Numbers are little-endian. The header keeps this form in every format version, so that damage can be distinguished
/// from an archive of a newer version.
package struct ArchiveHeader {
    static let byteCount = 56
    static let knownVersion: UInt32 = 1
    /// A byte outside ASCII, the name, and the line ends and the end-of-file mark that text transfers change, as in
    /// PNG.
    private static let magic: UInt64 = 0x0A1A_0A0D_4C41_5089

    let recordsLength: Int
    let indexLength: Int
    let schemasLength: Int

    /// Writes the header of an archive whose other parts are complete, over the room for it.
    func write(to archive: inout JSONByteBuffer) {
        archive.store(Self.magic.littleEndian, at: 0)
        archive.store(Self.knownVersion.littleEndian, at: 8)
        archive.store(UInt32(schemasLength).littleEndian, at: 12)
        archive.store(UInt64(recordsLength).littleEndian, at: 16)
        archive.store(UInt64(indexLength).littleEndian, at: 24)
        let (bodySum, schemasSum) = archive.withBorrowedBytes {
            (ArchiveChecksum.of(body(of: $0)), ArchiveChecksum.of(schemas(of: $0)))
        }
        archive.store(bodySum.littleEndian, at: 32)
        archive.store(schemasSum.littleEndian, at: 40)
        archive.store(archive.withBorrowedBytes { ArchiveChecksum.of($0.part(0..<48)) }.littleEndian, at: 48)
    }

    /// Reads and checks the header, and compares the schemas with their checksum. The body is not read.
    ///
    /// - Throws: ``ModelError`` with the code `malformedArchive`, or `newerVersion` for a newer format.
    init(_ archive: BorrowedBytes) throws(ModelError) {
        func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
            Number(littleEndian: archive.load(Number.self, at: offset))
        }
        guard archive.count >= 8, load(UInt64.self, at: 0) == Self.magic else {
            throw .archive(
                expected: "an archive", found: archive.isEmpty ? "no bytes" : "bytes that begin otherwise")
        }
        guard archive.count >= Self.byteCount else {
            throw .archive(
                expected: "the \(Self.byteCount.counted("byte")) of a header", found: "\(archive.count.counted("byte"))"
            )
        }
        guard ArchiveChecksum.of(archive.part(0..<48)) == load(UInt64.self, at: 48)
        else {
            throw .archive(expected: "a header that fits its checksum", found: "a damaged one")
        }
        let version = load(UInt32.self, at: 8)
        guard version == Self.knownVersion else {
            throw ModelError(
                .newerVersion, expected: "an archive of format version \(Self.knownVersion)",
                found: "version \(version)")
        }
        let lengths = [UInt64(load(UInt32.self, at: 12)), load(UInt64.self, at: 16), load(UInt64.self, at: 24)]
        var rest = UInt64(archive.count - Self.byteCount)
        for length in lengths {
            guard length <= rest else {
                throw .archive(expected: "\(length) more bytes", found: "\(rest); the archive is cut short")
            }
            rest -= length
        }
        guard rest == 0 else { throw .archive(expected: "the end of the archive", found: "\(rest) more bytes") }
        // Each length is at most the number of bytes, which is an Int.
        schemasLength = Int(lengths[0])
        recordsLength = Int(lengths[1])
        indexLength = Int(lengths[2])
        guard ArchiveChecksum.of(schemas(of: archive)) == load(UInt64.self, at: 40) else {
            throw .archive(expected: "schemas that fit their checksum", found: "damaged ones")
        }
    }

    /// Compares records and index with their checksum; they must not be decoded before.
    func checkBody(of archive: BorrowedBytes) throws(ModelError) {
        let sum = archive.word(at: 32)
        guard ArchiveChecksum.of(body(of: archive)) == sum else {
            throw .archive(expected: "a body that fits its checksum", found: "a damaged one")
        }
    }

    func records(of archive: BorrowedBytes) -> BorrowedBytes {
        part(of: archive, at: Self.byteCount, recordsLength)
    }

    func index(of archive: BorrowedBytes) -> BorrowedBytes {
        part(of: archive, at: Self.byteCount + recordsLength, indexLength)
    }

    func schemas(of archive: BorrowedBytes) -> BorrowedBytes {
        part(of: archive, at: Self.byteCount + recordsLength + indexLength, schemasLength)
    }

    private func body(of archive: BorrowedBytes) -> BorrowedBytes {
        part(of: archive, at: Self.byteCount, recordsLength + indexLength)
    }

    private func part(of archive: BorrowedBytes, at offset: Int, _ length: Int) -> BorrowedBytes {
        archive.part(offset..<offset + length)
    }
}

extension ArchiveHeader {
    /// Corrects the checksums of changed bytes, so that tests reach the other checks. Lengths stay unchanged.
    package static func repairChecksums(of archive: inout [UInt8]) {
        guard archive.count >= byteCount else { return }
        let whole = archive
        func load(_ offset: Int) -> Int {
            Int(min(whole.withBorrowedBytes { $0.word(at: offset) }, UInt64(whole.count)))
        }
        let body = byteCount..<min(byteCount + load(16) + load(24), whole.count)
        func store(_ range: Range<Int>, at offset: Int) {
            let sum = archive.withBorrowedBytes { ArchiveChecksum.of($0.part(range)) }
            for index in 0..<8 { archive[offset + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
        }
        store(body, at: 32)
        store(body.upperBound..<whole.count, at: 40)
        store(0..<48, at: 48)
    }
}

extension ModelError {
    /// Makes the error for an archive that was damaged or not written by an archiver.
    static func archive(expected: String, found: String) -> ModelError {
        ModelError(.malformedArchive, expected: expected, found: found)
    }

    /// The error of a dictionary that has a key twice.
    static func repeatedKey(_ key: String) -> ModelError {
        archive(expected: "different keys", found: "\(ModelError.quote(key)) twice")
    }
}

extension ArchiveHeader {
    init(recordsLength: Int, indexLength: Int, schemasLength: Int) {
        self.recordsLength = recordsLength
        self.indexLength = indexLength
        self.schemasLength = schemasLength
    }
}
