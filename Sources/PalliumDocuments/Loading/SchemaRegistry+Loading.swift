public import Foundation
public import PalliumCore
package import PalliumJSON

// Loads schema documents.
//
// Safety: the bytes are copied while they are borrowed.
extension SchemaRegistry {
    /// Registers the schemas of a document, or of all documents in a folder.
    ///
    ///     try SchemaRegistry.shared.load(contentsOf: folder, classes: [User.self, Issue.self])
    ///
    /// A document is JSON in UTF-8: one schema or an array of them. In a folder, the files whose names end in `.json`
    /// are read, sorted by the bytes of their names; hidden files and sub-folders are skipped. Documents may refer to
    /// one another and to schemas that are registered already. A document can have 16 MiB and 64 levels of nesting, a
    /// schema 10,000 properties.
    ///
    /// - Parameters:
    ///   - url: A file or folder.
    ///   - classes: The classes to bind: each to the schema whose name is the last component of the class's name. No
    ///     class is ever found by a name in a document, so schemas not listed here make plain ``DynamicModel``s.
    /// - Returns: The registered schemas, in the order of the documents.
    /// - Throws: ``SchemaError`` with every problem of all documents, each with file, line and column; nothing is
    ///   registered then.
    /// - Complexity: O(*n*) in the size of the documents.
    @discardableResult
    public func load(contentsOf url: URL, classes: [DynamicModel.Type] = []) throws(SchemaError) -> [ModelSchema] {
        try load(contentsOf: [url], classes: classes)
    }

    /// Registers the schemas of several files and folders at once.
    ///
    ///     try SchemaRegistry.shared.load(contentsOf: [common, tickets])
    ///
    /// Documents of one folder may refer to those of another, whatever the order. A name belongs to one schema; a file that
    /// is named twice, also by links, is read once. With several URLs, messages have the paths of documents instead of their
    /// names: as the URLs have them, relative ones too.
    ///
    /// - Returns: The registered schemas, in the order of the URLs and their documents.
    /// - Throws: ``SchemaError`` as ``load(contentsOf:classes:)-(URL,_)``, of all URLs; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the documents.
    @discardableResult
    public func load(contentsOf urls: [URL], classes: [DynamicModel.Type] = []) throws(SchemaError) -> [ModelSchema] {
        try load(contentsOf: urls, classes: classes, isOpaque: false).schemas
    }

    /// Registers the schemas of files and folders.
    ///
    /// - Parameter isOpaque: Whether kinds and transformers that are not registered are accepted. A property with such a
    ///   kind or transformer holds any JSON value unchanged; it is merged as a whole.
    /// - Returns: The schemas and the unregistered names, in the order of the documents.
    /// - Throws: ``SchemaError`` with every problem; nothing is registered then.
    package func load(
        contentsOf urls: [URL], classes: [DynamicModel.Type] = [], isOpaque: Bool
    ) throws(SchemaError) -> (schemas: [ModelSchema], opaqueNames: [String]) {
        let (documents, problems) = DocumentFiles.read(at: urls)
        var loading = SchemaLoading(registry: self, documents: documents, problems: problems, isOpaque: isOpaque)
        return (try loading.load(classes: classes.map { ("\($0)", $0) }), loading.opaqueNames)
    }

    /// Reads the document of one schema, without registering it; nil if something is wrong with it.
    package func schema(reading document: JSONValue) -> ModelSchema? {
        var reader = SchemaReader(registry: self)
        guard let bytes = try? document.bytes(), let located = try? LocatedJSON(parsing: bytes) else { return nil }
        reader.read(located)
        return reader.problems.count == 0 ? reader.schemas.first?.schema : nil
    }

    /// Registers the schemas of a document in memory: `Data`, `[UInt8]` or other bytes.
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8, one schema or an array of them.
    ///   - name: The document's name in messages.
    ///   - classes: The classes to bind, as in ``load(contentsOf:classes:)-(URL,_)``.
    /// - Returns: The registered schemas, in the order of the document.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        _ document: some ContiguousBytes, name: String = "document", classes: [DynamicModel.Type] = []
    ) throws(SchemaError) -> [ModelSchema] {
        try load(document, name: name, classes.map { ("\($0)", $0) })
    }

    /// Registers the schemas of a document in memory, with classes that are not called like their schemas.
    ///
    ///     try SchemaRegistry.shared.load(bytes, classes: ["simple-user": SimpleUser.self])
    ///
    /// - Parameters:
    ///   - document: JSON in UTF-8, one schema or an array of them.
    ///   - name: The document's name in messages.
    ///   - classes: The classes to bind, by the names of their schemas.
    /// - Returns: The registered schemas, in the order of the document.
    /// - Throws: ``SchemaError`` with every problem, each with name, line and column; nothing is registered then.
    /// - Complexity: O(*n*) in the size of the document.
    @discardableResult
    public func load(
        _ document: some ContiguousBytes, name: String = "document", classes: KeyValuePairs<String, DynamicModel.Type>
    ) throws(SchemaError) -> [ModelSchema] {
        try load(document, name: name, classes.map { ($0.key, $0.value) })
    }

    private func load(
        _ document: some ContiguousBytes, name: String, _ classes: [(String, DynamicModel.Type)]
    ) throws(SchemaError) -> [ModelSchema] {
        // One byte above the limit is enough to detect a document that is too large.
        let bytes = document.withBorrowedBytes { Array($0.prefix(LocatedJSON.maximumDocumentBytes + 1)) }
        let document = SchemaDocument(name: ModelError.shorten(name, to: 200), bytes: bytes)
        var loading = SchemaLoading(registry: self, documents: [document], problems: [])
        return try loading.load(classes: classes)
    }
}
