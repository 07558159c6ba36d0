package import PalliumCore

/// A new folder beside another one or inside of it, locked and removed as a temporary file is.
///
/// It is there for files that are renamed once all are complete, or is renamed with them.
package final class UnfinishedFolder {
    private let folder: TemporaryFile

    /// Makes an empty folder, and removes what dead programs left beside it.
    ///
    /// - Throws: ``ModelError`` with the code `unwritableFile` and a `POSIXError`.
    package init(in parent: String) throws(ModelError) {
        DurableFile.removeStaleFiles(in: parent)
        do throws(SystemFailure) { folder = try TemporaryFile(in: parent, isFolder: true) } catch {
            throw error.unwritable(parent)
        }
    }

    /// The path until the folder is renamed.
    package var path: String { folder.path }

    /// Gives the folder its final name. An empty folder of that name is replaced.
    ///
    /// - Throws: ``ModelError`` as ``init(in:)``.
    package func rename(to target: String) throws(ModelError) {
        do throws(SystemFailure) { try folder.rename(to: target) } catch { throw error.unwritable(target) }
    }
}
