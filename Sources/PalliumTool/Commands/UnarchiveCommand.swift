import Foundation
import Pallium

extension CommandSpec {
    static let unarchive = CommandSpec(
        name: "unarchive", summary: "write the models of archives as JSON",
        usage: ["--schemas DIR [OPTION…] FILE…"],
        about: """
            Opens archives with the schemas of DIR, upgrades those of earlier versions as the schemas declare,
            and writes the models to standard output: an object for an archive of one model,
            an array for any other, nothing for one that cannot be opened, one line for each archive. FILE is
            a file, or - for standard input.
            """,
        options: [
            .schemas, .redact, .redactionKey, .pretty,
            .collect.explained(
                """
                Report every problem instead of the first, and write what could be opened: values and
                models that cannot be read are left out, and so are models that require them.
                Of one archive, the first \(DecodeCommand.maximumProblems.counted("problem")) are reported.
                """),
            .validation, .maximumArchiveBytes, .output, .help,
        ],
        examples: "pallium unarchive --schemas Schemas/github events.pallium",
        run: running(UnarchiveCommand.self, ArchiveArguments.init))
}

/// `pallium unarchive`: writes the models of archives as JSON documents.
struct UnarchiveCommand: RunnableCommand {
    let arguments: ArchiveArguments
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let catalog = try run.catalog(arguments.schemas)
        let redaction = try arguments.redaction.redaction(among: catalog.labels)
        var status = ExitStatus.success
        for path in arguments.inputs {
            let name = InputFile.displayName(of: path)
            let bytes = try run.contents(of: path)
            var text: Data?
            do throws(ModelError) {
                let opened = try run.showing("opening \(name)", bytes: bytes.count) {
                    () throws(ModelError) in try open(bytes, catalog)
                }
                if !opened.problems.isEmpty {
                    run.report(opened.problems, file: name, location: nil)
                    status = .problems
                }
                text = try self.text(of: opened, catalog, redaction, name)
            } catch {
                try? output.flush()
                status = run.status(of: error, file: path)
                guard arguments.isCollecting else { return status }
            }
            guard let text else { continue }
            try output.append(text)
            try output.append("\n")
        }
        try output.flush()
        return status
    }

    /// The content of an opened archive.
    private struct Opened {
        let models: [DynamicModel]
        var problems: [ModelError] = []
        /// Whether the archive was made of several models or of none.
        let isArray: Bool
    }

    /// Opens an archive; if problems are collected, as much of it as possible.
    private func open(_ bytes: [UInt8], _ catalog: SchemaCatalog) throws(ModelError) -> Opened {
        let unarchiver = catalog.unarchiver(arguments)
        guard arguments.isCollecting else {
            let models = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes)
            return Opened(models: models, isArray: models.count != 1)
        }
        let report = unarchiver.report(DynamicModel.self, from: bytes)
        return Opened(models: report.models, problems: report.problems, isArray: report.isArray)
    }

    /// Returns an object for an archive of one model, an array for any other; nil if the single model could not be
    /// opened.
    private func text(
        of opened: Opened, _ catalog: SchemaCatalog, _ redaction: Redaction?, _ name: String
    ) throws(ModelError) -> Data? {
        var options = JSONAdapterOptions()
        options.writing.isPretty = arguments.isPretty
        options.writesIncompleteModels = !arguments.validates
        if !opened.isArray {
            guard let model = opened.models.first else { return nil }
            let adapter = try JSONAdapter(schema: model.schema, registry: catalog.registry, options: options)
            return try adapter.data(from: model, redacting: redaction?.limited(to: adapter.labels))
        }
        var elements: [JSONValue] = []
        var progress = Progress(activity: "writing \(name)", total: opened.models.count, of: "model", run: run)
        defer { progress.end() }
        for model in opened.models {
            progress.advance()
            let adapter = try JSONAdapter(schema: model.schema, registry: catalog.registry, options: options)
            elements.append(try adapter.jsonValue(from: model, redacting: redaction?.limited(to: adapter.labels)))
        }
        do throws(JSONSyntaxError) { return Data(try JSONValue.array(elements).bytes(options: options.writing)) } catch
        {
            throw ModelError(
                .depthLimit, expected: "at most \(options.writing.maximumDepth.counted("level"))", found: "more")
        }
    }
}
