import Pallium

/// The schemas of a run.
struct SchemaCatalog {
    /// The registry that holds them.
    let registry: SchemaRegistry
    private let paths: SchemaPaths
    /// The unregistered kinds and transformers, whose values pass unchanged.
    let opaqueNames: [String]

    /// Loads the documents of files and folders.
    ///
    /// - Parameters:
    ///   - isOpaque: Whether unregistered kinds and transformers are accepted.
    ///   - registry: The registry to load them into, which is empty.
    /// - Throws: ``SchemaError`` with every problem.
    init(_ paths: SchemaPaths, isOpaque: Bool, into registry: SchemaRegistry) throws(SchemaError) {
        self.paths = paths
        self.registry = registry
        opaqueNames = try registry.load(contentsOf: paths.urls, isOpaque: isOpaque).opaqueNames
    }

    /// Makes an adapter for the models of a schema.
    ///
    /// - Throws: ``ModelError`` if there is no such schema or profile.
    func adapter(
        model: String, profile: String? = nil, options: JSONAdapterOptions
    ) throws(ModelError) -> JSONAdapter<DynamicModel> {
        try JSONAdapter(
            schema: try registry.schema(named: model), profile: profile, registry: registry, options: options)
    }

    /// The schemas, in the order of their documents.
    var schemas: [ModelSchema] { registry.schemas }

    /// The labels of all properties, in the order of their bytes.
    var labels: [String] {
        Set(schemas.flatMap { $0.properties.flatMap(\.schema.labels) }.map { UTF8Key($0) }).map(\.text)
            .sorted(by: UTF8Text.precedes)
    }

    /// Returns the name of a schema that is spelled almost like another.
    func nearestSchema(to name: String) -> String? { ModelError.nearest(to: name, among: schemas.map(\.name)) }

    /// Whether a schema or one of its ancestors has a profile.
    func has(profile: String?, schema: String) -> Bool {
        guard let profile, let layout = try? registry.layout(named: schema) else { return false }
        return layout.profiles.contains { $0.name == profile }
    }
    /// Returns the schema with a name.
    ///
    /// - Throws: ``ModelError`` if there is no such schema.
    func schema(named name: String) throws(ModelError) -> ModelSchema { try registry.schema(named: name) }

    /// Makes an unarchiver for models of all the schemas.
    func unarchiver(_ arguments: ArchiveArguments) -> ModelUnarchiver {
        var options = ModelUnarchiver.Options()
        options.validation = arguments.validates ? .enforce : .none
        options.elements = arguments.isCollecting ? .skip : .fail
        options.maximumProblems = DecodeCommand.maximumProblems
        return ModelUnarchiver(
            registry: registry, allowing: registry.schemas.map { .named($0.name) }, options: options)
    }

    /// Returns the message for an unknown schema, with the nearest name or some existing ones.
    func unknownSchema(_ name: String, suggestion: String?) -> String {
        let text = "there is no schema \"\(PrintableText.escape(name, limit: 64))\" in \(paths.displayName)"
        if let suggestion { return "\(text); did you mean \(PrintableText.escape(suggestion, limit: 64))?" }
        let names = registry.schemas.map { PrintableText.escape($0.name, limit: 64) }
        let shown = 8
        return "\(text), but \(names.prefix(shown).joined(separator: ", "))"
            + (names.count > shown ? " and \(names.count - shown) more" : "")
    }
}
