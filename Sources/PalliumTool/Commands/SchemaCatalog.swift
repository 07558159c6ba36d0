import Foundation
import Pallium

/// The schemas of a run.
struct SchemaCatalog {
    /// The registry that holds them.
    let registry = SchemaRegistry()
    private let path: String
    /// The unregistered kinds and transformers, whose values pass unchanged.
    let opaqueNames: [String]

    /// Loads the documents of a file or folder.
    ///
    /// - Parameter isOpaque: Whether unregistered kinds and transformers are accepted.
    /// - Throws: ``SchemaError`` with every problem.
    init(path: String, isOpaque: Bool) throws(SchemaError) {
        self.path = path
        let url = URL(fileURLWithPath: path)
        if isOpaque {
            opaqueNames = try registry.loadOpaque(contentsOf: url)
        } else {
            try registry.load(contentsOf: url)
            opaqueNames = []
        }
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
        let place = PrintableText.escape(path, limit: 4096)
        let text = "there is no schema \"\(PrintableText.escape(name, limit: 64))\" in \(place)"
        if let suggestion { return "\(text); did you mean \(PrintableText.escape(suggestion, limit: 64))?" }
        let names = registry.schemas.map { PrintableText.escape($0.name, limit: 64) }
        let shown = 8
        return "\(text), but \(names.prefix(shown).joined(separator: ", "))"
            + (names.count > shown ? " and \(names.count - shown) more" : "")
    }

    /// Returns the lines that report problems of schema documents. Their names include the folder, so that they can be
    /// opened from the working directory.
    static func lines(for problems: [SchemaError.Problem], path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        var folder = isFolder ? path[...] : path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        while folder.utf8.last == UInt8(ascii: "/"), folder.utf8.count > 1 { folder.removeLast() }
        return problems.map { problem in
            let isName = problem.source.map { !$0.utf8.contains(UInt8(ascii: "/")) } ?? false
            let prefix = isName && !folder.utf8.isEmpty ? "\(folder)/" : ""
            return PrintableText.escape(prefix + problem.description, limit: 8192)
        }
    }
}
