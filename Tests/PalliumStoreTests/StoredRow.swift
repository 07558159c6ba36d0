import Pallium
import PalliumArchive
import PalliumJSON

/// Rows as the article describes them, for those that the tests write past the store.
enum StoredRow {
    /// The checksum of a row: that of the document, exclusive or that of schema, line feed and versions.
    static func checksum(_ document: String, schema: String = "Issue", versions: String = "{}") -> Int64 {
        func sum(_ text: String) -> UInt64 { text.withBorrowedBytes { ArchiveChecksum.of($0) } }
        return Int64(bitPattern: sum(document) ^ sum("\(schema)\n\(versions)"))
    }
}
