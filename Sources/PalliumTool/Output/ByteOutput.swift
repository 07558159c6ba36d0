import Foundation
import Pallium
import PalliumCore

/// Collects output and writes it in large pieces: to standard output, or to a file.
///
/// ```
///   standard output, pipe, device   written as it comes
///   file                            written beside the old content, which it replaces at the end of the run
///   file that is appended           emptied, then written as it comes
/// ```
final class ByteOutput {
    private enum Target {
        case descriptor(Descriptor)
        case file(FileReplacement)
    }

    private static let pieceBytes = 256 << 10

    /// The name in messages.
    private let name: String
    private let target: Target
    private var pending: [UInt8] = []
    /// Whether something was written, be it empty.
    private var isUsed = false
    let isTerminal: Bool
    /// The files that are written beside the output.
    var sideFiles: [ByteOutput] = []
    /// The line that may be shown on the same terminal.
    weak var status: StatusLine?

    init(_ descriptor: Descriptor) {
        target = .descriptor(descriptor)
        name = "standard output"
        isTerminal = descriptor.isTerminal
    }

    /// Opens a pipe or device, or makes a new file beside the one that it may replace.
    ///
    /// - Parameter isWrittenInPlace: Whether the file itself is emptied and written.
    /// - Throws: ``Interruption`` if it cannot be written.
    init(path: String, isWrittenInPlace: Bool = false) throws(Interruption) {
        name = InputFile.displayName(of: path)
        do throws(SystemFailure) {
            target =
                isWrittenInPlace
                ? .descriptor(try .open(path, O_WRONLY | O_CREAT | O_TRUNC)) : try Self.target(at: path)
        } catch {
            throw .unwritable(file: InputFile.displayName(of: path), error)
        }
        isTerminal = if case .descriptor(let descriptor) = target { descriptor.isTerminal } else { false }
    }

    deinit {
        // Standard output stays open.
        if case .descriptor(let descriptor) = target, descriptor.number > 2 { close(descriptor.number) }
    }

    private static func target(at path: String) throws(SystemFailure) -> Target {
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        if kind != S_IFREG, kind != S_IFDIR { return .descriptor(try .open(path, O_WRONLY)) }
        // Replacing a file needs no right to write it.
        if kind == S_IFREG, access(path, W_OK) != 0, errno != ENOENT { throw SystemFailure(errno) }
        do throws(ModelError) { return .file(try FileReplacement(of: path)) } catch { throw SystemFailure(error) }
    }

    /// Adds text.
    func append(_ text: String) throws(Interruption) {
        isUsed = true
        pending += text.utf8
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds lines of a text that comes from input, each made fit for a terminal.
    func append(linesOf text: String) throws(Interruption) {
        for line in text.split(separator: "\n") { try append("\(ModelError.shorten(String(line), to: 4096))\n") }
    }

    /// Adds bytes. Large amounts are written without a copy.
    func append(_ bytes: Data) throws(Interruption) {
        isUsed = true
        if bytes.count >= Self.pieceBytes {
            try write(bytes)
        } else {
            pending += bytes
            if pending.count >= Self.pieceBytes { try flush() }
        }
    }

    /// Writes the collected output, and bytes behind it without a copy.
    func write(_ bytes: Data) throws(Interruption) {
        isUsed = true
        try flush()
        if !bytes.isEmpty { try write(contents: bytes) }
    }

    /// Writes the collected output.
    ///
    /// - Throws: ``Interruption`` if it cannot be written; the collected output is then dropped.
    func flush() throws(Interruption) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try write(contents: pending)
    }

    /// Writes a document or lines of text, and all collected output before it.
    func finish(_ text: String) throws(Interruption) {
        try append(text)
        try flush()
    }

    /// Keeps a file as it was, because its new content is incomplete.
    func discard() {
        pending = []
        isUsed = false
    }

    /// Ends a run: replaces the files beside the output and then the output, so that a program which sees it finds all.
    ///
    /// A file is not replaced if the run failed, or if a problem came before anything was written to it. None is replaced
    /// before all are written.
    ///
    /// - Throws: ``Interruption`` if a file cannot be replaced.
    func end(_ status: ExitStatus) throws(Interruption) {
        let complete = (sideFiles + [self]).filter { output in
            switch status {
            case .success: true
            case .problems, .ended: output.isUsed
            case .misuse, .outputClosed: false
            }
        }
        for output in complete { try output.flush() }
        for output in complete { try output.commit() }
    }

    private func commit() throws(Interruption) {
        guard case .file(let file) = target else { return }
        do throws(ModelError) { try file.commit() } catch {
            throw .unwritable(file: name, SystemFailure(error))
        }
    }

    private func write(contents bytes: some ContiguousBytes) throws(Interruption) {
        if isTerminal {
            status?.clear()
            status?.isBlocked = bytes.withUnsafeBytes { $0.last != UInt8(ascii: "\n") }
        }
        do throws(SystemFailure) {
            switch target {
            case .descriptor(let descriptor): try descriptor.write(bytes)
            case .file(let file): try file.write(bytes)
            }
        } catch { throw error.code == EPIPE ? .outputClosed : .unwritable(file: name, error) }
    }
}

extension FileReplacement {
    fileprivate func write(_ bytes: some ContiguousBytes) throws(SystemFailure) {
        do throws(ModelError) {
            try bytes.withBorrowedBytes { bytes throws(ModelError) in try write(bytes) }
        } catch { throw SystemFailure(error) }
    }
}
