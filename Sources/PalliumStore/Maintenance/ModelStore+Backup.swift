public import Foundation
import PalliumArchive
public import PalliumCore

extension ModelStore {
    /// Writes one state of the store to a file, while others read and write.
    ///
    /// The copy is one file, without free space in it. It replaces a file of the name as a whole when everything is on the
    /// disk. Do not name a store that is open.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` when the file cannot be written; it is then as it was.
    /// - Complexity: O(*n*) in the size of the store.
    public func backup(to file: URL) throws(ModelError) {
        guard file.isFileURL else {
            throw ModelError(
                .unwritableFile, expected: "the URL of a file", found: ModelError.quote(file.absoluteString))
        }
        let replacement = try FileReplacement(of: file.path)
        try connections.copy(to: replacement.temporaryPath)
        try replacement.commit()
    }
}
