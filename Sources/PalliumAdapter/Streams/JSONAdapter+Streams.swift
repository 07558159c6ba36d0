public import Foundation
public import PalliumCore

/// Decodes streams: text that does not fit into memory, or that is still arriving.
///
/// A stream is either lines of JSON texts (NDJSON) or one array. Its chunks of bytes, `Data` or `[UInt8]` for example,
/// may be cut anywhere: within a character, an escape or a number. Models and errors are those of the whole text, with
/// line, column and byte offset in the stream. ``JSONAdapterOptions/maximumElementBytes`` limits the memory.
///
extension JSONAdapter {
    /// Decodes lines that each contain the JSON text of a model.
    ///
    /// Blank lines are skipped, and the last line needs no line end. Use ``models(from:)`` for a whole document.
    ///
    /// - Throws: ``ModelError`` for the first line with a problem, with the line's number; not with
    ///   ``JSONAdapterOptions/ElementPolicy/skip``, which leaves out lines with problems, broken text included.
    /// - Complexity: O(*n*) in the number of bytes.
    public func models(fromLines bytes: some ContiguousBytes) throws(ModelError) -> sending [Model] {
        var stream = models(fromLines: CollectionOfOne(bytes))
        var models: [Model] = []
        while let model = try stream.next() { models.append(model) }
        return models
    }

    /// Decodes the lines of a text, like `models(fromLines:)` for bytes.
    public func models(fromLines text: some StringProtocol) throws(ModelError) -> sending [Model] {
        try models(fromLines: Array(text.utf8))
    }

    /// Decodes lines that each contain the JSON text of a model, one at a time, from chunks of bytes.
    public func models<Chunks: Sequence>(fromLines chunks: Chunks) -> ModelStream<Model, Chunks.Iterator>
    where Chunks.Element: ContiguousBytes {
        ModelStream(StreamDecoder(self, framing: .lines), chunks.makeIterator())
    }

    /// Decodes the elements of one JSON array, one at a time, from chunks of bytes.
    public func models<Chunks: Sequence>(fromArray chunks: Chunks) -> ModelStream<Model, Chunks.Iterator>
    where Chunks.Element: ContiguousBytes {
        ModelStream(StreamDecoder(self, framing: .array), chunks.makeIterator())
    }

    /// Decodes lines that each contain the JSON text of a model, from chunks of bytes that arrive over time.
    public func models<Chunks: AsyncSequence>(fromLines chunks: Chunks) -> AsyncModelStream<Model, Chunks>
    where Chunks.Element: ContiguousBytes {
        AsyncModelStream(decoder: StreamDecoder(self, framing: .lines), chunks: chunks)
    }

    /// Decodes the elements of one JSON array, from chunks of bytes that arrive over time.
    public func models<Chunks: AsyncSequence>(fromArray chunks: Chunks) -> AsyncModelStream<Model, Chunks>
    where Chunks.Element: ContiguousBytes {
        AsyncModelStream(decoder: StreamDecoder(self, framing: .array), chunks: chunks)
    }
}
