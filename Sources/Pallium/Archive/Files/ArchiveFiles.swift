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
    ///     let issue = try ModelUnarchiver().read(Issue.self, from: file)
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

extension ModelUnarchiver {
    /// Opens a file with an archive of one model.
    ///
    /// - Throws: ``ModelError`` as ``unarchive(_:from:)-(Model.Type,_)``, and with the code `unreadableFile` and a
    ///   `POSIXError` as its underlying error if the system cannot read the file.
    public func read<Model: DynamicModel>(
        _ modelClass: Model.Type, from file: URL
    ) throws(ModelError) -> sending Model {
        try unarchive(modelClass, from: Data(durableFile: file))
    }

    /// Opens a file with an archive of any number of models.
    ///
    /// - Throws: ``ModelError`` as for one model.
    public func read<Model: DynamicModel>(
        arrayOf modelClass: Model.Type, from file: URL
    ) throws(ModelError) -> sending [Model] {
        try unarchive(arrayOf: modelClass, from: Data(durableFile: file))
    }

    /// Opens a file with an archive of one model of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class, and if the schema is not registered.
    public func read(_ schema: ModelSchema, from file: URL) throws(ModelError) -> sending DynamicModel {
        try unarchive(schema, from: Data(durableFile: file))
    }

    /// Opens a file with an archive of any number of models of a schema that may be known at run time only.
    ///
    /// - Throws: ``ModelError`` as for a class.
    public func read(arrayOf schema: ModelSchema, from file: URL) throws(ModelError) -> sending [DynamicModel] {
        try unarchive(arrayOf: schema, from: Data(durableFile: file))
    }

    /// Opens as much of a file with an archive as possible, as ``report(_:from:)-(Model.Type,_)``; a file that cannot
    /// be read is a problem, too.
    public func report<Model: DynamicModel>(_ modelClass: Model.Type, file: URL) -> DecodingReport<Model> {
        do throws(ModelError) { return report(modelClass, from: try Data(durableFile: file)) } catch {
            return DecodingReport(models: [], problems: error.problems, isArray: false)
        }
    }

    /// Opens as much as possible of a file with an archive of a schema that may be known at run time only.
    public func report(_ schema: ModelSchema, file: URL) -> DecodingReport<DynamicModel> {
        do throws(ModelError) { return report(schema, from: try Data(durableFile: file)) } catch {
            return DecodingReport(models: [], problems: error.problems, isArray: false)
        }
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
