import Pallium

/// Writes schema documents: one array to standard output, or a file each into a new folder.
struct SchemaOutput {
    /// The folder; nil for standard output.
    let folder: String?
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Writes the documents of schemas.
    ///
    /// - Throws: ``SchemaError`` if a schema cannot be a document; nothing is written then.
    func write(_ schemas: [ModelSchema], _ registry: SchemaRegistry) throws(SchemaError) -> ExitStatus {
        guard let folder else {
            let text = Self.text(of: try registry.document(of: schemas))
            do throws(OutputError) {
                try output.append(text)
                try output.flush()
                return .success
            } catch { return diagnostics.status(of: error) }
        }
        var names = FileNames()
        var files: [(name: String, text: String)] = []
        for schema in schemas {
            files.append((names.take(schema.name), Self.text(of: try registry.document(of: schema))))
        }
        do throws(SystemError) {
            try NewFolder.write(files, to: folder)
            return .success
        } catch {
            diagnostics.say("cannot write \(InputFile.displayName(of: folder)): \(error.text)")
            return .misuse
        }
    }

    private static func text(of document: JSONValue) -> String {
        var options = JSONWritingOptions()
        options.pretty = true
        // Documents of schemas are never nested deeper than the limit: writing them has read them again.
        return ((try? document.text(options: options)) ?? "") + "\n"
    }
}
