import Pallium
import PalliumCore

/// Schema documents to write: one array to standard output, or a file each into a new folder.
struct SchemaOutput {
    private let folder: String?
    /// The files; one without a folder.
    private var files: [(name: String, text: String)] = []

    /// Makes the documents of schemas.
    ///
    /// - Parameter folder: The folder; nil for standard output.
    /// - Throws: ``SchemaError`` if a schema cannot be a document.
    init(_ schemas: [ModelSchema], _ registry: SchemaRegistry, folder: String?) throws(SchemaError) {
        self.folder = folder
        // Documents of schemas are never nested deeper than the limit: writing them has read them again.
        if folder == nil {
            files = [("", try registry.document(of: schemas).prettyText ?? "")]
            return
        }
        var names = FileNames()
        for schema in schemas {
            files.append((names.take(schema.name), try registry.document(of: schema).prettyText ?? ""))
        }
    }

    /// Writes the documents.
    func write(to output: ByteOutput) throws(Interruption) {
        guard let folder else { return try output.finish(files[0].text) }
        do throws(SystemFailure) { try NewFolder.write(files, to: folder) } catch {
            throw .unwritable(file: InputFile.displayName(of: folder), error)
        }
    }
}

extension JSONValue {
    /// The text in lines, with a line feed at the end; nil for nesting beyond the limit.
    var prettyText: String? {
        var options = JSONWritingOptions()
        options.isPretty = true
        return (try? text(options: options)).map { $0 + "\n" }
    }
}
