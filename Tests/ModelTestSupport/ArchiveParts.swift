import Pallium

/// An archive in its parts, to change some of them on purpose.
package struct ArchiveParts {
    package var records: [UInt8]
    package var index: [UInt8]
    package var schemas: [UInt8]
    private let header: [UInt8]

    package init(_ archive: some Sequence<UInt8>) {
        let bytes = Array(archive)
        func length(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        header = Array(bytes[..<56])
        records = Array(bytes[56...].prefix(length(16, 8)))
        index = Array(bytes[56...].dropFirst(records.count).prefix(length(24, 8)))
        schemas = Array(bytes[56...].dropFirst(records.count + index.count))
    }

    /// The archive, with checksums that fit.
    package var archive: [UInt8] {
        var bytes = header + records + index + schemas
        func store(_ length: Int, _ offset: Int, _ count: Int) {
            for byte in 0..<count { bytes[offset + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte)) }
        }
        store(schemas.count, 12, 4)
        store(records.count, 16, 8)
        store(index.count, 24, 8)
        ArchiveHeader.repairChecksums(of: &bytes)
        return bytes
    }
}
