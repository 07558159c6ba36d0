import Foundation
import Pallium
import PalliumTrials

extension CommandSpec {
    static let decode = CommandSpec(
        name: "decode", summary: "decode and validate documents, write the models back as JSON",
        usage: ["--schemas DIR --model NAME [OPTION…] FILE…"],
        about: """
            Reads documents, an object with one model or an array of models each, checks them against the
            schema and writes the models to standard output: an array for an array, an object for an object,
            one line for each document. FILE is a file, or - for standard input. It holds one document unless
            --lines is given. A summary goes to standard error. Lines are decoded one by one, and so are the
            elements of arrays above 4 MiB, so memory is bounded; when a problem in such an array is found,
            the elements before it have been written.
            """,
        options: [
            .schemas, .model, .profile, .opaqueTransformers, .linesOfBoth,
            .array.explained("A line may be an array of models. Otherwise it is one model."),
            .jobs, .unordered, .only, .redact, .redactionKey, .unknown,
            .mode.explained(
                """
                The documents are what a service takes (input), or what it gives (output): properties
                that a schema has only in the others are neither required, read nor written.
                """),
            .pretty.explained("Write one member or element a line, indented. Not together with --lines."),
            .original, .collect, .rejects, .unmasked, .envelope, .lineBuffered, .quiet, .summary, .drift, .errors,
            .acceptProblems, .maximumProblems, .maximumDepth, .comments, .maximumBytes, .output, .help,
        ],
        behind: Section(
            title: "problems",
            text: """
                Each is a line on standard error: FILE:LINE:COLUMN: message. Lines and columns count from 1,
                columns in bytes. The first one ends the run unless --collect is given; documents before it have
                been written by then. With --errors json, a line is an object with the members file, code,
                category, schema, property, pointer, line, column, offset, expected, found and message; what
                does not apply is null. Wrong usage and problems of schemas are always text.
                """),
        examples: """
            pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json
            gunzip -c events.gz | pallium decode --schemas Schemas/github --model Event --lines --collect -
            """,
        run: running(DecodeCommand.self, DecodeArguments.init))
}

extension Option {
    static let jobs = Option(
        "--jobs", value: "N", "Decode lines on N threads. The default is the number of cores. The output is the same.")
    static let unordered = Option("--unordered", "Write lines as soon as they are decoded, in any order.")
    static let original = Option("--original", "Write valid lines as they came, byte for byte.")
    static let rejects = Option(
        "--rejects", value: "FILE",
        """
        Write lines with problems to FILE, with their problems as JSON, and go on. Other lines
        go to the output. FILE is replaced: with --output when the run ends, otherwise when it
        begins. Values of properties with labels are masked, and what is no JSON is withheld
        if there are labels.
        """)
    static let unmasked = Option(
        "--unmasked", "Write rejected lines as they came, with the values of properties with labels.")
    static let quiet = Option(
        "--quiet",
        """
        Write no models and no single problems, but a summary with the number of problems by
        code, place and schema: as text, or as JSON with --errors json.
        """)
    static let envelope = Option(
        "--envelope",
        """
        Write one line for each line of the input, in order: {"line":N,"model":…} or
        {"line":N,"problems":[…]}; the model of a blank line is null.
        """)
    static let lineBuffered = Option(
        "--line-buffered",
        """
        Write each line by itself, as soon as it is decoded, not with others that came with
        it.
        """)
    static let summary = Option(
        "--summary", value: "FILE",
        """
        Write the counts that --quiet --errors json prints to FILE when the run ends, beside
        the output.
        """)
    static let drift = Option(
        "--drift", value: "FILE",
        """
        Write a report of drift to FILE when the run ends, beside the output: what pallium
        drift --format json says of the same lines. Needs --lines.
        """)
    static let acceptProblems = Option(
        "--accept-problems",
        """
        Go on after problems, and end with status 0 in spite of them, but for --max-problems.
        Any other status then means that the run itself failed.
        """)
    static let maximumProblems = Option(
        "--max-problems", value: "N", "Go on after problems, and end the run at N of them.")
    static let maximumDepth = Option(
        "--max-depth", value: "N",
        """
        Refuse documents with more than N levels of objects and arrays, at most
        \(JSONReadingOptions.highestDepth). The default is \(JSONReadingOptions.defaultDepth).
        """)
}

/// `pallium decode`: decodes documents and writes the models as JSON.
struct DecodeCommand: RunnableCommand {
    /// How many problems of one document are collected: more than people read, few enough to hold.
    static let maximumProblems = 100_000

