import Pallium

/// The documents of the files that the arguments name, one after the other.
final class DocumentSource {
    private let arguments: SourceArguments
    private let diagnostics: Diagnostics
    private let survivesUnreadableFiles: Bool
    /// How much is read at a time.
    private let pieceBytes = 256 << 10
    /// How many bytes a document may have; the adapter says so about longer ones.
    private let maximumBytes = JSONReadingOptions().maximumDocumentBytes

    /// How much was read.
    private(set) var bytesRead = 0
    /// Whether a file could not be read.
    private(set) var hasFailed = false

    /// - Parameter survivesUnreadableFiles: Whether to go on with the next file when one cannot be read.
    init(_ arguments: SourceArguments, diagnostics: Diagnostics, survivesUnreadableFiles: Bool) {
        self.arguments = arguments
        self.diagnostics = diagnostics
        self.survivesUnreadableFiles = survivesUnreadableFiles
    }

    /// Hands out every document. Of lines, no more than one and a piece of input are held at a time.
    ///
    /// - Parameters:
    ///   - willWait: Called when the next documents may take a while to arrive.
    ///   - body: Called for each document.
    /// - Throws: What the closures throw, and `unreadable`.
    func forEach(
        willWait: () throws(Interruption) -> Void, body: (Document) throws(Interruption) -> Void
    ) throws(Interruption) {
        for path in arguments.inputs {
            let name = InputFile.displayName(of: path)
            do throws(Interruption) {
                let file = try open(path, name)
                if arguments.isLines {
                    try forEachLine(of: file, name, willWait: willWait, body: body)
                } else {
                    let document = Document(bytes: try whole(file, name), file: name)
                    var progress = Progress(activity: "decoding \(name)", size: nil, diagnostics: diagnostics)
                    defer { progress.end() }
                    progress.advance(by: document.bytes.count)
                    try body(document)
                }
            } catch .unreadable(let file, let error) where survivesUnreadableFiles {
                diagnostics.report(unreadable: file, error)
                hasFailed = true
            }
        }
    }

    private func forEachLine(
        of file: borrowing InputFile, _ name: String, willWait: () throws(Interruption) -> Void,
        body: (Document) throws(Interruption) -> Void
    ) throws(Interruption) {
        var progress = Progress(activity: "decoding \(name)", size: file.size, diagnostics: diagnostics)
        defer { progress.end() }
        var lines = LineBuffer(maximumBytes: maximumBytes)
        while true {
            try willWait()
            let piece = try read(file, name, upTo: pieceBytes, &progress)
            lines.append(piece)
            while let line = lines.next() {
                let document = Document(
                    bytes: line.bytes, file: name, firstLine: line.number, offset: line.offset, isLine: true)
                if !document.isBlank { try body(document) }
            }
            if piece.isEmpty { return }
        }
    }

    /// The whole file; of one that is too long, one byte more than allowed.
    private func whole(_ file: borrowing InputFile, _ name: String) throws(Interruption) -> [UInt8] {
        var progress = Progress(activity: "reading \(name)", size: file.size, diagnostics: diagnostics)
        defer { progress.end() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(file.size ?? 0, maximumBytes) + 1)
        while bytes.count <= maximumBytes {
            let piece = try read(file, name, upTo: min(pieceBytes, maximumBytes + 1 - bytes.count), &progress)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    private func open(_ path: String, _ name: String) throws(Interruption) -> InputFile {
        do throws(SystemError) { return try InputFile(path: path) } catch { throw .unreadable(file: name, error) }
    }

    private func read(
        _ file: borrowing InputFile, _ name: String, upTo maximum: Int, _ progress: inout Progress
    ) throws(Interruption) -> [UInt8] {
        do throws(SystemError) {
            let piece = try file.read(upTo: maximum)
            bytesRead += piece.count
            progress.advance(by: piece.count)
            return piece
        } catch {
            throw .unreadable(file: name, error)
        }
    }
}
