import Foundation
import PalliumCore

/// The file that a store has opened, in the process that opened it.
struct OpenedFile: Sendable {
    let path: String
    private let identity: Identity
    private let process = getpid()

    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// - Throws: ``ModelError`` with the code `unreadableFile` if there is none.
    init(_ path: String) throws(ModelError) {
        guard let identity = Self.identity(of: path) else {
            throw ModelError(.unreadableFile, expected: "a file that can be opened", found: "none")
        }
        self.path = path
        self.identity = identity
    }

    /// Whether there is a file at a path.
    static func exists(_ path: String) -> Bool { identity(of: path) != nil }

    /// The rights to the file; nil if it is gone.
    var mode: mode_t? {
        SystemFailure.status(of: path).map { $0.st_mode & 0o7777 }
    }

    /// Removes a file without content.
    func removeIfEmpty() {
        if SystemFailure.status(of: path)?.st_size == 0 { try? SystemFailure.remove(path) }
    }

    private static func identity(of path: String) -> Identity? {
        SystemFailure.status(of: path).map { Identity(device: $0.st_dev, number: $0.st_ino) }
    }

    /// Checks that the locks of SQLite are those of this process.
    ///
    /// - Throws: ``ModelError`` with the code `unreadableFile`.
    func checkProcess() throws(ModelError) {
        guard getpid() == process else {
            throw ModelError(
                .unreadableFile, expected: "a store that this process has opened",
                found: "one of the process before the fork: open the store again")
        }
    }

    /// Checks that whoever opens the file now will find what is written.
    ///
    /// - Throws: ``ModelError`` with the code `unreadableFile`.
    func checkPath() throws(ModelError) {
        guard Self.identity(of: path) == identity else {
            throw ModelError(
                .unreadableFile, expected: "the file that was opened",
                found: "another one, or none, at its path: open the store again")
        }
    }
}
