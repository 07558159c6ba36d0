import Foundation
import Pallium

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
    /// - Throws: ``SystemError``; then the folder is as it was.
    static func write(_ documents: [(name: String, text: String)], to path: String) throws(SystemError) {
        let target = URL(fileURLWithPath: path).standardizedFileURL.path
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let folder = "\(parent)/.pallium-\(number)"
        UnfinishedFiles.add(folder)
        defer { UnfinishedFiles.remove(folder) }
        guard mkdir(folder, 0o777) == 0 else { throw SystemError(code: errno) }
        do throws(SystemError) {
            for document in documents {
                do throws(ModelError) {
                    let file = URL(fileURLWithPath: "\(folder)/\(document.name).json")
                    try Data(document.text.utf8).write(durablyTo: file)
                } catch { throw SystemError(error) }
            }
            // Renaming replaces an empty folder only.
            guard rename(folder, target) == 0 else { throw SystemError(code: errno) }
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }
}
