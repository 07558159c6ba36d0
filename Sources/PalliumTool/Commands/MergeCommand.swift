import Foundation
import Pallium

/// `pallium merge`: merges an incoming document into a base document by the policies of the schema.
struct MergeCommand: RunnableCommand {
    let arguments: MergeArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        options.writing.pretty = arguments.isPretty
        let adapter = try diagnostics.adapter(for: arguments.source, options: options)
        let redaction = try arguments.redaction.redaction(among: adapter.labels)
        let (model, base) = try diagnostics.read(arguments.base) { bytes throws(ModelError) in
            (try adapter.model(from: bytes), Data(bytes))
        }
        if let local = arguments.local { try edit(model, as: local, adapter) }
        let changes = try diagnostics.read(arguments.incoming) { bytes throws(ModelError) in
            arguments.local == nil
                ? try adapter.merge(bytes, into: model) : try adapter.rebase(model, onto: bytes)
        }
        let text = try diagnostics.reporting(InputFile.displayName(of: arguments.base)) {
            () throws(ModelError) in
            arguments.keepsFormat
                ? try adapter.data(from: model, editing: base)
                : try adapter.data(from: model, redacting: redaction) + Data("\n".utf8)
        }
        try output.finish(String(decoding: text, as: UTF8.self))
        return report(changes)
    }

    /// Applies the differences of another document to a model as pending edits.
    private func edit(
        _ model: DynamicModel, as path: String, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) {
        model.trackChanges()
        _ = try diagnostics.read(path) { bytes throws(ModelError) in
            try adapter.apply(adapter.jsonPatch(from: model, to: adapter.model(from: bytes)), to: model)
        }
    }

    /// Reports the number of changes, and each conflict.
    private func report(_ changes: ModelChanges) -> ExitStatus {
        let conflicts = changes.conflicts
        diagnostics.say(
            "\(Quantity.count(changes.count, "change")), \(Quantity.count(conflicts.count, "conflict"))",
            details: conflicts.map { "conflict at \($0)" })
        return conflicts.isEmpty ? .success : .problems
    }
}
