import Foundation
import PalliumCore
import PalliumJSON

/// Reads schema documents from the file system.
///
/// Safety: `fileExists` writes one Boolean into a variable of the caller.
enum DocumentFiles {
    /// Reads the documents at a URL: the file itself, or the files of a folder whose names end in `.json`, sorted by
    /// the bytes of their names. Sub-folders and hidden files are skipped.
    ///
    /// A file that cannot be read becomes a problem. At most one byte more than a document's limit is read.
    static func read(at url: URL) -> (documents: [SchemaDocument], problems: [SchemaError.Problem]) {
        // Any other URL would be fetched from a network.
        guard url.isFileURL else {
            return ([], [problem(url.absoluteString, "schemas are loaded from files only")])
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            return ([], [problem(url.path, "there is no such file or folder")])
        }
        guard hasFolder(at: url) else { return read([url]) }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
                .filter { $0.utf8.first != UInt8(ascii: ".") && $0.utf8.suffix(5).elementsEqual(".json".utf8) }
                .sorted(by: UTF8Text.precedes)
            let files = names.map { url.appendingPathComponent($0) }.filter { !hasFolder(at: $0) }
            if files.isEmpty { return ([], [problem(url.path, "the folder holds no .json files")]) }
            return read(files)
        } catch {
            return ([], [problem(url.path, "the folder cannot be read: \(error.localizedDescription)")])
        }
    }

    private static func hasFolder(at url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func read(_ files: [URL]) -> (documents: [SchemaDocument], problems: [SchemaError.Problem]) {
        var documents: [SchemaDocument] = []
        var problems: [SchemaError.Problem] = []
        for file in files {
            do {
                let handle = try FileHandle(forReadingFrom: file)
                defer { try? handle.close() }
                // One byte above the limit is enough to detect a file that is too large.
                let data = try handle.read(upToCount: LocatedJSON.maximumDocumentBytes + 1) ?? Data()
                documents.append(SchemaDocument(name: file.lastPathComponent, bytes: Array(data)))
            } catch {
                problems.append(problem(file.path, "the file cannot be read: \(error.localizedDescription)"))
            }
        }
        return (documents, problems)
    }

    private static func problem(_ path: String, _ message: String) -> SchemaError.Problem {
        SchemaError.Problem(message: message, source: ModelError.shorten(path, to: 1000))
    }
}
