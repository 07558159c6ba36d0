public import Foundation
public import PalliumCore

// Writes archives into files and reads them.
//
// Safety: the bytes are borrowed from their owner for the call that writes them.
extension ModelArchiver {
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

extension Data {
    /// Reads a file; see `DurableFile`.
    package init(durableFile file: URL) throws(ModelError) { self = try DurableFile.read(file.path) }

    /// Replaces the content of a file as a whole or not at all; see `DurableFile`.
    package func write(durablyTo file: URL) throws(ModelError) {
        let result = unsafe withUnsafeBytes { bytes -> Result<Void, ModelError> in
            do throws(ModelError) { return unsafe .success(try DurableFile.write(bytes, to: file.path)) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
