import Foundation
import PalliumCore
import PalliumJSON

/// Passes a chunk of bytes to a decoder in pieces, so that a chunk that is a whole mapped file is not copied whole.
struct ChunkReader<Chunk: ContiguousBytes> {
    private static var pieceBytes: Int { 64 << 10 }

    private var chunk: Chunk?
    private var position = 0

    mutating func take(_ chunk: Chunk) {
        self.chunk = chunk
        position = 0
    }

    /// Adds the next piece to the decoder; returns false if the chunk has no more bytes.
    mutating func feed(_ decoder: inout StreamDecoder) -> Bool {
        guard let chunk else { return false }
        let start = position
        let count = chunk.withBorrowedBytes { bytes in
            decoder.append(bytes.part(start..<min(start + Self.pieceBytes, bytes.count)))
            return bytes.count
        }
        position = min(start + Self.pieceBytes, count)
        if position == count { self.chunk = nil }
        return true
    }
}

extension StreamDecoder {
    /// Adds the next piece of the chunks to the decoder; returns false if the stream is finished.
    mutating func takeMore<Chunks: IteratorProtocol>(
        from chunks: inout Chunks, _ reader: inout ChunkReader<Chunks.Element>
    ) -> Bool {
        if isFinished { return false }
        if reader.feed(&self) { return true }
        if let chunk = chunks.next() { reader.take(chunk) } else { end() }
        return true
    }

    /// Waits for the next piece of the chunks and adds it to the decoder; returns false if the stream is finished.
    mutating func takeMore<Chunks: AsyncIteratorProtocol>(
        from chunks: inout Chunks, _ reader: inout ChunkReader<Chunks.Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        if isFinished { return false }
        if reader.feed(&self) { return true }
        do {
            if let chunk = try await chunks.next(isolation: actor) { reader.take(chunk) } else { end() }
            return true
        } catch {
            finish()
            throw error
        }
    }

    /// Ends the stream if its task was cancelled.
    mutating func checkCancellation() throws {
        guard Task.isCancelled else { return }
        finish()
        throw CancellationError()
    }
}
