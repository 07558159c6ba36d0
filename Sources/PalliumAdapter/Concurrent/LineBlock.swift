public import Foundation
public import PalliumCore
public import PalliumJSON

/// Some whole lines of a stream, each with the JSON text of a model.
///
/// ``JSONAdapter/process(lines:concurrently:inOrder:_:receive:)`` cuts a stream into such blocks.
public struct LineBlock<Model: DynamicModel>: Sendable {
    /// The text of the lines with their line ends. The last line of a stream may have none.
    public let bytes: [UInt8]
    /// The place of the first byte in the stream.
    public let location: JSONLocation
    let adapter: JSONAdapter<DynamicModel>

    /// The models of the lines, one at a time. Problems have their place in the stream.
    ///
    ///     var models = block.models
    ///     while let event = try models.next() { … }
    public var models: ModelStream<Model, EmptyCollection<[UInt8]>.Iterator> { ModelStream(decoder, .init()) }

    /// The lines as reports, which tell every problem.
    public var reports: some Sequence<DecodingReport<Model>> { models.reports }

    /// Returns the text of the line that begins at a place in the stream, with its line end.
    ///
    /// - Returns: The text; none if the place is not in the block.
    public func line(at location: JSONLocation) -> ArraySlice<UInt8> {
        let start = location.byteOffset - self.location.byteOffset
        guard bytes.indices.contains(start) else { return [] }
        let end = bytes.withBorrowedBytes { $0.offset(of: UInt8(ascii: "\n"), from: start) }
        return bytes[start..<(end.map { $0 + 1 } ?? bytes.count)]
    }

    /// A decoder for the lines.
    var decoder: StreamDecoder { StreamDecoder(adapter, lines: bytes, at: location) }
}
