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
    private let validates: Bool

    /// Makes an archiver.
    ///
    /// - Parameter validates: Whether models are refused that nobody could open again. Without that, drafts and old data
    ///   can be kept: archives of them are opened without validation (``ModelUnarchiverOptions/validation``).
    public init(validates: Bool = true) { self.validates = validates }

    /// Writes a model and everything it holds.
    ///
    /// - Throws: ``ModelError`` when nobody could open the archive, since a required property has no value, a validator
    ///   or a rule refuses a model, or a transformer what it made itself; when a custom value has no JSON form, or JSON is
    ///   nested beyond the limit. The pointer is `/objects/`*number*`/`*key*.
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack. What was written is read once, without telling
    ///   any hook, where validators, rules or custom kinds are among the schemas, and where models of classes, which may
    ///   have rules, hold what is left out. Rules of other classes are asked about a copy of their model, which leads
    ///   to the very models that it holds; what one refuses is read.
    public func archive(_ model: DynamicModel) throws(ModelError) -> Data { try write([model]) }

    /// Writes several models, and everything they hold, into one archive.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func archive(_ models: [DynamicModel]) throws(ModelError) -> Data { try write(models) }

    private func write(_ models: [DynamicModel]) throws(ModelError) -> Data {
        let (memory, count) = unsafe try GraphWriter.archive(
            models, capacity: 256 * min(models.count, 4096), validates: validates)
        // The buffer was allocated with malloc, which is what `.free` releases.
        return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }
}
