import Foundation
import Pallium
import PalliumStore

extension CommandSpec {
    static let storeImport = CommandSpec(
        name: "store import", summary: "import documents into a store, and make it if there is none",
        usage: ["--schemas DIR --model NAME [OPTION…] STORE FILE…"],
        about: """
            Imports documents, an object with one model or an array of models each. Models that the store has
            are merged with what a document says: an absent member keeps the value, null clears it, the merge
            policies of the schema decide about others. Each model with an identity becomes a row. FILE is a
            file, or - for standard input. It holds one document unless --lines is given. A file is stored as
            a whole or not at all, of lines 256 at a time. The number of changes goes to standard error.
            """,
        options: [
            .schemas, .model, .profile, .lines, .unknown,
            .collect.explained(
                """
                Go on after a problem. The document that has it is left out as a whole: with --lines
                a line, otherwise a file.
                """),
            .maximumBytes, .errors, .help,
        ],
        problems: "the data or the store has problems",
        examples: """
            pallium store import --schemas Schemas --model Issue issues.store issues.json
            gunzip -c events.gz | pallium store import --schemas Schemas --model Event --lines events.store -
            """,
        run: running(StoreImportCommand.self) { parsed throws(UsageError) in
            try StoreArguments(
                parsed, needsModel: true, files: 2...Int.max, "the file of a store, and documents: STORE FILE…")
        })
}

/// `pallium store import`: imports documents into a store.
final class StoreImportCommand: RunnableCommand {
    /// How many lines are stored together, or not at all.
    private static let linesOfOneTransaction = 256
    private static let maximumRowBytes = 1 << 30

    /// A document and the place where it begins in its file.
    private typealias Document = (text: ArraySlice<UInt8>, location: JSONLocation)

    private let arguments: StoreArguments
    private let run: Run
    private var (inserted, updated, documents) = (0, 0, 0)
    private var status = ExitStatus.success

    init(arguments: StoreArguments, output: ByteOutput, run: Run) {
        self.arguments = arguments
        self.run = run
    }

    /// Imports all files. The first problem ends the run unless problems are collected.
    func execute() throws(Interruption) -> ExitStatus {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        // What a dump has written can be imported again. No row holds more.
        options.maximumElementBytes = Self.maximumRowBytes
        options.reading.maximumStringBytes = Self.maximumRowBytes
        options.reading.maximumNameBytes = Self.maximumRowBytes
        let catalog = try run.catalog(arguments.schemas)
        // The arguments have a model.
        let adapter = try catalog.adapter(
            model: arguments.model ?? "", profile: arguments.profile, options: run.adapterOptions(from: options))
        try catalog.accept([("--model", ModelQuery(schema: adapter.schema))])
        do throws(ModelError) {
            let store = try ModelStore(at: URL(fileURLWithPath: arguments.store), registry: catalog.registry)
            importFiles(store, adapter)
        } catch { return run.status(of: error, file: arguments.store) }
        let changes = "\(inserted) inserted, \(updated) updated"
        run.sumUp(arguments.isLines ? "\(Quantity.count(documents, "line")) stored: \(changes)" : changes)
        return EndRequest.signal == nil ? status : .ended
    }

    private func importFiles(_ store: ModelStore, _ adapter: JSONAdapter<DynamicModel>) {
        if arguments.isLines { EndRequest.watch() }
        for path in arguments.files where EndRequest.signal == nil {
            let name = InputFile.displayName(of: path)
            do throws(Interruption) {
                if arguments.isLines {
                    try importLines(of: path, name, store, adapter)
                } else {
                    try importDocument(path, name, store, adapter)
                }
            } catch {
                // Other problems were reported.
                if case .problem = error { return }
                let ended = run.status(of: error)
                if status != .misuse { status = ended }
                if !arguments.isCollecting { return }
            }
        }
    }

