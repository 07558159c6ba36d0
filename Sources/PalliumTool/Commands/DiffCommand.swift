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
                try finish(
                    arguments.format == .mergePatch
                        ? JSONMergePatch(from: old, to: new).jsonValue : JSONPatch(from: old, to: new).jsonValue)
                return status(differs: old != new)
            }
            guard let adapter = diagnostics.adapter(for: source, options: JSONAdapterOptions()) else { return .misuse }
            let old = try model(of: arguments.old, adapter)
            let new = try model(of: arguments.new, adapter)
            // Of what makes a difference, formats say more or less; the status is the same for all.
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
        } catch {
            let status = diagnostics.status(of: error)
            return status == .problems && arguments.tellsByExitStatus ? .misuse : status
        }
    }

    private func status(differs: Bool) -> ExitStatus {
        differs && arguments.tellsByExitStatus ? .problems : .success
    }

    private func model(
        of path: String, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) -> DynamicModel {
        try diagnostics.read(path) { bytes throws(ModelError) in try adapter.model(from: bytes) }
    }

    private func finish(_ patch: JSONValue) throws(Interruption) {
        var options = JSONWritingOptions()
        options.pretty = arguments.isPretty
        // Around what stands in a document, a patch has two containers more.
        options.maximumDepth += 2
        // Only deeper nesting cannot be written, and the documents have none.
        try output.finish(((try? patch.text(options: options)) ?? "") + "\n")
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
