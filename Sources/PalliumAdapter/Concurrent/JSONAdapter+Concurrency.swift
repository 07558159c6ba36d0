public import Foundation
public import PalliumCore
import PalliumJSON

// Decodes large documents on several threads.
//
// Safety: bytes are borrowed for the calls that use them, which return when their threads are done. Models were made by
// the call and are reachable from nowhere else: each thread hands its models over in a `DecodedPart` and keeps none. The
// plan makes instances of the adapter's class.
extension JSONAdapter {
    /// Decodes an array of models from a large document, on several threads.
    ///
    ///     let issues = try adapter.models(from: data, concurrently: 4)
    ///
    /// Models, their order and problems are those of ``models(from:)``. The call returns when all threads are done.
    ///
    /// Your transformers, validators and hooks are called from several threads, in any order. They may be called for
    /// objects that the result does not contain, because a thread guesses where an element begins. The pointer of a
    /// transformer's context begins at the element.
    ///
    /// One thread decodes documents below 256 KiB, and inputs that are neither text nor bytes. If a document has a
    /// problem, also one that ``JSONAdapterOptions/ElementPolicy/skip`` leaves out, it is decoded again by one thread.
    ///
    /// - Parameters:
    ///   - input: The document.
    ///   - threadCount: How many threads may decode at once. There is no use in more than the machine has cores.
    /// - Throws: ``ModelError`` as ``models(from:)``.
    /// - Complexity: O(*n*) in the size of the document.
    public func models(
        from input: some JSONInput, concurrently threadCount: Int
    ) throws(ModelError) -> sending [Model] {
        try models(from: input, concurrently: threadCount, partBytes: leastPartBytes)
    }

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
        try models(fromLines: bytes, concurrently: threadCount, blockBytes: leastPartBytes)
    }

    /// Decodes the lines of a text on several threads, like `models(fromLines:concurrently:)` for bytes.
    public func models(
        fromLines text: some StringProtocol, concurrently threadCount: Int
    ) throws(ModelError) -> sending [Model] {
        try models(fromLines: Array(text.utf8), concurrently: threadCount)
    }

    // MARK: How

    /// The least size of a part. Smaller ones are decoded before a thread has started.
    private var leastPartBytes: Int { 128 << 10 }

    /// Decodes an array in parts of at least a number of bytes.
    package func models(
        from input: some JSONInput, concurrently threadCount: Int, partBytes: Int
    ) throws(ModelError) -> sending [Model] {
        try unsafe unshared(
            input._withJSONDocument { document throws(ModelError) in
                if let models = concurrentModels(in: document, threadCount, partBytes) { return models }
                return try models(in: session(document).read(root, as: .list).list)
            })
    }

    /// Decodes an array on several threads. Nil if one thread must decode it, because the result could differ or there
    /// is nothing to gain: it is small or no text, it has a problem, or its parts together have more values than the
    /// options allow.
    private func concurrentModels(in document: JSONDocument, _ threadCount: Int, _ partBytes: Int) -> [Model]? {
        guard case .bytes(let bytes) = document.form,
            let count = partCount(bytes.count, threadCount, partBytes)
        else { return nil }
        let parts = unsafe ArrayParts(bytes, count: count, plans: plans, root: root, options: options)
        guard parts.starts.count > 1,
            let decoded = ConcurrentDecoding.decode(
                partCount: parts.starts.count, threadCount: threadCount, { parts.decode($0, $1) }),
            decoded.reduce(0, { $0 + $1.valueCount }) <= options.reading.maximumValues
        else { return nil }
        return DecodedPart.join(decoded)
    }

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
        return isSmall ? try models(fromLines: bytes) : unsafe unshared(DecodedPart.join(parts))
    }

    /// The number of parts to aim at; nil if one is enough. Several for each thread, because some threads may be slower
    /// than others.
    private func partCount(_ byteCount: Int, _ threadCount: Int, _ partBytes: Int) -> Int? {
        guard threadCount > 1 else { return nil }
        let count = min(byteCount / partBytes, min(threadCount, byteCount) * 4)
        return count > 1 ? count : nil
    }
}
