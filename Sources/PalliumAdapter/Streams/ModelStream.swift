public import Foundation
public import PalliumCore

// Streams of models and of reports.
//
// Safety: a model was made by the stream, has the class of the adapter, and is reachable from nowhere else.

/// A sequence of models from chunks of bytes; `models(fromLines:)` and `models(fromArray:)` return it.
///
///     var issues = adapter.models(fromLines: chunks)
///     while let issue = try issues.next() { … }
///
/// The stream reads chunks only when you ask for a model, and holds at most one chunk and one element.
public struct ModelStream<Model: DynamicModel, Chunks: IteratorProtocol> where Chunks.Element: ContiguousBytes {
    fileprivate var decoder: StreamDecoder
    fileprivate var chunks: Chunks
    fileprivate var reader = ChunkReader<Chunks.Element>()

    init(_ decoder: StreamDecoder, _ chunks: Chunks) {
        self.decoder = decoder
        self.chunks = chunks
    }

    /// Returns the next model; nil at the end. With ``JSONAdapterOptions/ElementPolicy/skip``, elements with problems
    /// are skipped.
    ///
    /// - Throws: ``ModelError`` with the line, column and byte offset in the stream; afterwards the stream is at its
    ///   end. Models that were returned before stay valid.
    public mutating func next() throws(ModelError) -> sending Model? {
        repeat {
            if let model = try decoder.next(Model.self) { return model }
        } while decoder.takeMore(from: &chunks, &reader)
        return nil
    }

    /// The elements of the stream as reports, instead of models.
    ///
    ///     for report in adapter.models(fromLines: chunks).reports {
    ///         for problem in report.problems { log(problem) }
    ///         if let event = report.model { handle(event) }
    ///     }
    ///
    /// Elements that `next()` returned before are left out. Every other element gives a report, even one that could not
    /// be decoded. A line may also contain an array of models. A malformed line does not affect the next line; malformed
    /// text in an array gives the last report.
    public var reports: some Sequence<DecodingReport<Model>> { ReportStream(stream: self) }
}

/// The reports about the elements of a stream.
private struct ReportStream<Model: DynamicModel, Chunks: IteratorProtocol>: Sequence, IteratorProtocol
where Chunks.Element: ContiguousBytes {
    /// Goes on where models were read before, also within a chunk.
    var stream: ModelStream<Model, Chunks>

    /// Returns the report about the next element; nil at the end.
    mutating func next() -> DecodingReport<Model>? {
        repeat {
            if let report = stream.decoder.nextReport() { return DecodingReport(report) }
        } while stream.decoder.takeMore(from: &stream.chunks, &stream.reader)
        return nil
    }
}
