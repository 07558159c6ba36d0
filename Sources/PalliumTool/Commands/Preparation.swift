import Foundation
import Pallium
import PalliumCore

// Prepares commands, and reports failures of files.
extension Run {
    /// Loads the schemas and makes the adapter for the arguments.
    ///
    /// - Throws: ``Interruption`` for schemas with problems, and if there is no such model or profile.
    func adapter(
        for arguments: SourceArguments, options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws(Interruption) -> JSONAdapter<DynamicModel> {
        try catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers)
            .adapter(model: arguments.model, profile: arguments.profile, options: adapterOptions(from: options))
    }

    /// Reports a problem of an archive or a store or its file, and returns the exit status for it.
    func status(of error: ModelError, file: String) -> ExitStatus {
        let name = InputFile.displayName(of: file)
        guard error.underlying is POSIXError, error.code == .unreadableFile || error.code == .unwritableFile else {
            report(error.problems, file: name, location: nil)
            return [.unwritableFile, .unreadableFile, .busy].contains(error.code) ? .misuse : .problems
        }
        let failure = SystemFailure(error)
        return status(
            of: error.code == .unreadableFile
                ? .unreadable(file: name, failure) : .unwritable(file: name, failure))
    }
}

extension JSONAdapter<DynamicModel> {
    /// Returns the adapter for the properties of `--only`.
    ///
    /// - Throws: ``Interruption`` for keys that the model does not have.
    func projected(to only: [String]?) throws(Interruption) -> JSONAdapter<DynamicModel> {
        guard let only else { return self }
        do throws(ModelError) { return try projected(to: PropertySelection(only)) } catch {
            let text = "--only: \(error.schema ?? schema.name): \(error.sentence)"
            throw .refused(ModelError.shorten(text, to: 4096))
        }
    }
}
