import Foundation
import Pallium

/// `pallium decode`: decodes documents and writes the models as JSON.
struct DecodeCommand {
    /// How many problems of one document are collected: more than people read, few enough to hold.
    static let maximumProblems = 100_000

    let arguments: DecodeArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    /// Runs the command.
    func run() -> ExitStatus {
        guard let adapter = diagnostics.adapter(for: arguments.source, options: options), selects(adapter) else {
            return .misuse
        }
        let start = ContinuousClock.now
        let decoder = DocumentDecoder(adapter: adapter, isCollecting: arguments.isCollecting)
        let source = DocumentSource(
            arguments.source.inputs, isLines: arguments.source.isLines, decoder: decoder, diagnostics: diagnostics,
            survivesUnreadableFiles: arguments.isCollecting)
        var summary = Summary()
        let status = run(adapter, source, &summary)
        // A closed output needs no summary, and neither does a run that read nothing.
        if status != .outputClosed, status != .misuse || source.bytesRead > 0 {
            diagnostics.sumUp(summary.text(bytes: source.bytesRead, time: .now - start))
        }
        return status
    }

    private var options: JSONAdapterOptions {
        var options = JSONAdapterOptions()
        options.unknownMembers = arguments.unknownMembers
        options.writing.pretty = arguments.isPretty
        options.maximumProblems = Self.maximumProblems
        // With --collect, a bad element must not remove the good ones from the output.
        options.elements = arguments.isCollecting ? .skip : .fail
        return options
    }

    private var selection: PropertySelection? { arguments.only.map { PropertySelection($0) } }

    /// Whether the model has the keys of `--only`; checked before any input is read.
    private func selects(_ adapter: JSONAdapter<DynamicModel>) -> Bool {
        do throws(ModelError) {
            _ = try adapter.data(from: [DynamicModel](), only: selection)
            return true
        } catch {
            let text = "--only: \(error.schema ?? adapter.schema.name): \(error.sentence)"
            diagnostics.say(PrintableText.escape(text, limit: 4096))
            return false
        }
    }

    private func run(
        _ adapter: JSONAdapter<DynamicModel>, _ source: DocumentSource, _ summary: inout Summary
    ) -> ExitStatus {
        var array = ArrayOutput(output, isPretty: arguments.isPretty)
        do throws(Interruption) {
            try source.forEach(willWait: flush) { decoded throws(Interruption) in
                var problems = decoded.problems
                if arguments.isCollecting || problems.isEmpty {
                    problems += try write(decoded, with: adapter, &array)
                }
                summary.add(schemas: decoded.models.map(\.schema.name), problems: problems.count)
                if problems.isEmpty { return }
                try flush()
                diagnostics.report(problems, file: decoded.file, location: decoded.location)
                if !arguments.isCollecting { throw .problem }
            }
            try flush()
        } catch {
            return diagnostics.status(of: error)
        }
        if source.hasFailed { return .misuse }
        return summary.problems == 0 ? .success : .problems
    }

    /// Writes the models of a document; returns the problems of writing, a transformer without a reverse for example.
    private func write(
        _ decoded: Decoded, with adapter: JSONAdapter<DynamicModel>, _ array: inout ArrayOutput
    ) throws(Interruption) -> [ModelError] {
        var text = Data()
        do throws(ModelError) {
            if decoded.isArray {
                text = try adapter.data(from: decoded.models, only: selection)
            } else if let model = decoded.models.first {
                text = try adapter.data(from: model, only: selection)
            }
        } catch {
            guard case .at(let index)? = decoded.element else { return error.problems }
            return error.problems.map { $0.under(index: index) }
        }
        do throws(OutputError) {
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
        } catch { throw .output(error) }
        return []
    }

    private func flush() throws(Interruption) {
        do throws(OutputError) { try output.flush() } catch { throw .output(error) }
    }
}
