import Pallium

extension CommandSpec {
    static let diff = CommandSpec(
        name: "diff", summary: "report the changes between two documents, or write them as a patch",
        usage: ["[--schemas DIR --model NAME] [OPTION…] OLD NEW"],
        about: """
            Compares two documents of one model each. With schemas, properties are compared as the schema
            understands them: members that no property maps, spellings of numbers and dates, sets in another
            order and null for an absent member make no difference; a patch contains such a null all the same.
            Values with labels are masked in text. Without schemas, the documents are compared as they are.
            OLD and NEW are files, one may be - for standard input. Equal documents give no line, an empty JSON
            Patch, or {}.
            """,
        options: [
            .schemas.explained(
                """
                The schema documents: a folder of .json files, or one file. With several --schemas,
                all documents are one set.
                """),
            .model.explained("The schema of the documents' roots. Required with --schemas."),
            .profile, .opaqueTransformers, .format, .exitCode, .pretty, .comments, .maximumBytes, .output, .help,
        ],
        problems: "the data has problems; with --exit-code the documents differ, and problems are 2",
        examples: """
            pallium diff --schemas Schemas/github --model Event old.json new.json
            pallium diff old.json new.json > changes.patch.json
            """,
        run: running(DiffCommand.self, DiffArguments.init))
}

extension Option {
    static let format = Option(
        "--format", value: "text|patch|merge-patch",
        """
        One changed property a line (text, the default with --schemas), a JSON Patch
        (patch, RFC 6902; the default without), or a JSON Merge Patch (merge-patch,
        RFC 7396, which removes what became null).
        """)
    static let exitCode = Option(
        "--exit-code",
        """
        The exit status is 1 for documents that differ, and 2 for data with problems.
        With schemas, properties are compared as for text, whatever the format.
        """)
}

/// `pallium diff`: reports the changes between two documents.
struct DiffCommand: RunnableCommand {
    let arguments: DiffArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        do throws(Interruption) { return try compare() } catch {
            let status = run.status(of: error)
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
        let adapter = try run.adapter(for: source)
        let old = try model(of: arguments.old, adapter)
        let new = try model(of: arguments.new, adapter)
        // Formats show more or fewer differences; the exit status is the same for all.
        let changes = old.difference(to: new)
        if arguments.format == .text {
            try output.finish(changes.map { "\($0)\n" }.joined())
            return status(differs: !changes.isEmpty)
        }
        let patch = try run.reporting(InputFile.displayName(of: arguments.new)) { () throws(ModelError) in
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
        let options = run.adapterOptions(from: JSONAdapterOptions()).reading
        return try run.read(path) { bytes throws(ModelError) in try JSONValue(text: bytes, options) }
    }

    private func model(of path: String, _ adapter: JSONAdapter<DynamicModel>) throws(Interruption) -> DynamicModel {
        try run.read(path) { bytes throws(ModelError) in try adapter.model(from: bytes) }
    }

    private func finish(_ patch: JSONValue) throws(Interruption) {
        var options = JSONWritingOptions()
        options.isPretty = arguments.isPretty
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
            throw bytes.withBorrowedBytes { ModelError(error, in: $0) }
        }
    }
}
