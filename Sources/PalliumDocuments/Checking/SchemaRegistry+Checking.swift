public import Foundation
public import PalliumCore
import PalliumJSON

extension SchemaRegistry {
    /// Checks the schema documents of a file or folder, and registers nothing.
    ///
    /// It finds what ``load(contentsOf:classes:)-(URL,_)`` finds, and also what can be registered but is probably not meant, such
    /// as a cluster with rules of which one hides another, or limits that no value keeps.
    ///
    /// - Returns: The warnings, each with file, line and column; empty if there is nothing to say.
    /// - Throws: ``SchemaError`` with every problem of all documents.
    /// - Complexity: O(*n*) in the size of the documents.
    public func check(contentsOf url: URL) throws(SchemaError) -> [SchemaError.Problem] {
        try check(contentsOf: [url], isOpaque: false)
    }

    /// Checks the schema documents of files and folders.
    ///
    /// - Parameter isOpaque: Whether unregistered kinds and transformers are accepted.
    package func check(contentsOf urls: [URL], isOpaque: Bool) throws(SchemaError) -> [SchemaError.Problem] {
        let (documents, problems) = DocumentFiles.read(at: urls)
        let registry = try copy()
        var loading = SchemaLoading(registry: registry, documents: documents, problems: problems, isOpaque: isOpaque)
        let schemas = try loading.load(classes: [])
        var variants = VariantWarnings(registry: registry)
        let layouts: [ModelLayout] = schemas.compactMap { registry.layout(for: $0) }
        let warnings: [SchemaError.Problem] = layouts.flatMap { layout in
            let schema = layout.schema
            let warnings =
                ClusterWarnings.warnings(about: schema) + variants.warnings(about: layout)
                + PropertyWarnings.warnings(about: layout, transformers: registry.transformers)
            return warnings.map { warning in
                SchemaError.Problem(
                    schema: schema.name, property: warning.property, message: warning.message, fix: warning.fix,
                    members: warning.members)
            }
        }
        return loading.located(warnings)
    }
}
