import Foundation
import Pallium

/// The files and folders with the schema documents of a run; never empty.
struct SchemaPaths {
    private let paths: [String]

    /// Takes the values of `--schemas`.
    ///
    /// - Throws: ``UsageError`` if there is none.
    init(option parsed: ParsedArguments, command: Command) throws(UsageError) {
        paths = parsed.lists[.schemas] ?? []
        if paths.isEmpty { throw SourceArguments.missing(.schemas, command) }
    }

    /// Takes all operands.
    ///
    /// - Throws: ``UsageError`` if there is none.
    init(operands parsed: ParsedArguments, command: Command) throws(UsageError) {
        guard !parsed.operands.isEmpty else {
            throw UsageError(
                message: "\(command.rawValue) needs a folder or file with schema documents", command: command)
        }
        paths = parsed.operands
    }

    /// Takes an operand, and the values of `--schemas` for what it refers to.
    init(operand: String, _ parsed: ParsedArguments) { paths = [operand] + (parsed.lists[.schemas] ?? []) }

    var urls: [URL] { paths.map { URL(fileURLWithPath: $0) } }

    /// The paths for a message.
    var displayName: String { paths.map { PrintableText.escape($0, limit: 4096) }.joined(separator: ", ") }

    /// The names of the files and folders, for a title.
    var title: String { urls.map { $0.deletingPathExtension().lastPathComponent }.joined(separator: ", ") }

    /// Returns the lines that report problems of the documents. Their names include the folder, so that they can be
    /// opened from the working directory.
    func lines(for problems: [SchemaError.Problem]) -> [String] {
        let folder = folder
        return problems.map { problem in
            let isName = problem.source.map { !$0.utf8.contains(UInt8(ascii: "/")) } ?? false
            return PrintableText.escape((isName ? folder : "") + problem.description, limit: 8192)
        }
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
