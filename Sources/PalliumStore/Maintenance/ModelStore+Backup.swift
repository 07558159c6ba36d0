public import Foundation
import PalliumArchive
public import PalliumCore

extension ModelStore {
    /// Writes one state of the store to a file, while others read and write.
    ///
    /// The copy is one file, without free space in it. It replaces a file of the name as a whole when everything is on the
    /// disk. A store that is in use is not replaced, nor is this one. Nobody gets a right to the copy that the store does not
    /// give.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` when the file cannot be written, or is a store in use; it is
    ///   then as it was. With the code `conflict` for a store in memory inside of a transaction.
    /// - Complexity: O(*n*) in the size of the store.
    public func backup(to file: URL) throws(ModelError) {
        guard file.isFileURL else {
            throw ModelError(
                .unwritableFile, expected: "the URL of a file", found: ModelError.quote(file.absoluteString))
        }
        let target = file.resolvingSymlinksInPath().path
        func refuse(_ reason: String) throws(ModelError) -> Never {
            throw ModelError(.unwritableFile, expected: "a file that a copy may replace", found: reason)
        }
        if let own = connections.file?.path, URL(fileURLWithPath: own).resolvingSymlinksInPath().path == target {
            try refuse("the store itself")
        }
        // SQLite would apply the log or the journal of the file that was there to the copy.
        for suffix in ["-wal", "-journal"] {
            let log = try? FileManager.default.attributesOfItem(atPath: target + suffix)[.size] as? Int
            if let log, log > 0 { try refuse("a database that is in use, or was when its program died") }
        }
        let replacement = try FileReplacement(of: file.path, atMost: connections.file?.mode ?? 0o7777)
        try connections.copy(to: replacement.temporaryPath)
        try replacement.commit()
    }
}
