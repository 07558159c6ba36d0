import Foundation

/// Collects output and writes it in large pieces.
final class ByteOutput {
    private static let pieceBytes = 256 << 10

    private let descriptor: Descriptor
    private var pending: [UInt8] = []

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Adds text.
    func append(_ text: String) throws(OutputError) {
        pending += text.utf8
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds bytes. Large amounts are written without a copy.
    func append(_ bytes: Data) throws(OutputError) {
        if bytes.count >= Self.pieceBytes {
            try write(bytes)
        } else {
            pending += bytes
            if pending.count >= Self.pieceBytes { try flush() }
        }
    }

    /// Writes the collected output, and bytes behind it without a copy.
    func write(_ bytes: Data) throws(OutputError) {
        try flush()
        if !bytes.isEmpty { try write(contents: bytes) }
    }

    /// Writes the collected output.
    ///
    /// - Throws: ``OutputError`` if it cannot be written; the collected output is then dropped.
    func flush() throws(OutputError) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try write(contents: pending)
    }

    private func write(contents bytes: some ContiguousBytes) throws(OutputError) {
        do throws(SystemError) { try descriptor.write(bytes) } catch {
            throw error.isBrokenPipe ? .closed : .failed(error)
        }
    }
}
