import Pallium
import PalliumTrials

extension CommandSpec {
    static let infer = CommandSpec(
        name: "infer", summary: "infer schemas from sample documents",
        usage: ["[OPTION…] FILE…"],
        about: """
            Reads sample documents, an object or an array of objects each, and writes schemas that read them
            strictly and write them back equal: properties, kinds, identities and nested models. FILE is a
            file, or - for standard input. It holds one document unless --lines is given. A line for each
            schema goes to standard error, with the evidence. Lines are read one by one, and so are the elements
            of arrays above 4 MiB; other documents are read whole. Samples are forgotten once they are counted.
            """,
        options: [
            .name, .rows, .lines,
            .jobs.explained(
                """
                Read lines on N threads. The default is the number of cores, and one with --rows. The
                schemas are the same.
                """),
            .values, .skipBad, .maximumBytes, .folder, .errors, .help,
        ],
        examples: """
            pallium infer --output Schemas Schemas/samples/issues.json
            gunzip -c events.gz | pallium infer --name Event --lines --rows 10000 - > Event.json
            pallium infer --lines --skip-bad --output Schemas events.jsonl
            """,
        run: running(InferCommand.self, InferArguments.init))
}

extension Option {
    static let name = Option(
        "--name", value: "NAME",
        """
        The name of the samples' schema: letters, digits and underscores. Without it, the
        name of the first file: issues.json holds samples of Issue.
        """)
    static let rows = Option("--rows", value: "N", "Read at most so many samples.")
    static let values = Option(
        "--values",
        """
        Take the values of the documents as samples: for documents that are maps of objects.
        """)
    static let skipBad = Option(
        "--skip-bad",
        """
        Report every problem and go on, without the lines, files and elements of arrays that
        have one. The summary says how many lines or files the samples come from. The status
        is then 1.
        """)
}

/// `pallium infer`: infers schemas from sample documents.
struct InferCommand: RunnableCommand {
    let arguments: InferArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        var samples = Samples(arguments)
        let adapter = try run.reporting(arguments.name) { () throws(ModelError) in try sampleAdapter() }
        let source = DocumentSource(
            arguments.inputs, isLines: arguments.isLines, allowsArrays: true, adapter: adapter,
            isCollecting: arguments.skipsBad,
            run: run, survivesUnreadableFiles: arguments.skipsBad)
        var hasFailed = false
        do throws(Interruption) {
            // The first samples are those of the first lines.
            if arguments.isLines, arguments.maximumSamples == nil {
                hasFailed = try addLines(to: &samples, adapter)
            } else {
                try source.forEach(willWait: {}) { decoded throws(Interruption) in
                    samples.add(decoded)
                    try report(&samples, file: decoded.file)
                    if samples.areEnough { throw .enough }
                }
            }
        } catch .enough {}
        hasFailed = hasFailed || source.hasFailed
        let (inference, sources) = (samples.inference, samples.sources)
        if arguments.skipsBad { sumUp(sources) }
        // A folder is written as a whole or not at all.
        if hasFailed, arguments.folder != nil || inference.sampleCount == 0 { return .misuse }
        if !arguments.takesValues, inference.areMaps {
            run.say("the samples look like maps: with --values, their values are the samples")
        }
        let names = arguments.inputs.map { InputFile.displayName(of: $0) }.joined(separator: ", ")
        let inferred = try run.reporting(names) { () throws(ModelError) in try inference.inferred() }
        try write(inferred)
        for (position, item) in inferred.enumerated() { sumUp(item, noun: position == 0 ? "sample" : "object") }
        return hasFailed ? .misuse : sources.problems > 0 ? .problems : .success
    }

    /// Makes an adapter that takes every object and keeps all its members.
    private func sampleAdapter() throws(ModelError) -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        if arguments.skipsBad {
            options.elements = .skip
            options.maximumProblems = DecodeCommand.maximumProblems
        }
        let schema = ModelSchema(arguments.name, [:])
        let registry = SchemaRegistry()
        // Nothing can be wrong with a schema without properties whose name was checked.
        try? registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry, options: run.adapterOptions(from: options))
    }

    /// Adds the samples of lines, which are read on several threads.
    ///
    /// - Returns: Whether a file could not be read.
    private func addLines(
        to samples: inout Samples, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) -> Bool {
        var hasFailed = false
        for path in arguments.inputs {
            let name = InputFile.displayName(of: path)
            do throws(Interruption) {
                let arguments = arguments
                let end = try adapter.process(linesOf: path, run, concurrently: arguments.threadCount) {
                    block throws(Interruption) in
                    var part = Samples(arguments)
                    for line in block.reports where part.mayGoOn {
                        part.add(
                            Decoded(
                                models: arguments.skipsBad || line.problems.isEmpty ? line.models : [],
                                problems: Array(line.problems.prefix(arguments.skipsBad ? .max : 1)), file: name,
                                location: line.location))
                    }
                    return part
                } receive: { part throws(Interruption) in
                    samples.merge(part)
                    try report(&samples, file: name)
                }
                if let failure = end.failure { throw failure }
            } catch .unreadable(let file, let error) where arguments.skipsBad {
                run.report(unreadable: file, error)
                hasFailed = true
            }
        }
        return hasFailed
    }

    /// Reports the problems of samples.
    private func report(_ samples: inout Samples, file: String) throws(Interruption) {
        for (problems, location) in samples.problems { run.report(problems, file: file, location: location) }
        if !samples.problems.isEmpty, !arguments.skipsBad { throw .problem }
        samples.problems = []
    }

    private func write(_ inferred: [InferredSchema]) throws(Interruption) {
        let written: SchemaOutput
        do throws(SchemaError) {
            written = try SchemaOutput(inferred.map(\.schema), SchemaRegistry(), folder: arguments.folder)
        } catch {
            // Names of members that together exceed the limits of schema documents.
            run.say(ModelError.shorten("the schemas cannot be written: \(error)", to: 4096))
            throw .problem
        }
        try written.write(to: output)
    }

    private func sumUp(_ sources: SampleSources) {
        let all = arguments.isLines ? sources.documents.counted("line") : arguments.inputs.count.counted("file")
        run.sumUp("samples from \(sources.used) of \(all), \(Quantity.count(sources.problems, "problem"))")
    }

    private func sumUp(_ item: InferredSchema, noun: String) {
        var text = "\(item.schema.name): \(Quantity.count(item.objects, noun))"
        text += ", \(item.schema.properties.count.counted("property", "properties"))"
        if let identity = item.identity {
            let key = ModelError.shorten(identity.key, to: 64)
            text += ", identity \"\(key)\" (\(identity.distinct) distinct of \(identity.objects))"
        }
        run.sumUp(text)
        if item.moneyKeys.isEmpty { return }
        let keys = item.moneyKeys.prefix(8).map { "\"\(ModelError.shorten($0, to: 64))\"" }
        let more = item.moneyKeys.count > keys.count ? ", …" : ""
        run.sumUp(
            "\(item.schema.name): perhaps money, which the kind decimal keeps exactly: \(keys.joined(separator: ", "))\(more)"
        )
    }
}

