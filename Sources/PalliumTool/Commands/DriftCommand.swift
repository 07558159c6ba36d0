import Pallium
import PalliumTrials

extension CommandSpec {
    static let drift = CommandSpec(
        name: "drift", summary: "find where data contradicts its schema, and what would accept it",
        usage: ["[OPTION…] --schemas DIR --model NAME FILE…", "--merge [OPTION…] REPORT…"],
        about: """
            Reads documents and reports what contradicts the schemas: unknown members, absent and null values,
            other kinds, unlisted cases and models, broken rules; each with its count, the first examples, and
            the edit of a schema document that would accept it. Notes name what no document had, and figures
            tell how often each property is present or null, its ranges, and its number of distinct values.
            FILE is a file, or - for standard input. It holds one document unless --lines is given. Lines are
            read one by one, and so are the elements of arrays above 4 MiB; other documents are read whole.
            Values of properties with labels are never shown. With --merge, REPORT is a report in JSON about a part
            of the documents, and the report about all parts is written. The article Drift describes the report.
            """,
        options: [
            .schemas, .model, .profile, .opaqueTransformers, .lines,
            .jobs.explained("Read lines on N threads. The default is the number of cores. The report is the same."),
            .merge, .reportFormat, .baseline,
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
            pallium drift --merge --format json part-1.drift part-2.drift > all.drift
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
    static let merge = Option(
        "--merge",
        """
        The files are reports in JSON, of decode --drift or drift --format json, each about a
        part of the documents. Without --schemas and --model.
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
        do throws(Interruption) {
            var baseline: DriftReport?
            if let path = arguments.baseline { baseline = try read(path) }
            var report = if let source = arguments.source { try self.report(source) } else { try merged() }
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

    private func read(_ path: String) throws(Interruption) -> DriftReport {
        try run.read(path) { bytes throws(ModelError) in try DriftReport(json: bytes) }
    }

    /// Adds up reports about parts.
    private func merged() throws(Interruption) -> DriftReport {
        // The arguments name a report at least.
        var merged = try read(arguments.reports[0])
        for path in arguments.reports.dropFirst() {
            let report = try read(path)
            try run.reporting(InputFile.displayName(of: path)) { () throws(ModelError) in try merged.merge(report) }
        }
        return merged
    }

    /// Reads all documents.
    private func report(_ source: SourceArguments) throws(Interruption) -> DriftReport {
        let catalog = try run.catalog(source.schemas, isOpaque: source.hasOpaqueTransformers)
        let adapter = try catalog.adapter(
            model: source.model, profile: source.profile, options: run.adapterOptions(from: options))
        var monitor = try run.driftMonitor(source, catalog)
        if source.isLines {
            try addLines(source, adapter, to: &monitor)
        } else {
            try addDocuments(source, adapter, to: &monitor)
        }
        return monitor.report()
    }

    private func addLines(
        _ source: SourceArguments, _ adapter: JSONAdapter<DynamicModel>, to monitor: inout DriftMonitor
    ) throws(Interruption) {
        let emptyMonitor = monitor
        for path in source.inputs {
            let name = InputFile.displayName(of: path)
            let end = try adapter.process(linesOf: path, run, concurrently: arguments.threadCount) {
                block throws(Interruption) in
                var part = emptyMonitor
                for line in block.reports { part.add(line, of: block, source: name) }
                return part
            } receive: { part throws(Interruption) in
                try run.reporting(name) { () throws(ModelError) in try monitor.merge(part) }
            }
            if let failure = end.failure { throw failure }
        }
    }

    private func addDocuments(
        _ source: SourceArguments, _ adapter: JSONAdapter<DynamicModel>, to monitor: inout DriftMonitor
    ) throws(Interruption) {
        let documents = DocumentSource(
            source.inputs, isLines: false, adapter: adapter, isCollecting: true, keepsTexts: true, run: run)
        try documents.forEach(willWait: {}) { decoded throws(Interruption) in
            var pointer = JSONPointer()
            switch decoded.element {
            case .end?: return
            case .at(let index)?: pointer.append("\(index)")
            case nil: break
            }
            monitor.add(
                decoded.text ?? [], problems: decoded.problems, models: decoded.models, source: decoded.file,
                location: decoded.location, at: pointer)
        }
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

extension Run {
    /// Makes a monitor of the documents that arguments name.
    func driftMonitor(_ source: SourceArguments, _ catalog: SchemaCatalog) throws(Interruption) -> DriftMonitor {
        let schema = try catalog.schema(named: source.model)
        return try reporting(source.schemas.displayName) { () throws(ModelError) in
            try DriftMonitor(schema: schema, profile: source.profile, registry: catalog.registry)
        }
    }
}
