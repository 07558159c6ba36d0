public import Foundation
public import PalliumCore

// Asynchronous streams of models and of reports.
//
// Safety: a model was made by the stream, has the class of the adapter, and is reachable from nowhere else.

/// An asynchronous sequence of models from chunks of bytes; `models(fromLines:)` and `models(fromArray:)` return it.
///
///     for try await event in adapter.models(fromLines: chunks) { … }
///
/// The stream returns a model as soon as its last byte has arrived, or in an array the comma or bracket behind it. In a
/// cancelled task it throws `CancellationError`.
public struct AsyncModelStream<Model: DynamicModel, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: ContiguousBytes {
    let decoder: StreamDecoder
    let chunks: Chunks

    /// Starts with the first chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(decoder: decoder, chunks: chunks.makeAsyncIterator())
    }

    /// The elements of the stream as reports, instead of models; see ``ModelStream/reports``.
    ///
    /// To use them in another task, send the stream there and take its reports there.
    public var reports: some AsyncSequence<DecodingReport<Model>, any Error> {
        AsyncReportStream(models: self)
    }

    /// The iterator of the stream's models.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var decoder: StreamDecoder
        fileprivate var chunks: Chunks.AsyncIterator
        fileprivate var reader = ChunkReader<Chunks.Element>()

        fileprivate init(decoder: StreamDecoder, chunks: Chunks.AsyncIterator) {
            self.decoder = decoder
            self.chunks = chunks
        }

        /// Returns the next model; nil at the end.
        ///
        /// - Throws: ``ModelError`` as ``ModelStream/next()``, `CancellationError`, and errors of the chunks;
        ///   afterwards the stream is at its end.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> sending Model? {
            repeat {
                try decoder.checkCancellation()
                if let model = try decoder.next(Model.self) { return model }
            } while try await decoder.takeMore(from: &chunks, &reader, isolation: actor)
            return nil
        }
    }
}

/// The reports about the elements of an asynchronous stream.
private struct AsyncReportStream<Model: DynamicModel, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: ContiguousBytes {
    let models: AsyncModelStream<Model, Chunks>

    /// Starts with the first chunk.
    func makeAsyncIterator() -> Iterator { Iterator(models: models.makeAsyncIterator()) }

    /// The iterator of the stream's reports.
    struct Iterator: AsyncIteratorProtocol {
        var models: AsyncModelStream<Model, Chunks>.Iterator

        /// Returns the report about the next element; nil at the end.
        ///
        /// - Throws: `CancellationError`, and errors of the chunks.
        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> DecodingReport<Model>? {
            repeat {
                try models.decoder.checkCancellation()
                if let report = models.decoder.nextReport() { return DecodingReport(report) }
            } while try await models.decoder.takeMore(from: &models.chunks, &models.reader, isolation: actor)
            return nil
        }
    }
}

extension AsyncModelStream: Sendable where Chunks: Sendable {}
