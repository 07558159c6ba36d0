import Foundation
import PalliumCore

/// Hands a chunk of bytes to a decoder in pieces, so that a chunk that is a whole mapped file is not copied whole.
struct ChunkReader<Chunk: ContiguousBytes> {
    private static var pieceBytes: Int { 64 << 10 }

    private var chunk: Chunk?
    private var position = 0

    mutating func take(_ chunk: Chunk) {
        self.chunk = chunk
        position = 0
    }

    /// Adds the next piece to what the decoder has; false when the chunk is used up.
    mutating func feed<Model>(_ decoder: inout StreamDecoder<Model>) -> Bool {
        guard let chunk else { return false }
        let start = position
        let count = chunk.withUnsafeBytes { bytes in
            decoder.append(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.pieceBytes, bytes.count)]))
            return bytes.count
        }
        position = min(start + Self.pieceBytes, count)
        if position == count { self.chunk = nil }
        return true
    }
}

extension StreamDecoder {
    /// Takes pieces of chunks until there is an element or the end.
    mutating func next<Chunks: IteratorProtocol, Result>(
        _ chunks: inout Chunks, _ reader: inout ChunkReader<Chunks.Element>,
        _ body: (inout StreamDecoder) throws(ModelError) -> Result?
    ) throws(ModelError) -> Result? {
        while true {
            if let result = try body(&self) { return result }
            if isFinished { return nil }
            if reader.feed(&self) { continue }
            if let chunk = chunks.next() { reader.take(chunk) } else { end() }
        }
    }

    /// Takes pieces of chunks, waiting for them, until there is an element or the end.
    mutating func next<Chunks: AsyncIteratorProtocol, Result>(
        _ chunks: inout Chunks, _ reader: inout ChunkReader<Chunks.Element>,
        isolation actor: isolated (any Actor)?, _ body: (inout StreamDecoder) throws(ModelError) -> Result?
    ) async throws -> Result? {
        do {
            while true {
                try Task.checkCancellation()
                if let result = try body(&self) { return result }
                if isFinished { return nil }
                if reader.feed(&self) { continue }
                if let chunk = try await chunks.next(isolation: actor) { reader.take(chunk) } else { end() }
            }
        } catch {
            finish()
            throw error
        }
    }
}