    let arguments: DecodeArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        let catalog = try run.catalog(source.schemas, isOpaque: source.hasOpaqueTransformers)
        let adapter = try catalog.adapter(
            model: source.model, profile: source.profile, options: run.adapterOptions(from: options)
        )
        .projected(to: arguments.only)
        let redaction = try arguments.redaction.redaction(among: adapter.labels)
        var files = SideFiles(inputs: source.inputs, output: arguments.output, output)
        let summaryFile = try files.open(Option.summary.name, arguments.summary)
        let driftFile = try files.open(Option.drift.name, arguments.drift)
        let rejects = try files.open(
            Option.rejects.name, arguments.lines.rejects, isWrittenInPlace: arguments.output == nil)
        var monitor: DriftMonitor?
        if driftFile != nil { monitor = try run.driftMonitor(source, catalog) }
        let start = ContinuousClock.now
        var summary = Summary()
        var status: ExitStatus
        do throws(Interruption) {
            if source.isLines {
                try LineRun(
                    arguments: arguments, adapter: adapter, registry: catalog.registry, redaction: redaction,
                    output: output, rejects: rejects, emptyMonitor: monitor, run: run
                ).execute(&summary, &monitor)
            } else {
                try decodeDocuments(adapter, redaction, &summary)
            }
            let isGood = summary.problems == 0 || arguments.acceptsProblems
            status = summary.hasUnreadableFiles ? .misuse : isGood ? .success : .problems
        } catch {
            status = run.status(of: error)
        }
        // A closed output needs no summary, and neither does a run that read nothing.
        if status != .outputClosed, status != .misuse || summary.bytes > 0 {
            try sumUp(summary, time: .now - start)
        }
        // After a run that read nothing whole, files stay as they were.
        if status == .success || summary.documents > 0 {
            try summaryFile?.append(summary.jsonReport + "\n")
            // Values in a report are never nested deeper than the limit.
            if let monitor { try driftFile?.append(monitor.report().json.prettyText ?? "") }
        }
        return EndRequest.signal == nil ? status : .ended
    }

    private var options: JSONAdapterOptions {
        var options = JSONAdapterOptions()
        // The monitor counts unknown members, and then they are no problems.
        options.unknownMembers = arguments.drift == nil ? arguments.unknownMembers : .refuse
        options.mode = arguments.mode
        options.writing.isPretty = arguments.isPretty
        options.maximumProblems = Self.maximumProblems
        // When the run goes on, a bad element must not remove the good ones from the output.
        options.elements = arguments.goesOn ? .skip : .fail
        if let depth = arguments.maximumDepth {
            options.reading.maximumDepth = depth
            options.writing.maximumDepth = depth
        }
        return options
    }

    /// Prints the summary: with `--quiet` it is the output.
    private func sumUp(_ summary: Summary, time: Duration) throws(Interruption) {
        if arguments.maximumProblemsOption == summary.problems {
            run.sumUp("the run ended at \(Quantity.count(summary.problems, "problem")) (--max-problems)")
        }
        guard arguments.isQuiet else { return run.sumUp(summary.text(time: time)) }
        try output.finish(run.format == .text ? summary.report(time: time) : summary.jsonReport + "\n")
    }

    // MARK: Documents

    private func decodeDocuments(
        _ adapter: JSONAdapter<DynamicModel>, _ redaction: Redaction?, _ summary: inout Summary
    ) throws(Interruption) {
        let source = DocumentSource(
            arguments.source.inputs, isLines: false, adapter: adapter, isCollecting: arguments.goesOn,
            run: run, survivesUnreadableFiles: arguments.goesOn)
        defer {
            summary.bytes = source.bytesRead
            summary.hasUnreadableFiles = source.hasFailed
        }
        var array = ArrayOutput(output, isPretty: arguments.isPretty)
        try source.forEach(willWait: output.flush) { decoded throws(Interruption) in
            let limit = arguments.maximumProblems - summary.problems
            var problems = Array(decoded.problems.prefix(limit))
            if problems.isEmpty || (arguments.isCollecting && problems.count < limit) {
                if !arguments.isQuiet { problems += try write(decoded, with: adapter, redaction, &array) }
                decoded.models.forEach { summary.add($0) }
            }
            if case .end? = decoded.element { return }
            summary.add(document: problems)
            if problems.isEmpty { return }
            try output.flush()
            if !arguments.isQuiet {
                run.report(
                    problems.map { $0.namingLimit(of: adapter.options, hasDepth: true) }, file: decoded.file,
                    location: decoded.location)
            }
            if summary.problems >= arguments.maximumProblems { throw .problem }
        }
        try output.flush()
    }

    /// Writes the models of a document; returns the problems of writing, a transformer without a reverse for example.
    private func write(
        _ decoded: Decoded, with adapter: JSONAdapter<DynamicModel>, _ redaction: Redaction?,
        _ array: inout ArrayOutput
    ) throws(Interruption) -> [ModelError] {
        var text = Data()
        do throws(ModelError) {
            if decoded.isArray {
                text = try adapter.data(from: decoded.models, redacting: redaction)
            } else if let model = decoded.models.first {
                text = try adapter.data(from: model, redacting: redaction)
            }
        } catch {
            guard case .at(let index)? = decoded.element else { return error.problems }
            return error.problems.map { $0.under(index: index) }
        }
        if case .end? = decoded.element {
            try array.end()
        } else if text.isEmpty {
            return []
        } else if decoded.element == nil {
            try output.append(text)
            try output.append("\n")
        } else {
            try array.append(text)
        }
        return []
    }
}
