import Foundation
import PalliumCore
import PalliumJSON

/// Cuts a stream of chunks into blocks of whole lines.
///
/// ```
///   chunks   {"id":1}⏎{"id"   :2}⏎{"id":3}⏎{   "id":4}
///   blocks   {"id":1}⏎   {"id":2}⏎{"id":3}⏎   {"id":4}
/// ```
/// A block ends with the last line end of a chunk, so lines are passed on as soon as they are complete. A line that is
/// longer than the options allow is passed on cut, which is enough to refuse it, and the rest is skipped.
struct LineBlockCutter<Model: DynamicModel, Chunks: IteratorProtocol>: IteratorProtocol
where Chunks.Element: ContiguousBytes {
    private let adapter: JSONAdapter<DynamicModel>
    private let blockBytes: Int
    private var chunks: Chunks
    /// The chunk that was not read to its end.
    private var chunk: Chunks.Element?
    private var position = 0
    /// The bytes that are in no block yet; they begin where a line does.
    private var bytes: [UInt8] = []
    /// The place of the first of them, or of the next one that is skipped.
    private var location = JSONLocation.start
    /// Whether the rest of a line that is too long is being skipped.
    private var isSkipping = false

    /// - Parameter blockBytes: How many bytes of a chunk are taken at a time.
    init(_ adapter: JSONAdapter<DynamicModel>, _ chunks: Chunks, blockBytes: Int) {
        self.adapter = adapter
        self.chunks = chunks
        self.blockBytes = max(blockBytes, 1)
    }

    /// Returns the next block; nil at the end.
    mutating func next() -> LineBlock<Model>? {
        while let chunk = chunk ?? chunks.next() {
            let start = position
            let (count, complete) = chunk.withBorrowedBytes { bytes in
                (bytes.count, take(bytes.part(start..<min(start + blockBytes, bytes.count))))
            }
            position = min(start + blockBytes, count)
            self.chunk = position < count ? chunk : nil
            if position == count { position = 0 }
            if complete > 0 { return block(complete) }
        }
        return bytes.isEmpty ? nil : block(bytes.count)
    }

    /// Adds a piece, and returns the number of bytes that complete a block, or zero.
    private mutating func take(_ piece: BorrowedBytes) -> Int {
        var piece = piece
        if isSkipping {
            let lineEnd = piece.offset(of: UInt8(ascii: "\n"), from: 0)
            let count = lineEnd.map { $0 + 1 } ?? piece.count
            isSkipping = lineEnd == nil
            advance(by: count, lines: isSkipping ? 0 : 1)
            if isSkipping { return 0 }
            piece = piece.part(from: count)
        }
        let former = bytes.count
        bytes.append(contentsOf: piece)
        if let lineEnd = piece.lastIndex(of: UInt8(ascii: "\n")) { return former + lineEnd + 1 }
        isSkipping = bytes.count > adapter.options.maximumElementBytes
        return isSkipping ? bytes.count : 0
    }

    private mutating func block(_ count: Int) -> LineBlock<Model> {
        let rest = Array(bytes[count...])
        bytes.removeLast(rest.count)
        let block = LineBlock<Model>(bytes: bytes, location: location, adapter: adapter)
        advance(by: count, lines: isSkipping ? 0 : bytes.lineEnds)
        bytes = rest
        return block
    }

    private mutating func advance(by count: Int, lines: Int) {
        location = JSONLocation(
            line: location.line + lines, column: lines > 0 ? 1 : location.column + count,
            byteOffset: location.byteOffset + count)
    }
}

extension [UInt8] {
    /// The number of line feeds.
    fileprivate var lineEnds: Int {
        withBorrowedBytes { bytes in
            var (count, start) = (0, 0)
            while let lineEnd = bytes.offset(of: UInt8(ascii: "\n"), from: start) {
                count += 1
                start = lineEnd + 1
            }
            return count
        }
    }
}
