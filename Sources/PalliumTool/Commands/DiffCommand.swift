import Pallium

/// `pallium diff`: reports the changes between two documents.
struct DiffCommand: RunnableCommand {
    let arguments: DiffArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        do throws(Interruption) { return try compare() } catch {
            let status = diagnostics.status(of: error)
            return status == .problems && arguments.reportsByExitStatus ? .misuse : status
        }
    }

    private func compare() throws(Interruption) -> ExitStatus {
        guard let source = arguments.source else {
            let (old, new) = (try value(of: arguments.old), try value(of: arguments.new))
            try finish(
                arguments.format == .mergePatch
                    ? JSONMergePatch(from: old, to: new).jsonValue : JSONPatch(from: old, to: new).jsonValue)
            return status(differs: old != new)
        }
        let adapter = try diagnostics.adapter(for: source)
        let old = try model(of: arguments.old, adapter)
        let new = try model(of: arguments.new, adapter)
        // Formats show more or fewer differences; the exit status is the same for all.
        let changes = old.difference(to: new)
        if arguments.format == .text {
            try output.finish(changes.map { "\($0)\n" }.joined())
            return status(differs: !changes.isEmpty)
        }
        let patch = try diagnostics.reporting(InputFile.displayName(of: arguments.new)) { () throws(ModelError) in
            arguments.format == .mergePatch
                ? try adapter.mergePatch(from: old, to: new).jsonValue
                : try adapter.jsonPatch(from: old, to: new).jsonValue
        }
        try finish(patch)
        return status(differs: !changes.isEmpty)
    }

    private func status(differs: Bool) -> ExitStatus {
        differs && arguments.reportsByExitStatus ? .problems : .success
    }

    private func value(of path: String) throws(Interruption) -> JSONValue {
        let options = diagnostics.limited(JSONAdapterOptions()).reading
        return try diagnostics.read(path) { bytes throws(ModelError) in try JSONValue(text: bytes, options) }
    }

    private func model(
        of path: String, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) -> DynamicModel {
        try diagnostics.read(path) { bytes throws(ModelError) in try adapter.model(from: bytes) }
    }

    private func finish(_ patch: JSONValue) throws(Interruption) {
        var options = JSONWritingOptions()
        options.pretty = arguments.isPretty
        // A patch adds two containers around a value of the document.
        options.maximumDepth += 2
        // Writing fails only for deeper nesting, and the documents have none.
        try output.finish(((try? patch.text(options: options)) ?? "") + "\n")
    }
}

extension JSONValue {
    /// Parses a text.
    ///
    /// - Throws: ``ModelError`` with line:column.
    fileprivate init(text bytes: [UInt8], _ options: JSONReadingOptions) throws(ModelError) {
        do throws(JSONSyntaxError) { try self.init(parsing: bytes, options: options) } catch {
            throw bytes.withUnsafeBytes { ModelError(error, in: $0) }
        }
    }
}
