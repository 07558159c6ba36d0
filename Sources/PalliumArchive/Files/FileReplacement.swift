package import Foundation
package import PalliumCore
package import PalliumJSON

/// The new content of a file, written in pieces beside the old content until it takes its place; see `DurableFile`.
///
/// Without `commit()`, the file stays as it was.
package final class FileReplacement {
    private let path: String
    private let target: String
    /// The attributes of the file that is replaced; nil if there is none.
    private let old: stat?
    private let file: TemporaryFile

    /// Makes an empty file beside the target.
    ///
    /// - Parameter mode: The rights that the file can have.
    /// - Throws: ``ModelError`` with the code `unwritableFile` and a `POSIXError`.
    package init(of path: String, atMost mode: mode_t = 0o7777) throws(ModelError) {
        self.path = path
        do throws(SystemFailure) {
            target = SystemFailure.realPath(of: path) ?? path
            let folder = DurableFile.folder(of: target)
            DurableFile.removeStaleFiles(in: folder)
            let present = SystemFailure.status(of: target)
            let isReplaced = present != nil
            var old = present ?? stat()
            if isReplaced, old.st_mode & S_IFMT != S_IFREG {
                throw SystemFailure(old.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP)
            }
            file = try TemporaryFile(in: folder, isPrivate: isReplaced)
            if !isReplaced { old = try file.status() }
            let isWider = old.st_mode & 0o7777 & ~mode != 0
            old.st_mode &= mode
            self.old = isReplaced || isWider ? old : nil
            // Before anything is in it.
            if !isReplaced, isWider { try file.takeAttributes(of: old) }
        } catch { throw error.unwritable(path) }
    }

    /// The name of the new file until it takes the place of the target, for code that writes by name.
    package var temporaryPath: String { file.path }

    /// Adds bytes.
    ///
    /// - Throws: ``ModelError`` as ``init(of:)``.
    package func write(_ bytes: BorrowedBytes) throws(ModelError) {
        do throws(SystemFailure) { try file.write(bytes) } catch { throw error.unwritable(path) }
    }

    /// Replaces the content of the file, or makes the file.
    ///
    /// - Throws: ``ModelError`` as `DurableFile.write`.
    package func commit() throws(ModelError) {
        do throws(SystemFailure) {
            if let old { try file.takeAttributes(of: old) }
            try file.synchronise()
            try file.rename(to: target)
        } catch { throw error.unwritable(path) }
        do throws(SystemFailure) { try DurableFile.synchronise(folder: DurableFile.folder(of: target)) } catch {
            throw error.error(.unwritableFile, expected: ModelError.synchronisedFolder, path)
        }
    }
}

extension ModelError {
    fileprivate static let synchronisedFolder = "a folder that can be synchronised after its file was replaced"

    /// Whether a file has its new content, and only a power failure may undo that.
    package var isAfterReplacement: Bool { expected.utf8.starts(with: Self.synchronisedFolder.utf8) }
}

extension SystemFailure {
    func unwritable(_ path: String) -> ModelError {
        error(.unwritableFile, expected: "a file that can be written", path)
    }
}
