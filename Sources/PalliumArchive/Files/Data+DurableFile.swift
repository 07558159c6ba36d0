package import Foundation
package import PalliumCore

// Reads and replaces whole files.
extension Data {
    /// Reads a file; see `DurableFile`.
    package init(durableFile file: URL) throws(ModelError) {
        self = try DurableFile.read(file.localPath(.unreadableFile))
    }

    /// Replaces the content of a file as a whole or not at all; see `DurableFile`.
    package func write(durablyTo file: URL) throws(ModelError) {
        let path = try file.localPath(.unwritableFile)
        try withBorrowedBytes { bytes throws(ModelError) in try DurableFile.write(bytes, to: path) }
    }
}

extension URL {
    /// The path of the file.
    ///
    /// - Throws: ``ModelError`` for a URL that leads elsewhere: one of the web, or a file of another host.
    fileprivate func localPath(_ code: ModelError.Code) throws(ModelError) -> String {
        guard scheme == nil || isFileURL, ["", "localhost"].contains(host() ?? "") else {
            throw ModelError(code, expected: "the URL of a local file", found: ModelError.quote(absoluteString))
        }
        return path
    }
}
