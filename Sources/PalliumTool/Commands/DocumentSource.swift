import Pallium
import PalliumAdapter

/// Decodes the documents of the files in the arguments, one after the other.
final class DocumentSource {
    /// Longer arrays are decoded element by element. Shorter ones are held in memory, so that nothing of an array with
    /// a problem is written.
    private static let maximumHeldArrayBytes = 4 << 20
    /// The number of bytes that are read at a time.
    private static let pieceBytes = 256 << 10

    private let inputs: [String]
    private let isLines: Bool
    private let allowsArrays: Bool
    private let adapter: JSONAdapter<DynamicModel>
    private let isCollecting: Bool
    private let keepsTexts: Bool
    private let run: Run
    private let survivesUnreadableFiles: Bool

    /// The number of bytes read so far.
    private(set) var bytesRead = 0
    /// Whether a file could not be read.
    private(set) var hasFailed = false

    /// - Parameters:
    ///   - inputs: The files to read, `-` for standard input.
    ///   - isLines: Whether every line is a document.
    ///   - allowsArrays: Whether a line may be an array of models.
    ///   - isCollecting: Whether to find every problem, or to stop at the first.
    ///   - keepsTexts: Whether the bytes of documents are kept.
    ///   - survivesUnreadableFiles: Whether to continue with the next file if one cannot be read.
    init(
        _ inputs: [String], isLines: Bool, allowsArrays: Bool = false, adapter: JSONAdapter<DynamicModel>,
        isCollecting: Bool = false, keepsTexts: Bool = false, run: Run,
        survivesUnreadableFiles: Bool = false
    ) {
        self.inputs = inputs
        self.isLines = isLines
        self.allowsArrays = allowsArrays
        self.adapter = adapter
        self.isCollecting = isCollecting
        self.keepsTexts = keepsTexts
        self.run = run
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
                let file = try InputFile(path: path, isJSON: true)
                var progress = Progress(activity: "decoding \(name)", size: file.size, run: run)
                defer { progress.end() }
                if isLines {
                    try stream(.lines, [], file, name, &progress, willWait: willWait, body: body)
                    continue
                }
                var bytes = try read(file, upTo: Self.maximumHeldArrayBytes + 1, &progress)
                if bytes.count > Self.maximumHeldArrayBytes, adapter.options.reading.comments == .error, isArray(bytes)
                {
                    try stream(.array, bytes, file, name, &progress, willWait: willWait, body: body)
                } else {
                    // One byte above the limit is read, so that the adapter reports a document that is too long.
                    let maximum = adapter.options.reading.maximumDocumentBytes + 1
                    if bytes.count > Self.maximumHeldArrayBytes {
                        bytes += try read(file, upTo: maximum - bytes.count, &progress)
                    }
                    try body(decode(bytes, file: name))
                }
            } catch .unreadable(let file, let error) where survivesUnreadableFiles {
                run.report(unreadable: file, error)
                hasFailed = true
            }
        }
    }

    private func stream(
        _ framing: StreamDecoder.Framing, _ head: [UInt8], _ file: borrowing InputFile, _ name: String,
        _ progress: inout Progress, willWait: () throws(Interruption) -> Void,
        body: (Decoded) throws(Interruption) -> Void
    ) throws(Interruption) {
        var stream = StreamDecoder(adapter, framing: framing, keepsTexts: keepsTexts)
        var count = 0
        head.withBorrowedBytes { stream.append($0) }
        while true {
            while let report = stream.nextReport() {
                var decoded = decoded(report, file: name, element: framing == .array ? .at(count) : nil)
                decoded.text = stream.lastText
                try body(decoded)
                count += 1
            }
            if stream.isFinished { break }
            try willWait()
            let piece: [UInt8]
            do throws(Interruption) {
                piece = try readPiece(file, upTo: Self.pieceBytes, &progress)
            } catch {
                // If the run continues, the elements written so far must stay an array.
                if framing == .array, survivesUnreadableFiles { try body(Decoded(file: name, element: .end)) }
                throw error
            }
            if piece.isEmpty { stream.end() } else { piece.withBorrowedBytes { stream.append($0) } }
        }
        if framing == .array { try body(Decoded(file: name, element: .end)) }
    }

    /// Reads the next bytes, as many as requested unless the file ends.
    private func read(
        _ file: borrowing InputFile, upTo maximum: Int, _ progress: inout Progress
    ) throws(Interruption) -> [UInt8] {
        try file.readAll(upTo: maximum) { count in
            bytesRead += count
            progress.advance(by: count)
        }
    }

    private func readPiece(
        _ file: borrowing InputFile, upTo maximum: Int, _ progress: inout Progress
    ) throws(Interruption) -> [UInt8] {
        let piece = try file.read(upTo: maximum)
        bytesRead += piece.count
        progress.advance(by: piece.count)
        return piece
    }

    // MARK: Decoding

    /// Decodes a whole document.
    private func decode(_ bytes: [UInt8], file: String) -> Decoded {
        var decoded = decodeModels(bytes, file: file)
        if keepsTexts { decoded.text = bytes }
        return decoded
    }

    private func decodeModels(_ bytes: [UInt8], file: String) -> Decoded {
        if isCollecting { return decoded(adapter.report(from: bytes), file: file) }
        do throws(ModelError) {
            return isArray(bytes)
                ? Decoded(models: try adapter.models(from: bytes), isArray: true, file: file)
                : Decoded(models: [try adapter.model(from: bytes)], file: file)
        } catch {
            return Decoded(problems: error.problems, file: file)
        }
    }

    /// Converts a report, with all problems or the first one.
    private func decoded(
        _ report: DecodingReport<DynamicModel>, file: String, element: Decoded.Element? = nil
    ) -> Decoded {
        var decoded = Decoded(file: file, location: report.location, element: element)
        if isLines, !allowsArrays, report.isArray {
            decoded.problems = [.arrayInLine(report.location)]
            return decoded
        }
        if isCollecting || report.problems.isEmpty {
            decoded.models = report.models
            decoded.isArray = report.isArray
            decoded.problems = report.problems
        } else {
            decoded.problems = Array(report.problems.prefix(1))
        }
        return decoded
    }

    /// Whether a text begins as an array; it may still be malformed.
    private func isArray(_ bytes: [UInt8]) -> Bool {
        bytes._withJSONDocument { $0.isArray(adapter.options.reading) }
    }
}
