import Foundation
import Pallium

extension CommandSpec {
    static let merge = CommandSpec(
        name: "merge", summary: "merge a document into another by the policies of the schema",
        usage: ["--schemas DIR --model NAME [--local FILE] [OPTION…] BASE INCOMING"],
        about: """
            Reads a model from BASE, merges INCOMING, which may be a partial document, into it, and writes the
            result to standard output. Properties that INCOMING does not mention keep their values; the merge
            policies of the schema decide about the others. With --local, the edits in a copy of BASE are kept
            as well. A property that both sides changed is a conflict: the policies decide it, it is reported
            on standard error with its JSON Pointer, and the exit status is 1. One of the files may be - for
            standard input.
            """,
        options: [
            .schemas, .model, .profile, .opaqueTransformers, .local, .unknown, .redact, .redactionKey,
            .pretty.explained("Write one member or element a line, indented. Not together with --keep-format."),
            .keepFormat, .comments, .maximumBytes, .output, .help,
        ],
        problems: "the data has problems, or there are conflicts",
        examples: """
            pallium merge --schemas Schemas/github --model Event --local edited.json fetched.json newer.json
            pallium merge --schemas Schemas --model Settings --keep-format settings.json changes.json
            """,
        run: running(MergeCommand.self, MergeArguments.init))
}

extension Option {
    static let local = Option(
        "--local", value: "FILE", "An edited copy of BASE. Its edits survive unless the policies say otherwise.")
    static let keepFormat = Option(
        "--keep-format",
        """
        Write the text of BASE with the values that changed, and leave every other byte as it
        is: order, white space, spelling, members that no property maps, the end of the text.
        """)
}

/// `pallium merge`: merges an incoming document into a base document by the policies of the schema.
struct MergeCommand: RunnableCommand {
    let arguments: MergeArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        options.writing.isPretty = arguments.isPretty
        let adapter = try run.adapter(for: arguments.source, options: options)
        let redaction = try arguments.redaction.redaction(among: adapter.labels)
        let (model, base) = try run.read(arguments.base) { bytes throws(ModelError) in
            (try adapter.model(from: bytes), Data(bytes))
        }
        if let local = arguments.local { try edit(model, as: local, adapter) }
        let changes = try run.read(arguments.incoming) { bytes throws(ModelError) in
            arguments.local == nil
                ? try adapter.merge(bytes, into: model) : try adapter.rebase(model, onto: bytes)
        }
        let text = try run.reporting(InputFile.displayName(of: arguments.base)) {
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
        _ = try run.read(path) { bytes throws(ModelError) in
            try adapter.apply(adapter.jsonPatch(from: model, to: adapter.model(from: bytes)), to: model)
        }
    }

    /// Reports the number of changes, and each conflict.
    private func report(_ changes: ModelChanges) -> ExitStatus {
        let conflicts = changes.conflicts
        run.say(
            "\(Quantity.count(changes.count, "change")), \(Quantity.count(conflicts.count, "conflict"))",
            details: conflicts.map { "conflict at \($0)" })
        return conflicts.isEmpty ? .success : .problems
    }
}
