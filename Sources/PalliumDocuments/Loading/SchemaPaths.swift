package import Foundation
package import PalliumCore
import PalliumJSON

/// The files and folders with the schema documents of a run; none for a run that needs none.
package struct SchemaPaths: Sendable {
    private let paths: [String]

    package init(_ paths: [String]) { self.paths = paths }

    package var urls: [URL] { paths.map { URL(fileURLWithPath: $0) } }

    /// The paths for a message.
    package var displayName: String { paths.map { ModelError.shorten($0, to: 4096) }.joined(separator: ", ") }

    /// The names of the files and folders, for a title.
    package var title: String { urls.map { $0.deletingPathExtension().lastPathComponent }.joined(separator: ", ") }

    /// Returns the lines that report problems of the documents. Their names include the folder, so that they can be
    /// opened from the working directory.
    package func lines(for problems: [SchemaError.Problem]) -> [String] {
        let folder = folder
        return problems.map { problem in
            let isName = problem.source.map { !$0.utf8.contains(UInt8(ascii: "/")) } ?? false
            return ModelError.shorten((isName ? folder : "") + problem.description, to: 8192)
        }
    }

    /// Returns the sentence that tells how many problems of the documents end a run.
    package func sentence(for problems: [SchemaError.Problem]) -> String {
        "\(problems.count.counted("problem")) in schemas"
    }

    /// The folder, with a slash, that the names of documents lack. If there are several paths, they lack none.
    private var folder: String {
        guard paths.count == 1, let path = paths.first, let url = urls.first else { return "" }
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        var folder = isFolder ? path[...] : path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        while folder.utf8.last == UInt8(ascii: "/"), folder.utf8.count > 1 { folder.removeLast() }
        return folder.isEmpty ? "" : "\(folder)/"
    }
}
