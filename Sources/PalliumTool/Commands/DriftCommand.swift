import Pallium
import PalliumTrials

extension CommandSpec {
    static let drift = CommandSpec(
        name: "drift", summary: "find where data contradicts its schema, and what would accept it",
        usage: ["[OPTION…] --schemas DIR --model NAME FILE…"],
        about: """
            Reads documents and reports what contradicts the schemas: unknown members, absent and null values,
            other kinds, unlisted cases and models, broken rules; each with its count, the first examples, and
            the edit of a schema document that would accept it. Notes name what no document had, and figures
            tell how often each property is present or null, its ranges, and its number of distinct values.
            FILE is a file, or - for standard input. It holds one document unless --lines is given. Lines are
            read one by one, and so are the elements of arrays above 4 MiB; other documents are read whole.
            Values of properties with labels are never shown. The article Drift describes the report.
            """,
        options: [
            .schemas, .model, .profile, .opaqueTransformers, .lines, .reportFormat, .baseline,
            .strict.explained(
                """
                Notes count as findings do: the exit status is 1 if there are any, with --baseline if
                there are new ones. A new case of an enumeration that keeps unknown ones is a note.
                """),
            .maximumBytes, .output, .help,
        ],
        problems: "there are findings, with --strict also notes; with --baseline: new ones, or figures changed",
        examples: """
            pallium drift --schemas Schemas/github --model Event --lines events.jsonl
            pallium drift --schemas Inferred --model Event --strict --lines events.jsonl
            pallium drift --schemas Schemas/github --model Event --format json events.json > baseline.json
            pallium drift --schemas Schemas/github --model Event --baseline baseline.json today.json
            """,
        run: running(DriftCommand.self, DriftArguments.init))
}

extension Option {
    static let reportFormat = Option(
        "--format", value: "text|json",
        """
        Lines for people (text, the default), or a report for programs, which can be a
        baseline (json).
        """)
    static let baseline = Option(
        "--baseline", value: "FILE",
        """
        An earlier report in JSON, - for standard input. Only what it lacks counts: new
        findings, and clear changes of figures. In JSON, new findings are marked.
        """)
}

/// `pallium drift`: finds where data contradicts its schema.
struct DriftCommand: RunnableCommand {
    let arguments: DriftArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        let catalog = try run.catalog(source.schemas, isOpaque: source.hasOpaqueTransformers)
        let adapter = try catalog.adapter(model: source.model, profile: source.profile, options: run.limited(options))
        do throws(Interruption) {
            let baseline = try baseline()
            var report = try monitor(adapter, catalog).report()
            if let baseline { report.compare(with: baseline) }
            try write(report)
            sumUp(report)
            return hasNews(report) ? .problems : .success
        } catch {
            // Problems of the data are findings, so this one is that the tool cannot work.
            let status = run.status(of: error)
            return status == .problems ? .misuse : status
        }
    }

    private var options: JSONAdapterOptions {
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        // A bad element must not keep the rules of the others from being checked.
        options.elements = .skip
        options.maximumProblems = DecodeCommand.maximumProblems
        return options
    }

    private func baseline() throws(Interruption) -> DriftReport? {
        guard let path = arguments.baseline else { return nil }
        return try run.read(path) { bytes throws(ModelError) in try DriftReport(json: bytes) }
    }

    /// Reads all documents.
    private func monitor(
        _ adapter: JSONAdapter<DynamicModel>, _ catalog: SchemaCatalog
    ) throws(Interruption) -> DriftMonitor {
        var monitor = try run.reporting(arguments.source.schemas.displayName) { () throws(ModelError) in
            try DriftMonitor(schema: adapter.schema, profile: arguments.source.profile, registry: catalog.registry)
        }
        let documents = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines, adapter: adapter, isCollecting: true,
            keepsTexts: true, run: run)
        try documents.forEach(willWait: {}) { decoded throws(Interruption) in
            var pointer = JSONPointer()
            switch decoded.element {
            case .end?: return
            case .at(let index)?: pointer.append("\(index)")
            case nil: break
            }
            monitor.add(
                decoded.text ?? [], problems: decoded.problems.map { $0.at(decoded.location) }, source: decoded.file,
                at: pointer)
        }
        return monitor
    }

    private func write(_ report: DriftReport) throws(Interruption) {
        switch arguments.format {
        case .text: try output.finish(report.text)
        // Values in a report are never nested deeper than the limit.
        case .json: try output.finish(report.json.prettyText ?? "")
        }
    }

    private func hasNews(_ report: DriftReport) -> Bool {
        report.hasNews || arguments.isStrict && report.notes.contains(where: \.isNew)
    }

    private func sumUp(_ report: DriftReport) {
        var text = Quantity.count(report.documents, "document")
        for (findings, noun) in [(report.findings, "finding"), (report.notes, "note")] {
            text += ", \(Quantity.count(findings.count, noun))"
            if report.hasBaseline { text += ", \(findings.count(where: \.isNew)) new" }
        }
        if report.hasBaseline { text += ", \(Quantity.count(report.shifts.count, "shift"))" }
        run.sumUp(text)
    }
}
