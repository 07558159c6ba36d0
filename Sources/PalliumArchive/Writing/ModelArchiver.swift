public import Foundation
public import PalliumCore
import PalliumJSON

// The archiver.
//
// Safety: the memory of an archive comes from malloc, and `.free` releases it.

/// Writes graphs of models as archives: compact, checked bytes that open again when the schemas have changed.
///
///     let bytes = try ModelArchiver().archive(issue)
///     let back = try ModelUnarchiver().unarchive(Issue.self, from: bytes)
///
/// An archive contains the models that the roots reach, each once: shared models are shared again when the archive is
/// opened, and cycles stay cycles. It keeps the state of every property, unset, null, value or default, and JSON
/// members that an adapter preserved. Properties that the schema excludes from archives are left out; a weak reference
/// is kept if its model is in the archive for another reason. An archive describes its schemas, so `pallium inspect`
/// can show it without them.
///
/// The bytes are described in <doc:ArchiveFormat>.
public struct ModelArchiver: Sendable {
    private let validates: Bool

    /// Makes an archiver.
    ///
    /// - Parameter validates: Whether archiving throws for models that could not be opened again. Without that, drafts
    ///   and old data can be kept; open their archives without validation (``ModelUnarchiverOptions/validation``).
    public init(validates: Bool = true) { self.validates = validates }

    /// Writes a model and everything it holds.
    ///
    /// - Throws: ``ModelError`` if the archive could not be opened, because a required property has no value, a
    ///   validator or a rule refuses a model, or a transformer refuses its own output; if a custom value has no JSON
    ///   form, or JSON is nested beyond the limit. The pointer is `/objects/`*number*`/`*key*.
    /// - Complexity: O(*n*) in the size of the graph, on a constant stack. The archive is read once, without hooks, if
    ///   the schemas have validators, rules or custom kinds. Rules of classes, which override
    ///   ``DynamicModel/validateModel()``, check a copy of their model, which refers to the original nested models. If
    ///   one refuses a copy, or if the archive leaves out values of any model, the archive is read.
    public func archive(_ model: DynamicModel) throws(ModelError) -> Data { try write([model]) }

    /// Writes several models, and everything they hold, into one archive.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func archive(_ models: [DynamicModel]) throws(ModelError) -> Data { try write(models) }

    private func write(_ models: [DynamicModel]) throws(ModelError) -> Data {
        Data(try GraphWriter.archive(models, capacity: 256 * min(models.count, 4096), validates: validates))
    }

    // MARK: Files

    /// Archives a model into a file.
    ///
    /// Afterwards the file holds either its old content or the whole archive, even if the process is killed or the
    /// power fails meanwhile.
    ///
    ///     try ModelArchiver().write(issue, to: file)
    ///     let issue = try ModelUnarchiver().unarchive(Issue.self, from: file)
    ///
    /// The archive is written into a temporary file in the same folder and renamed when it is on the disk. Permissions
    /// are kept, a symbolic link is followed, and temporary files of dead writers in the folder are removed.
    ///
    /// - Throws: ``ModelError`` as ``archive(_:)-(DynamicModel)``, and with the code `unwritableFile` and a
    ///   `POSIXError` as its underlying error if the system fails: a full disk, a read-only folder, a limit. The file
    ///   is then unchanged.
    public func write(_ model: DynamicModel, to file: URL) throws(ModelError) { try write([model], to: file) }

    /// Archives several models into a file.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func write(_ models: [DynamicModel], to file: URL) throws(ModelError) {
        try archive(models).write(durablyTo: file)
    }
}
