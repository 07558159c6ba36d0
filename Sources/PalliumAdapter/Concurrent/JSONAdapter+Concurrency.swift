public import Foundation
public import PalliumCore
import PalliumJSON

// Decodes many lines on several threads.
//
// Safety: bytes are borrowed for the calls that use them, which return when their threads are done. Models were made by
// the call and are reachable from nowhere else: each thread hands its models over in a `DecodedPart` and keeps none. The
// plan makes instances of the adapter's class.
extension JSONAdapter {
    /// Decodes lines that each contain the JSON text of a model, on several threads.
    ///
    /// Models, their order and problems are those of `models(fromLines:)`. Your transformers, validators and hooks are
    /// called from several threads, in any order.
    ///
    /// One thread decodes text below 256 KiB.
    ///
    /// - Parameters:
    ///   - bytes: The text of the lines.
    ///   - threadCount: How many threads may decode at once. There is no use in more than the machine has cores.
    /// - Throws: ``ModelError`` as `models(fromLines:)`.
    /// - Complexity: O(*n*) in the number of bytes.
    public func models(
        fromLines bytes: some ContiguousBytes, concurrently threadCount: Int
    ) throws(ModelError) -> sending [Model] {
        // Smaller blocks are decoded before a thread has started.
        try models(fromLines: bytes, concurrently: threadCount, blockBytes: 128 << 10)
    }

    /// Decodes the lines of a text on several threads, like `models(fromLines:concurrently:)` for bytes.
    public func models(
        fromLines text: some StringProtocol, concurrently threadCount: Int
    ) throws(ModelError) -> sending [Model] {
        try models(fromLines: Array(text.utf8), concurrently: threadCount)
    }

    // MARK: How

    /// Decodes lines in blocks of about a number of bytes.
    package func models(
        fromLines bytes: some ContiguousBytes, concurrently threadCount: Int, blockBytes: Int
    ) throws(ModelError) -> sending [Model] {
        var parts: [DecodedPart] = []
        let isSmall = try unsafe bytes.withBytes { bytes throws(ModelError) in
            guard threadCount > 1, bytes.count >= 2 * blockBytes else { return true }
            // One thread at a time cuts blocks, and the call returns when all of them are done.
            nonisolated(unsafe) let chunk = unsafe CollectionOfOne(bytes)
            try unsafe process(lines: chunk, concurrently: threadCount, blockBytes: blockBytes) {
                block throws(ModelError) in
                let part = DecodedPart()
                var decoder = block.decoder
                while let model = try decoder.nextModel() { part.append(model) }
                return part
            } receive: { part throws(ModelError) in
                parts.append(part)
            }
            return false
        }
        return isSmall ? try models(fromLines: bytes) : unsafe assumeUnshared(DecodedPart.join(parts))
    }
}
