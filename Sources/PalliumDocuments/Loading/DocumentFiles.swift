package import Foundation
package import PalliumCore
import PalliumJSON

/// Reads schema documents from the file system.
///
/// Safety: `fileExists` writes one Boolean into a variable of the caller.
package enum DocumentFiles {
    /// Reads the documents at URLs: the file itself, or the files of a folder whose names end in `.json`, sorted by
    /// the bytes of their names. Sub-folders and hidden files are skipped. A file that several URLs lead to is read once.
    ///
    /// A document is called by the name of its file; if there are several URLs, by its path as the URL has it. A file that
    /// cannot be read becomes a problem. At most one byte more than a document's limit is read.
    package static func read(at urls: [URL]) -> (documents: [SchemaDocument], problems: [SchemaError.Problem]) {
        var documents: [SchemaDocument] = []
        var problems: [SchemaError.Problem] = []
        var known: Set<UTF8Key> = []
        // One URL names a file twice by links only, and what is equal is registered once anyway.
        let isOnly = urls.count == 1
        for url in urls {
            do throws(SchemaError) {
                for file in try files(at: url)
                where isOnly || known.insert(UTF8Key(file.resolvingSymlinksInPath().path)).inserted {
                    let name = isOnly ? file.lastPathComponent : ModelError.shorten(file.relativePath, to: 1000)
                    do throws(SchemaError) { documents.append(try read(file, name: name)) } catch {
                        problems += error.problems
                    }
                }
            } catch { problems += error.problems }
        }
        return (documents, problems)
    }

    private static func files(at url: URL) throws(SchemaError) -> [URL] {
        // Any other URL would be fetched from a network.
        guard url.isFileURL else { throw problem(url.absoluteString, "schemas are loaded from files only") }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw problem(url.path, "there is no such file or folder")
        }
        guard hasFolder(at: url) else { return [url] }
        let names: [String]
        do throws(SystemFailure) { names = try SystemFailure.names(inFolder: url.path) } catch {
            throw problem(url.path, "the folder cannot be read: \(error.text)")
        }
        let files = names.filter { $0.utf8.first != UInt8(ascii: ".") && $0.utf8.suffix(5).elementsEqual(".json".utf8) }
            .sorted(by: UTF8Text.precedes).map { url.appendingPathComponent($0) }.filter { !hasFolder(at: $0) }
        if files.isEmpty { throw problem(url.path, "the folder holds no .json files") }
        return files
    }

    private static func hasFolder(at url: URL) -> Bool {
        SystemFailure.status(of: url.path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    private static func read(_ file: URL, name: String) throws(SchemaError) -> SchemaDocument {
        do throws(SystemFailure) {
            // One byte above the limit is enough to detect a file that is too large.
            return SchemaDocument(
                name: name,
                bytes: try SystemFailure.bytes(of: file.path, upTo: LocatedJSON.maximumDocumentBytes + 1))
        } catch { throw problem(file.path, "the file cannot be read: \(error.text)") }
    }

    private static func problem(_ path: String, _ message: String) -> SchemaError {
        SchemaError([SchemaError.Problem(message: message, source: ModelError.shorten(path, to: 1000))])
    }
}
