public import Foundation
public import PalliumCore

// Safety: a model was made by the stream, of the class of the adapter, and is reachable from nowhere else.

/// Models from chunks of bytes, one at a time: what `models(fromLines:)` and `models(fromArray:)` answer.
///
///     var issues = adapter.models(fromLines: chunks)
///     while let issue = try issues.next() { … }
///
/// Bytes are taken from the chunks when a model is asked for, and no more than one chunk and one element are held.
public struct ModelStream<Model: DynamicModel, Chunks: IteratorProtocol> where Chunks.Element: ContiguousBytes {
    private var decoder: StreamDecoder
    private var chunks: Chunks
    private var reader = ChunkReader<Chunks.Element>()

    init(_ decoder: StreamDecoder, _ chunks: Chunks) {
        self.decoder = decoder
        self.chunks = chunks
    }

    /// The next model; nil at the end. With ``JSONAdapterOptions/ElementPolicy/skip``, elements with problems are passed
    /// over.
    ///
    /// - Throws: ``ModelError`` with the line, column and byte offset in the stream; afterwards the stream is at its end.
    ///   Models that were handed out before stay as they are.
    public mutating func next() throws(ModelError) -> sending Model? {
        repeat {
            if let model = try decoder.nextModel() {
                // Made here, reachable from nowhere else, and of the class that the adapter makes.
                nonisolated(unsafe) let typed = unsafe unsafeDowncast(model, to: Model.self)
                return unsafe typed
            }
        } while decoder.takeMore(from: &chunks, &reader)
        return nil
    }
}

/// Reports about the elements of a stream of bytes: what `reports(fromLines:)` and `reports(fromArray:)` answer.
///
///     for report in adapter.reports(fromLines: chunks) {
///         for problem in report.problems { log(problem) }
///         if let event = report.model { handle(event) }
///     }
///
/// Every element gives a report, also one that could not be decoded. A line that is broken does no harm to the next;
/// broken text in an array is its last report.
public struct ReportStream<Model: DynamicModel, Chunks: IteratorProtocol>: Sequence, IteratorProtocol
where Chunks.Element: ContiguousBytes {
    private var decoder: StreamDecoder
    private var chunks: Chunks
    private var reader = ChunkReader<Chunks.Element>()

    init(_ decoder: StreamDecoder, _ chunks: Chunks) {
        self.decoder = decoder
        self.chunks = chunks
    }

    /// The report about the next element; nil at the end.
    public mutating func next() -> DecodingReport<Model>? {
        repeat {
            if let report = decoder.nextReport() { return DecodingReport(report) }
        } while decoder.takeMore(from: &chunks, &reader)
        return nil
    }
}

extension DecodingReport {
    /// The report with the class of the models, which the adapter made them of.
    init(_ report: DecodingReport<DynamicModel>) {
        self.init(
            models: report.models.map { unsafe unsafeDowncast($0, to: Model.self) }, problems: report.problems,
            isArray: report.isArray, location: report.location)
    }
}