    private func importDocument(
        _ path: String, _ name: String, _ store: ModelStore, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) {
        let bytes = try run.contents(of: path, isJSON: true)
        try run.showing("importing \(name)", bytes: bytes.count) { () throws(Interruption) in
            try add([(bytes[...], .start)], of: name, store, adapter)
        }
    }

    private func importLines(
        of path: String, _ name: String, _ store: ModelStore, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) {
        let file = try InputFile(path: path, isJSON: true)
        var shown = Progress(activity: "importing \(name)", size: file.size, run: run)
        defer { shown.end() }
        let input = InputChunks.State()
        try adapter.process(lines: InputChunks(file, state: input), concurrently: 1) { block throws(Interruption) in
            block
        } receive: { block throws(Interruption) in
            // What has arrived of a line when the run is asked to end is no line.
            if EndRequest.signal != nil, block.bytes.last != UInt8(ascii: "\n") { return }
            var lines = block.lines[...]
            while !lines.isEmpty {
                try add(lines.prefix(Self.linesOfOneTransaction), of: name, store, adapter)
                lines = lines.dropFirst(Self.linesOfOneTransaction)
            }
            shown.advance(to: input.bytesRead)
        }
        if let failure = input.failure { throw failure }
    }

    /// Imports documents in one transaction; reports problems.
    ///
    /// - Throws: ``Interruption/problem`` if the run must end; nothing was stored then.
    private func add(
        _ batch: some Sequence<Document>, of name: String, _ store: ModelStore, _ adapter: JSONAdapter<DynamicModel>
    ) throws(Interruption) {
        var (inserted, updated, documents, isReported) = (0, 0, 0, false)
        do {
            try store.transaction { _ in
                for document in batch {
                    do throws(ModelError) {
                        try checkLength(document, adapter)
                        // A transaction within the other, which can be undone by itself.
                        let changes = try store.import(document.text, using: adapter)
                        inserted += changes.inserted
                        updated += changes.updated
                        documents += 1
                    } catch {
                        refuse(error, at: document.location, of: name)
                        guard arguments.isCollecting, !error.isOfStore else {
                            isReported = true
                            throw error
                        }
                    }
                }
            }
        } catch {
            if !isReported, let error = error as? ModelError { refuse(error, at: .start, of: name) }
            throw .problem
        }
        self.inserted += inserted
        self.updated += updated
        self.documents += documents
    }

    /// Refuses a line that is cut, because it is longer than lines may be.
    private func checkLength(_ line: Document, _ adapter: JSONAdapter<DynamicModel>) throws(ModelError) {
        let limit = adapter.options.maximumElementBytes
        guard arguments.isLines, line.text.count > limit else { return }
        throw ModelError(.limitExceeded, expected: "a line of at most \(limit.counted("byte"))", found: "more")
    }

    private func refuse(_ error: ModelError, at location: JSONLocation, of name: String) {
        if error.isOfStore {
            status = run.status(of: error, file: arguments.store)
        } else {
            run.report(error.problems.map { $0.inText(from: location) }, file: name, location: location)
            if status == .success { status = .problems }
        }
    }
}

extension LineBlock {
    /// The lines that are not blank, and where they begin.
    fileprivate var lines: [(text: ArraySlice<UInt8>, location: JSONLocation)] {
        var lines: [(ArraySlice<UInt8>, JSONLocation)] = []
        var location = location
        while case let text = line(at: location), !text.isEmpty {
            // White space of JSON: RFC 8259 §2.
            if !text.allSatisfy({ [0x20, 0x0A, 0x0D, 0x09].contains($0) }) {
                lines.append((text.last == UInt8(ascii: "\n") ? text.dropLast() : text, location))
            }
            location = JSONLocation(line: location.line + 1, column: 1, byteOffset: location.byteOffset + text.count)
        }
        return lines
    }
}

extension ModelError {
    /// Whether a store failed, not what it was given.
    fileprivate var isOfStore: Bool {
        [.busy, .malformedStore, .unreadableFile, .unwritableFile].contains(code)
    }
}
