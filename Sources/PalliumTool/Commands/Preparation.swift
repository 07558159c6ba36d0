import Pallium

extension Diagnostics {
    /// Loads the schemas and makes the adapter that the arguments ask for; says what is wrong and answers nil otherwise.
    func adapter(for arguments: SourceArguments, options: JSONAdapterOptions) -> JSONAdapter<DynamicModel>? {
        let catalog: SchemaCatalog
        do throws(SchemaError) { catalog = try SchemaCatalog(path: arguments.schemas) } catch {
            say(
                "\(Quantity.count(error.problems.count, "problem")) in schemas",
                details: SchemaCatalog.lines(for: error, path: arguments.schemas))
            return nil
        }
        do throws(ModelError) {
            return try catalog.adapter(model: arguments.model, options: options)
        } catch {
            say(
                error.code == .unknownSchema
                    ? catalog.unknownSchema(arguments.model, suggestion: error.suggestion)
                    : PrintableText.escape(error.description, limit: 4096))
            return nil
        }
    }

    /// Says why a run was interrupted, where that was not said yet, and how it ends with that.
    func status(of interruption: Interruption) -> ExitStatus {
        switch interruption {
        case .problem: return .problems
        case .unreadable(let file, let error):
            report(unreadable: file, error)
            return .misuse
        case .output(let error): return status(of: error)
        }
    }
}
