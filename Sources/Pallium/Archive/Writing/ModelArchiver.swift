public import Foundation
public import PalliumCore

// Safety: the memory of an archive comes from malloc, which is what `.free` gives back.

/// Writes graphs of models as archives: compact, checked bytes that open again when the schemas have changed.
///
///     let bytes = try ModelArchiver().archive(issue)
///     let back = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
///
/// An archive holds the models that the roots reach, each of them once: what is shared is shared again when the archive
/// is opened, and cycles are cycles. It keeps the state of every property, unset, null, value or default, and JSON
/// members that an adapter preserved. What a schema excludes from archives is left out; a weak link is kept if its model
/// is in the archive for another reason. An archive describes its schemas, so `pallium inspect` can show it without
/// them.
///
/// The bytes are described in <doc:ArchiveFormat>.
public struct ModelArchiver: Sendable {
    /// Makes an archiver.
    public init() {}

    /// Writes a model and everything it holds.
    ///
    /// - Throws: ``ModelError`` when a required property has no value (nobody could open the archive), a custom value has
    ///   no JSON form, or JSON is nested beyond the limit. The pointer is `/objects/`*number*`/`*key*.
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack.
    public func archive(_ model: DynamicModel) throws(ModelError) -> Data { try write([model]) }

    /// Writes several models, and everything they hold, into one archive.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func archive(_ models: [DynamicModel]) throws(ModelError) -> Data { try write(models) }

    private func write(_ models: [DynamicModel]) throws(ModelError) -> Data {
        let (memory, count) = unsafe try GraphWriter.archive(models, capacity: 256 * min(models.count, 4096))
        // The buffer was allocated with malloc, which is what `.free` releases.
        return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }
}
