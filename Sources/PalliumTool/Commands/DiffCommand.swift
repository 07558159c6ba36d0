import Pallium

/// `pallium diff`: what changed between two documents.
struct DiffCommand {
    let arguments: DiffArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        do throws(Interruption) {
            guard let source = arguments.source else {
                let old = try diagnostics.read(arguments.old) { bytes throws(ModelError) in try JSONValue(text: bytes) }
                let new = try diagnostics.read(arguments.new) { bytes throws(ModelError) in try JSONValue(text: bytes) }
                try output.finish(patch(from: old, to: new))
                return .success
            }
            guard let adapter = diagnostics.adapter(for: source, options: JSONAdapterOptions()) else { return .misuse }
            let old = try model(of: arguments.old, adapter)
            let new = try model(of: arguments.new, adapter)
            if arguments.format == .text {
                try output.finish(old.model.difference(to: new.model).map { "\($0)\n" }.joined())
            } else {
                try output.finish(patch(from: old.document, to: new.document))
            }
            return .success
        } catch {
            return diagnostics.status(of: error)
        }
    }

    /// The model in a file, and what the schema has to say of it as JSON.
    private func model(
        of path: String, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) -> (model: DynamicModel, document: JSONValue) {
        try diagnostics.read(path) { bytes throws(ModelError) in
            let model = try adapter.model(from: bytes)
            return (model, try adapter.jsonValue(from: model))
        }
    }

    private func patch(from old: JSONValue, to new: JSONValue) -> String {
        let patch =
            arguments.format == .mergePatch
            ? JSONMergePatch(from: old, to: new).jsonValue : JSONPatch(from: old, to: new).jsonValue
        var options = JSONWritingOptions()
        options.pretty = arguments.isPretty
        // Around what stands in a document, a patch has two containers more.
        options.maximumDepth += 2
        // Only deeper nesting cannot be written, and the documents have none.
        return ((try? patch.text(options: options)) ?? "") + "\n"
    }
}

extension JSONValue {
    /// The value in a text.
    ///
    /// - Throws: ``ModelError`` with line:column.
    fileprivate init(text bytes: [UInt8]) throws(ModelError) {
        do throws(JSONSyntaxError) { try self.init(parsing: bytes) } catch {
            throw bytes.withUnsafeBytes { ModelError(error, in: $0) }
        }
    }
}
