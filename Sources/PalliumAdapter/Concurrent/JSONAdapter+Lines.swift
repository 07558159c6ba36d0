public import Foundation
import PalliumCore

// Decodes streams of lines on several threads.
extension JSONAdapter {
    /// Processes a stream of lines on several threads, and receives the values that a function makes of them, in order.
    ///
    ///     try adapter.process(lines: chunks, concurrently: 4) { block in
    ///         var lines = JSONLinesWriter(adapter)
    ///         var events = block.models
    ///         while let event = try events.next() { try lines.append(event) }
    ///         return lines.takeData()
    ///     } receive: { text in
    ///         try output.write(contentsOf: text)
    ///     }
    ///
    /// The stream is cut into blocks of whole lines. At most two blocks for each thread are in memory, so a stream of any
    /// length can be processed. The values do not depend on the number of threads.
    ///
    /// Chunks are asked for by one thread at a time, but not always the same. If a function throws, the call waits for
    /// the blocks that are being processed and for a chunk that was asked for, and throws the error.
    ///
    /// - Parameters:
    ///   - chunks: The text in chunks of bytes, which may be cut anywhere.
    ///   - threadCount: How many threads may process blocks at once. With one, everything runs on the caller's thread.
    ///   - isOrdered: Whether values are received in the order of the lines; otherwise as soon as they are made.
    ///   - transform: Makes a value of a block. It is called on several threads.
    ///   - receive: Takes a value. It is called on the caller's thread.
    /// - Throws: The first error of `transform`, in the order of the lines, or of `receive`.
    /// - Complexity: O(*n*) in the number of bytes.
    public func process<Chunks: Sequence, Value: Sendable, Failure: Error>(
        lines chunks: sending Chunks, concurrently threadCount: Int, inOrder isOrdered: Bool = true,
        _ transform: @escaping @Sendable (LineBlock<Model>) throws(Failure) -> Value,
        receive: (Value) throws(Failure) -> Void
    ) throws(Failure) where Chunks.Element: ContiguousBytes {
        try process(
            lines: chunks, concurrently: threadCount, inOrder: isOrdered, blockBytes: 256 << 10, transform,
            receive: receive)
    }

    /// Decodes a stream of lines on several threads, and returns what a function makes of the models, in order.
    ///
    ///     let titles = try adapter.map(lines: chunks, concurrently: 4) { issue in issue.title }
    ///     let views = try adapter.map(lines: chunks, concurrently: 4) { issue in issue.frozen() }
    ///
    /// - Parameters:
    ///   - chunks: The text in chunks of bytes, which may be cut anywhere.
    ///   - threadCount: How many threads may decode at once.
    ///   - transform: Makes a value of a model. It is called on several threads.
    /// - Throws: ``ModelError`` as `models(fromLines:)`, or the error of `transform`, whichever comes first in the text.
    /// - Complexity: O(*n*) in the number of bytes.
    public func map<Chunks: Sequence, Value: Sendable>(
        lines chunks: sending Chunks, concurrently threadCount: Int,
        _ transform: @escaping @Sendable (Model) throws -> Value
    ) throws -> [Value] where Chunks.Element: ContiguousBytes {
        var values: [Value] = []
        try process(lines: chunks, concurrently: threadCount) { block in
            var models = block.models
            var values: [Value] = []
            while let model = try models.next() { values.append(try transform(model)) }
            return values
        } receive: {
            values += $0
        }
        return values
    }

    /// Processes lines in blocks of about a number of bytes.
    package func process<Chunks: Sequence, Value: Sendable, Failure: Error>(
        lines chunks: sending Chunks, concurrently threadCount: Int, inOrder isOrdered: Bool = true, blockBytes: Int,
        _ transform: @escaping @Sendable (LineBlock<Model>) throws(Failure) -> Value,
        receive: (Value) throws(Failure) -> Void
    ) throws(Failure) where Chunks.Element: ContiguousBytes {
        try BlockProcessing.run(
            AnyIterator(LineBlockCutter<Model, _>(untyped, chunks.makeIterator(), blockBytes: blockBytes)),
            threadCount: threadCount, isOrdered: isOrdered, transform, receive: receive)
    }
}
