import Foundation
import PalliumCore
import PalliumJSON

/// A new file or folder with a unique name, locked as long as it exists under that name; removed unless it is renamed.
final class TemporaryFile {
    private static let digits = 16

    /// The name of a temporary file, in that of the file or of its journal; nil in other names.
    static func name(in name: String) -> String? {
        let prefix = DurableFile.temporaryPrefix
        let own = name.utf8.prefix(prefix.utf8.count + digits)
        let rest = name.utf8.dropFirst(own.count)
        let number = own.dropFirst(prefix.utf8.count)
        guard name.utf8.starts(with: prefix.utf8), number.count == digits,
            number.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            rest.isEmpty || rest.elementsEqual(UnfinishedFiles.journal.utf8)
        else { return nil }
        return String(Substring(own))
    }

    let path: String
    private let descriptor: Int32
    private var isRenamed = false

    /// Makes the file.
    ///
    /// - Parameters:
    ///   - isPrivate: Whether only this user may read the file until it gets the attributes of another one.
    ///   - isFolder: Whether it is a folder.
    init(in folder: String, isPrivate: Bool = false, isFolder: Bool = false) throws(SystemFailure) {
        while true {
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let padding = String(repeating: "0", count: Self.digits - number.utf8.count)
            let path = "\(folder)/\(DurableFile.temporaryPrefix)\(padding)\(number)"
            let descriptor: Int32
            UnfinishedFiles.add(path)
            do throws(SystemFailure) {
                if isFolder { try SystemFailure.makeFolder(path) }
                let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL
                descriptor = try SystemFailure.open(path, flags | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
            } catch {
                UnfinishedFiles.remove(path)
                if error.code == EEXIST { continue }
                if isFolder { try? SystemFailure.removeFolder(path) }
                throw error
            }
            if Self.lock(descriptor, path) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            // Another writer took the file for that of a dead writer before it was locked.
            UnfinishedFiles.delete(path)
            close(descriptor)
            UnfinishedFiles.remove(path)
        }
    }

    deinit {
        if !isRenamed { UnfinishedFiles.delete(path) }
        close(descriptor)
        UnfinishedFiles.remove(path)
    }

    /// Locks the file; returns whether it still exists. If files cannot be locked, no writer removes files of others
    /// either. A file that tells nothing counts as one that exists; without it, renaming fails.
    private static func lock(_ descriptor: Int32, _ path: String) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
        return !SystemFailure.isMissing(path)
    }

    /// Writes all bytes.
    func write(_ bytes: BorrowedBytes) throws(SystemFailure) {
        try FileSizeSignal.held { () throws(SystemFailure) in try SystemFailure.write(bytes, to: descriptor) }
    }

    /// The system's description of the file.
    func status() throws(SystemFailure) -> stat { try SystemFailure.status(of: descriptor) }

    /// Copies permissions and, if that is allowed, owner and group.
    func takeAttributes(of other: stat) throws(SystemFailure) {
        let own = try status()
        if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
            _ = fchown(descriptor, other.st_uid, other.st_gid)
        }
        // Last, because a change of the owner clears some permissions.
        try SystemFailure.check { fchmod(descriptor, other.st_mode & 0o7777) }
    }

    /// Waits until the content is on the disk.
    func synchronise() throws(SystemFailure) {
        #if canImport(Darwin)
            // On Darwin, fsync passes the bytes to the disk, which may keep them in its cache. Not every file system
            // can do more.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try SystemFailure.check { fsync(descriptor) }
    }

    /// Gives the file its final name, and replaces the file of that name.
    func rename(to target: String) throws(SystemFailure) {
        try SystemFailure.rename(path, to: target)
        isRenamed = true
    }
}
