import Foundation
import Pallium

/// The files and folders with the schema documents of a run; none for a command that needs none.
struct SchemaPaths {
    private let paths: [String]

    /// Takes the values of `--schemas`.
    ///
    /// - Throws: ``UsageError`` if there is none, and the command has the option.
    init(option parsed: ParsedArguments) throws(UsageError) {
        paths = parsed.lists[.schemas] ?? []
        if paths.isEmpty, parsed.command.options.contains(.schemas) { throw parsed.missing(.schemas) }
    }

    /// Takes all operands.
    ///
    /// - Throws: ``UsageError`` if there is none.
    init(operands parsed: ParsedArguments) throws(UsageError) {
        guard !parsed.operands.isEmpty else {
            throw parsed.error("\(parsed.command.rawValue) needs a folder or file with schema documents")
        }
        paths = parsed.operands
    }

    /// Takes an operand, and the values of `--schemas` for what it refers to.
    init(operand: String, _ parsed: ParsedArguments) { paths = [operand] + (parsed.lists[.schemas] ?? []) }

    var urls: [URL] { paths.map { URL(fileURLWithPath: $0) } }

    /// The paths for a message.
    var displayName: String { paths.map { ModelError.shorten($0, to: 4096) }.joined(separator: ", ") }

    /// The names of the files and folders, for a title.
    var title: String { urls.map { $0.deletingPathExtension().lastPathComponent }.joined(separator: ", ") }

    /// Returns the lines that report problems of the documents. Their names include the folder, so that they can be
    /// opened from the working directory.
    func lines(for problems: [SchemaError.Problem]) -> [String] {
        let folder = folder
        return problems.map { problem in
            let isName = problem.source.map { !$0.utf8.contains(UInt8(ascii: "/")) } ?? false
            return ModelError.shorten((isName ? folder : "") + problem.description, to: 8192)
        }
    }

    /// Returns the end of a run by problems of the documents.
    func refusal(of error: SchemaError) -> Interruption {
        .refused("\(Quantity.count(error.problems.count, "problem")) in schemas", details: lines(for: error.problems))
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
