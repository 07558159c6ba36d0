import Pallium

/// The schemas of a run.
struct SchemaCatalog {
    /// The registry that holds them.
    let registry: SchemaRegistry
    fileprivate let paths: SchemaPaths

    /// The labels of all properties, in the order of their bytes.
    var labels: [String] {
        Set(registry.schemas.flatMap { $0.properties.flatMap(\.schema.labels) }.map { UTF8Key($0) }).map(\.text)
            .sorted(by: UTF8Text.precedes)
    }

    /// Whether a schema or one of its ancestors has a profile.
    func has(profile: String?, schema: String) -> Bool {
        guard let profile, let layout = try? registry.layout(named: schema) else { return false }
        return layout.profiles.contains { $0.name == profile }
    }

    /// Returns the schema with a name.
    ///
    /// - Throws: ``Interruption`` with the nearest name, or some existing ones, if there is no such schema.
    func schema(named name: String) throws(Interruption) -> ModelSchema {
        do throws(ModelError) { return try registry.schema(named: name) } catch {
            let text = "there is no schema \(ModelError.quote(name)) in \(paths.displayName)"
            if let suggestion = error.suggestion {
                throw .refused("\(text); did you mean \(ModelError.shorten(suggestion, to: 64))?")
            }
            let names = registry.schemas.map { ModelError.shorten($0.name, to: 64) }
            let shown = 8
            throw .refused(
                "\(text), but \(names.prefix(shown).joined(separator: ", "))"
                    + (names.count > shown ? " and \(names.count - shown) more" : ""))
        }
    }

    /// Makes an adapter for the models of a schema.
    ///
    /// - Throws: ``Interruption`` if there is no such schema or profile.
    func adapter(
        model: String, profile: String? = nil, options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws(Interruption) -> JSONAdapter<DynamicModel> {
        let schema = try schema(named: model)
        do throws(ModelError) {
            return try JSONAdapter(schema: schema, profile: profile, registry: registry, options: options)
        } catch { throw .refused(ModelError.shorten(error.description, to: 4096)) }
    }

    /// Makes an unarchiver for models of all the schemas.
    func unarchiver(_ arguments: ArchiveArguments) -> ModelUnarchiver {
        var options = ModelUnarchiverOptions()
        options.validation = arguments.validates ? .enforce : .none
        options.elements = arguments.isCollecting ? .skip : .fail
        options.maximumProblems = DecodeCommand.maximumProblems
        return ModelUnarchiver(registry: registry, allowing: registry.schemas.map { .named($0.name) }, options: options)
    }
}

extension Run {
    /// Loads the schemas.
    ///
    /// - Parameters:
    ///   - isOpaque: Whether unregistered kinds and transformers are accepted; their values pass unchanged.
    ///   - namesOpaqueValues: Whether their names are reported.
    ///   - registry: The registry to load them into, which is empty. Models of the shared one do not count references to it,
    ///     which threads would wait for; a command that needs two catalogs gives each its own.
    /// - Throws: ``Interruption`` with every problem of the documents.
    func catalog(
        _ paths: SchemaPaths, isOpaque: Bool = false, namesOpaqueValues: Bool = true,
        into registry: SchemaRegistry = .shared
    ) throws(Interruption) -> SchemaCatalog {
        do throws(SchemaError) {
            let names = try registry.load(contentsOf: paths.urls, isOpaque: isOpaque).opaqueNames
            if namesOpaqueValues, !names.isEmpty {
                let shown = names.map { ModelError.shorten($0, to: 64) }
                say("values pass as they are: \(shown.joined(separator: ", "))")
            }
            return SchemaCatalog(registry: registry, paths: paths)
        } catch { throw paths.refusal(of: error) }
    }
}
