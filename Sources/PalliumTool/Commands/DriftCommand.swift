import Pallium
import PalliumTrials

/// `pallium drift`: finds where data contradicts its schema.
struct DriftCommand: RunnableCommand {
    let arguments: DriftArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let source = arguments.source
        let catalog = try diagnostics.catalog(source.schemas, isOpaque: source.hasOpaqueTransformers)
        let adapter = try catalog.adapter(
            model: source.model, profile: source.profile, options: diagnostics.limited(options))
        do throws(Interruption) {
            let baseline = try baseline()
            var report = try monitor(adapter, catalog).report()
            if let baseline { report.compare(with: baseline) }
            try write(report)
            sumUp(report)
            return hasNews(report) ? .problems : .success
        } catch {
            // Problems of the data are findings, so this one is that the tool cannot work.
            let status = diagnostics.status(of: error)
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
        return try diagnostics.read(path) { bytes throws(ModelError) in try DriftReport(json: bytes) }
    }

    /// Reads all documents.
    private func monitor(
        _ adapter: JSONAdapter<DynamicModel>, _ catalog: SchemaCatalog
    ) throws(Interruption) -> DriftMonitor {
        var monitor = try diagnostics.reporting(arguments.source.schemas.displayName) { () throws(ModelError) in
            try DriftMonitor(
                schema: adapter.schema, profile: arguments.source.profile, registry: catalog.registry)
        }
        let documents = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines, adapter: adapter, isCollecting: true,
            keepsTexts: true, diagnostics: diagnostics)
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
        diagnostics.sumUp(text)
    }
}
