import Foundation
import Pallium
import PalliumCore

/// Makes a folder with documents: the whole folder or nothing.
///
/// ```
///   .pallium-0123456789abcdef   new folder beside the other one, with all documents
///         │ rename
///         ▼
///   Schemas                     was not there, or empty
/// ```
enum NewFolder {
    /// Writes documents into a folder that does not exist or is empty.
    ///
    /// - Parameter documents: The names of the files without `.json`, and their texts.
    /// - Throws: ``SystemFailure``; then the folder is as it was.
    static func write(_ documents: [(name: String, text: String)], to path: String) throws(SystemFailure) {
        let target = URL(fileURLWithPath: path).standardizedFileURL.path
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        do throws(ModelError) {
            let folder = try UnfinishedFolder(in: parent)
            for document in documents {
                let file = URL(fileURLWithPath: "\(folder.path)/\(document.name).json")
                try Data(document.text.utf8).write(durablyTo: file)
            }
            // Renaming replaces an empty folder only.
            try folder.rename(to: target)
        } catch { throw SystemFailure(error) }
    }
}
