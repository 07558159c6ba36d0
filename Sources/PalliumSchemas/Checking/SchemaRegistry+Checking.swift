public import Foundation
public import PalliumCore

extension SchemaRegistry {
    /// Checks the schema documents of a file or folder, and registers nothing.
    ///
    /// It finds what ``load(contentsOf:classes:)`` finds, and also what can be registered but is probably not meant:
    /// clusters with rules of which one hides another, and clusters without a default.
    ///
    /// - Returns: The warnings, each with file, line and column; empty if there is nothing to say.
    /// - Throws: ``SchemaError`` with every problem of all documents.
    /// - Complexity: O(*n*) in the size of the documents.
    public func check(contentsOf url: URL) throws(SchemaError) -> [SchemaError.Problem] {
        try check(contentsOf: url, isOpaque: false)
    }

    /// Checks schema documents.
    ///
    /// - Parameter isOpaque: Whether unregistered kinds and transformers are accepted.
    package func check(contentsOf url: URL, isOpaque: Bool) throws(SchemaError) -> [SchemaError.Problem] {
        let (documents, problems) = DocumentFiles.read(at: url)
        var loading = SchemaLoading(
            registry: try copy(), documents: documents, problems: problems, isOpaque: isOpaque)
        let schemas = try loading.load(classes: [])
        return schemas.flatMap { schema in
            ClusterWarnings.messages(about: schema).map { message in
                SchemaError.Problem(
                    schema: schema.name, message: message.text, fix: message.fix,
                    source: loading.location(of: schema))
            }
        }
    }
}
