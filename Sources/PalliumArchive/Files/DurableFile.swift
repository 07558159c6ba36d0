import Foundation
package import PalliumCore
import PalliumJSON

/// A file whose content is replaced as a whole or not at all, even if the process dies meanwhile.
///
/// ```
///   .pallium-0123456789abcdef   new file beside the old one, locked, written, synchronised
///         │ rename
///         ▼
///   issues.pallium              the old content until this moment, the new one ever after
/// ```
/// The folder is synchronised after the rename, so that the new name survives a power failure too. A writer that dies
/// leaves its temporary file, and the system releases its lock. The next writer in the folder removes temporary files
/// that nobody locks. (Process numbers would not do: they are reused, and mean something else in a container.) Of two
/// simultaneous writers, the last to rename wins.
///
/// A symbolic link is kept and its target is replaced; a broken link is replaced itself.
package enum DurableFile {
    static let temporaryPrefix = ".pallium-"

    /// Replaces the content of a file, or makes the file.
    ///
    /// The permissions of a replaced file are kept, and its owner if the system allows it.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` and a `POSIXError`. The old content is still there,
    ///   unless only the last step failed, to synchronise the folder: then the new content is there, and may not
    ///   survive a power failure.
    static func write(_ bytes: BorrowedBytes, to path: String) throws(ModelError) {
        let replacement = try FileReplacement(of: path)
        try replacement.write(bytes)
        try replacement.commit()
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``ModelError`` with the code `unreadableFile` and a `POSIXError`.
    static func read(_ path: String) throws(ModelError) -> Data {
        do throws(SystemFailure) { return try readAll(path) } catch {
            throw error.error(.unreadableFile, expected: "a file that can be read", path)
        }
    }

    private static func readAll(_ path: String) throws(SystemFailure) -> Data {
        // A pipe would otherwise be opened only when something writes to it.
        let descriptor = try SystemFailure.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        let status = try SystemFailure.status(of: descriptor)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemFailure(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP)
        }
        // A file may change while it is read; it ends where reading ends. One with holes may say any size.
        var data = Data(count: Int(min(status.st_size, 1 << 30)) + 1)
        var count = 0
        while true {
            if count == data.count { data.count *= 2 }
            // The room behind `count` is not empty.
            let taken = try SystemFailure.read(descriptor, into: &data, behind: count)
            if taken == 0 { break }
            count += taken
        }
        data.count = count
        return data
    }

    // MARK: Folders

    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func synchronise(folder: String) throws(SystemFailure) {
        let descriptor = try SystemFailure.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        // Some file systems cannot synchronise folders and return an error.
        try SystemFailure.check(ignoring: EINVAL) { fsync(descriptor) }
    }

    /// Removes what dead writers left: temporary files and folders, and the journals that SQLite had beside them. A failure
    /// does not prevent saving.
    package static func removeStaleFiles(in folder: String) {
        for name in (try? SystemFailure.names(inFolder: folder)) ?? [] {
            guard let own = TemporaryFile.name(in: name) else { continue }
            let path = "\(folder)/\(own)"
            do throws(SystemFailure) {
                let descriptor = try open(path)
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { UnfinishedFiles.delete(path) }
                close(descriptor)
            } catch {
                // A journal whose file is gone.
                if error.code == ENOENT { UnfinishedFiles.delete(path) }
            }
        }
    }

    /// Opens a file or a folder, but nothing that a link leads to.
    private static func open(_ path: String) throws(SystemFailure) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        do throws(SystemFailure) {
            return try SystemFailure.open(path, O_RDWR | flags)
        } catch {
            guard error.code == EISDIR else { throw error }
            return try SystemFailure.open(path, O_RDONLY | flags)
        }
    }
}

extension SystemFailure {
    func error(_ code: ModelError.Code, expected: String, _ path: String) -> ModelError {
        ModelError(
            code, expected: "\(expected) at \(ModelError.quote(path))", found: "\(text) (errno \(self.code))",
            underlying: POSIXErrorCode(rawValue: self.code).map { POSIXError($0) })
    }

    /// The failure behind a problem with a file.
    package init(_ error: ModelError) {
        self.init(underlying: error.underlying)
        isAfterReplacement = error.isAfterReplacement
    }

    /// The failure behind an error of Foundation.
    package init(_ error: any Error) { self.init(underlying: (error as? CocoaError)?.underlying) }

    private init(underlying error: (any Error)?) { self.init((error as? POSIXError)?.code.rawValue ?? EIO) }
}
