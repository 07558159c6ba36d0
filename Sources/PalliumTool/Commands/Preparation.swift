import Foundation
import Pallium

// Prepares commands: loads schemas and reports failures.
extension Diagnostics {
    /// Loads the schemas and makes the adapter for the arguments; reports problems and returns nil otherwise.
    func adapter(for arguments: SourceArguments, options: JSONAdapterOptions) -> JSONAdapter<DynamicModel>? {
        catalog(arguments.schemas, isOpaque: arguments.hasOpaqueTransformers).flatMap {
            adapter(for: arguments, in: $0, options: options)
        }
    }

    /// Makes the adapter for the arguments from loaded schemas; reports problems and returns nil otherwise.
    func adapter(
        for arguments: SourceArguments, in catalog: SchemaCatalog, options: JSONAdapterOptions
    ) -> JSONAdapter<DynamicModel>? {
        adapter(model: arguments.model, profile: arguments.profile, in: catalog, options: options)
    }

    /// Makes the adapter for a model from loaded schemas; reports problems and returns nil otherwise.
    func adapter(
        model: String, profile: String?, in catalog: SchemaCatalog, options: JSONAdapterOptions
    ) -> JSONAdapter<DynamicModel>? {
        do throws(ModelError) {
            return try catalog.adapter(model: model, profile: profile, options: options)
        } catch {
            say(
                error.code == .unknownSchema
                    ? catalog.unknownSchema(model, suggestion: error.suggestion)
                    : PrintableText.escape(error.description, limit: 4096))
            return nil
        }
    }

    /// Makes the adapter for the properties of `--only`; reports keys that the model does not have, and returns nil then.
    func projected(_ adapter: JSONAdapter<DynamicModel>, to only: [String]?) -> JSONAdapter<DynamicModel>? {
        guard let only else { return adapter }
        do throws(ModelError) { return try adapter.projected(to: PropertySelection(only)) } catch {
            let text = "--only: \(error.schema ?? adapter.schema.name): \(error.sentence)"
            say(PrintableText.escape(text, limit: 4096))
            return nil
        }
    }

    /// Loads the schemas; reports problems and returns nil otherwise.
    ///
    /// - Parameters:
    ///   - isOpaque: Whether unregistered kinds and transformers are accepted; their values pass unchanged.
    ///   - namesOpaqueValues: Whether their names are reported.
    ///   - registry: The registry to load them into. Models of the shared one do not count references to it, which
    ///     threads would wait for; a command that needs two catalogs gives each its own.
    func catalog(
        _ paths: SchemaPaths, isOpaque: Bool = false, namesOpaqueValues: Bool = true,
        into registry: SchemaRegistry = .shared
    ) -> SchemaCatalog? {
        do throws(SchemaError) {
            let catalog = try SchemaCatalog(paths, isOpaque: isOpaque, into: registry)
            if namesOpaqueValues, !catalog.opaqueNames.isEmpty {
                let names = catalog.opaqueNames.map { PrintableText.escape($0, limit: 64) }
                say("values pass as they are: \(names.joined(separator: ", "))")
            }
            return catalog
        } catch {
            report(error, paths)
            return nil
        }
    }

    /// Reports the problems of schema documents.
    func report(_ error: SchemaError, _ paths: SchemaPaths) {
        say(
            "\(Quantity.count(error.problems.count, "problem")) in schemas",
            details: paths.lines(for: error.problems))
    }

    /// Reports a problem of an archive or a store or its file, and returns the exit status for it.
    func status(of error: ModelError, file: String) -> ExitStatus {
        let name = InputFile.displayName(of: file)
        guard error.underlying is POSIXError, error.code == .unreadableFile || error.code == .unwritableFile else {
            report(error.problems, file: name, location: nil)
            return [.unwritableFile, .unreadableFile, .busy].contains(error.code) ? .misuse : .problems
        }
        say("cannot \(error.code == .unreadableFile ? "read" : "write") \(name): \(SystemError(error).text)")
        return .misuse
    }

    /// Reports an interruption unless it was reported before, and returns the exit status for it.
    func status(of interruption: Interruption) -> ExitStatus {
        switch interruption {
        case .enough: return .success
        case .problem: return .problems
        case .unreadable(let file, let error):
            report(unreadable: file, error)
            return .misuse
        case .unwritable(let file, let error):
            say("cannot write \(file): \(error.text)")
            return .misuse
        case .refusedFile(let text):
            say(text)
            return .misuse
        case .output(let error): return status(of: error)
        }
    }
}
