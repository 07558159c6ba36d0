import Pallium

/// Decodes the documents of the files in the arguments, one after the other.
final class DocumentSource {
    /// Longer arrays are decoded element by element. Shorter ones are held in memory, so that nothing of an array with
    /// a problem is written.
    private static let maximumHeldArrayBytes = 4 << 20
    /// The number of bytes that are read at a time.
    private static let pieceBytes = 256 << 10

    private let inputs: [String]
    private let isLines: Bool
    private let decoder: DocumentDecoder
    private let diagnostics: Diagnostics
    private let survivesUnreadableFiles: Bool

    /// The number of bytes read so far.
    private(set) var bytesRead = 0
    /// Whether a file could not be read.
    private(set) var hasFailed = false

    /// - Parameters:
    ///   - inputs: The files to read, `-` for standard input.
    ///   - isLines: Whether every line is a document.
    ///   - survivesUnreadableFiles: Whether to continue with the next file if one cannot be read.
    init(
        _ inputs: [String], isLines: Bool, decoder: DocumentDecoder, diagnostics: Diagnostics,
        survivesUnreadableFiles: Bool = false
    ) {
        self.inputs = inputs
        self.isLines = isLines
        self.decoder = decoder
        self.diagnostics = diagnostics
        self.survivesUnreadableFiles = survivesUnreadableFiles
    }

    /// Decodes every document. Of lines and long arrays, only one line or element and some pieces of input are held at
    /// a time.
    ///
    /// - Parameters:
    ///   - willWait: Called when the next documents may take a while to arrive.
    ///   - body: Called for each document, for each element of a long array, and at its end.
    /// - Throws: Errors of the closures, and `unreadable`.
    func forEach(
        willWait: () throws(Interruption) -> Void, body: (Decoded) throws(Interruption) -> Void
    ) throws(Interruption) {
        for path in inputs {
            let name = InputFile.displayName(of: path)
            do throws(Interruption) {
                let file = try open(path, name)
                var progress = Progress(activity: "decoding \(name)", size: file.size, diagnostics: diagnostics)
                defer { progress.end() }
                if isLines {
                    try stream(.lines, [], file, name, &progress, willWait: willWait, body: body)
                    continue
                }
                var bytes = try read(file, name, upTo: Self.maximumHeldArrayBytes + 1, &progress)
                if bytes.count > Self.maximumHeldArrayBytes, DocumentDecoder.isArray(bytes) {
                    try stream(.array, bytes, file, name, &progress, willWait: willWait, body: body)
                } else {
                    // One byte above the limit is read, so that the adapter reports a document that is too long.
                    let maximum = decoder.adapter.options.reading.maximumDocumentBytes + 1
                    if bytes.count > Self.maximumHeldArrayBytes {
                        bytes += try read(file, name, upTo: maximum - bytes.count, &progress)
                    }
                    try body(decoder.decode(bytes, file: name))
                }
            } catch .unreadable(let file, let error) where survivesUnreadableFiles {
                diagnostics.report(unreadable: file, error)
                hasFailed = true
            }
        }
    }

    private func stream(
        _ framing: StreamDecoder.Framing, _ head: [UInt8], _ file: borrowing InputFile, _ name: String,
        _ progress: inout Progress, willWait: () throws(Interruption) -> Void,
        body: (Decoded) throws(Interruption) -> Void
    ) throws(Interruption) {
        var stream = StreamDecoder(decoder.adapter, framing: framing, keepsTexts: decoder.keepsTexts)
        var count = 0
        head.withUnsafeBytes { stream.append($0) }
        while true {
            while let report = stream.nextReport() {
                var decoded = decoder.decoded(report, file: name, element: framing == .array ? .at(count) : nil)
                decoded.text = stream.lastText
                try body(decoded)
                count += 1
            }
            if stream.isFinished { break }
            try willWait()
            let piece: [UInt8]
            do throws(Interruption) {
                piece = try readPiece(file, name, upTo: Self.pieceBytes, &progress)
            } catch {
                // If the run continues, the elements written so far must stay an array.
                if framing == .array, survivesUnreadableFiles { try body(Decoded(file: name, element: .end)) }
                throw error
            }
            if piece.isEmpty { stream.end() } else { piece.withUnsafeBytes { stream.append($0) } }
        }
        if framing == .array { try body(Decoded(file: name, element: .end)) }
    }

    private func open(_ path: String, _ name: String) throws(Interruption) -> InputFile {
        do throws(SystemError) { return try InputFile(path: path) } catch { throw .unreadable(file: name, error) }
    }

    /// Reads the next bytes, as many as requested unless the file ends.
    private func read(
        _ file: borrowing InputFile, _ name: String, upTo maximum: Int, _ progress: inout Progress
    ) throws(Interruption) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(file.size ?? 0, maximum))
        while bytes.count < maximum {
            let piece = try readPiece(file, name, upTo: min(Self.pieceBytes, maximum - bytes.count), &progress)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    private func readPiece(
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