/// Samples that were counted, and the problems of others.
private struct Samples: Sendable {
    private let arguments: InferArguments
    private(set) var inference: SchemaInference
    private(set) var sources = SampleSources()
    /// The problems that were not reported yet, with their places.
    var problems: [(problems: [ModelError], location: JSONLocation?)] = []

    init(_ arguments: InferArguments) {
        self.arguments = arguments
        inference = SchemaInference(name: arguments.name)
    }

    /// Whether the first problem does not end the run.
    var mayGoOn: Bool { arguments.skipsBad || problems.isEmpty }

    var areEnough: Bool { arguments.maximumSamples.map { inference.sampleCount >= $0 } ?? false }

    mutating func add(_ decoded: Decoded) {
        var problems = decoded.problems
        var samples = decoded.models.map { $0.unknownMembers ?? JSONObject() }
        if arguments.takesValues {
            samples = samples.flatMap { map in
                map.compactMap { member in
                    if case .object(let object) = member.value { return object }
                    problems.append(
                        ModelError(.typeMismatch, expected: "an object", found: member.value.summary)
                            .under(key: member.key))
                    return nil
                }
            }
        }
        if arguments.skipsBad {
            // One such sample would be the end of all.
            samples.removeAll { sample in
                guard let problem = inference.problem(of: sample) else { return false }
                problems.append(problem)
                return true
            }
        }
        if !problems.isEmpty {
            self.problems.append((problems, decoded.location))
            if !arguments.skipsBad { return }
        }
        let rest = arguments.maximumSamples.map { $0 - inference.sampleCount } ?? .max
        inference.add(Array(samples.prefix(rest)), isContinued: sources.isContinued)
        sources.add(decoded.element, hasSamples: !samples.isEmpty, problems: problems.count)
    }

    /// Adds the samples of lines that come after the own.
    mutating func merge(_ other: Samples) {
        inference.merge(other.inference)
        sources.merge(other.sources)
        problems += other.problems
    }
}

/// Counts the documents that samples come from.
private struct SampleSources: Sendable {
    /// The number of documents that were read, those with problems included.
    private(set) var documents = 0
    /// The number of documents with samples.
    private(set) var used = 0
    private(set) var problems = 0
    /// Whether the next element belongs to an array that has given samples.
    private(set) var isContinued = false

    /// Counts a document, or an element of a long array.
    mutating func add(_ element: Decoded.Element?, hasSamples: Bool, problems: Int) {
        self.problems += problems
        if hasSamples, !isContinued { used += 1 }
        switch element {
        case .at: isContinued = isContinued || hasSamples
        case .end, nil:
            documents += 1
            isContinued = false
        }
    }

    /// Adds the counts of other documents.
    mutating func merge(_ other: SampleSources) {
        documents += other.documents
        used += other.used
        problems += other.problems
    }
}
