import Foundation
import Pallium

/// `pallium decode`: decodes documents and writes the models as JSON.
struct DecodeCommand: RunnableCommand {
    /// How many problems of one document are collected: more than people read, few enough to hold.
    static let maximumProblems = 100_000

    let arguments: DecodeArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let adapter = try diagnostics.adapter(for: arguments.source, options: options).projected(to: arguments.only)
        let redaction = try arguments.redaction.redaction(among: adapter.labels)
        let start = ContinuousClock.now
        var summary = Summary()
        var status: ExitStatus
        do throws(Interruption) {
            if arguments.source.isLines {
                try LineRun(
                    arguments: arguments, adapter: adapter, redaction: redaction, output: output,
                    diagnostics: diagnostics
                ).run(&summary)
            } else {
                try decodeDocuments(adapter, redaction, &summary)
            }
            status = summary.hasUnreadableFiles ? .misuse : summary.problems == 0 ? .success : .problems
        } catch {
            status = diagnostics.status(of: error)
        }
        // A closed output needs no summary, and neither does a run that read nothing.
        if status != .outputClosed, status != .misuse || summary.bytes > 0 {
            try sumUp(summary, time: .now - start)
        }
        return EndRequest.signal == nil ? status : .ended
    }

    private var options: JSONAdapterOptions {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        options.mode = arguments.mode
        options.writing.pretty = arguments.isPretty
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
            diagnostics.sumUp("the run ended at \(Quantity.count(summary.problems, "problem")) (--max-problems)")
        }
        guard arguments.isQuiet else { return diagnostics.sumUp(summary.text(time: time)) }
        try output.finish(diagnostics.format == .text ? summary.report(time: time) : summary.jsonReport + "\n")
    }

    // MARK: Documents

    private func decodeDocuments(
        _ adapter: JSONAdapter<DynamicModel>, _ redaction: Redaction?, _ summary: inout Summary
    ) throws(Interruption) {
        let source = DocumentSource(
            arguments.source.inputs, isLines: false, adapter: adapter, isCollecting: arguments.goesOn,
            diagnostics: diagnostics, survivesUnreadableFiles: arguments.goesOn)
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
                diagnostics.report(
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
