import PalliumCore

/// The files and folders of this process that will be renamed when they are complete. A program that is asked to end removes
/// them.
package enum UnfinishedFiles {
    private static let paths = Lock<Set<String>>([])

    /// Notes a path, before there is a file.
    package static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

    /// Forgets a path, when the file has another name or is removed.
    package static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    /// Removes the files and folders. Nothing can be made, renamed or forgotten any more: the process must end.
    package static func removeAll() {
        paths.withLock { paths in
            for path in paths { delete(path) }
        }
    }

    /// Removes a file, or a folder and the files in it, and the journal of SQLite.
    static func delete(_ path: String) {
        for path in [path, path + journal] where (try? SystemFailure.remove(path)) == nil {
            // Foundation would ask for the status of the folder first, and removes nothing if it gets none.
            for name in (try? SystemFailure.names(inFolder: path)) ?? [] {
                try? SystemFailure.remove("\(path)/\(name)")
            }
            try? SystemFailure.removeFolder(path)
        }
    }

    /// The suffix of a file's name for SQLite's journal.
    static let journal = "-journal"
}
