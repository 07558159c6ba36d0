import Foundation
import Pallium
import PalliumTrials

/// Decodes the lines of files on several threads, and writes what comes of them in order.
///
/// ```
///   file ──▶ blocks of lines ──threads──▶ DecodedLines ──▶ rejects, output, reports, summary
/// ```
/// Rejects are written before the output of the same lines, and reports after it. So when something cannot be written,
/// no line is in the output whose predecessors were not kept.
struct LineRun {
    let arguments: DecodeArguments
    let adapter: JSONAdapter<DynamicModel>
    /// The schemas of the adapter.
    let registry: SchemaRegistry
    let redaction: Redaction?
    let output: ByteOutput
    let rejects: ByteOutput?
    /// The monitor that every block of lines begins with; nil if nobody asks for drift.
    let emptyMonitor: DriftMonitor?
    let run: Run

    private var lineOutput: LineDecoder.Output {
        if arguments.lines.isEnveloped { return .envelopes }
        return arguments.isQuiet ? .nothing : arguments.lines.isOriginal ? .original : .models
    }

    private var problems: LineDecoder.Problems {
        if rejects != nil { return .rejected }
        if arguments.lines.isEnveloped { return .answered }
        return arguments.isQuiet ? .counted : .reported(run.format)
    }

    /// Decodes all files.
    func execute(_ summary: inout Summary, _ monitor: inout DriftMonitor?) throws(Interruption) {
        // A file of rejects that is a pipe has waited for its reader.
        EndRequest.watch()
        for path in arguments.source.inputs where EndRequest.signal == nil {
            let name = InputFile.displayName(of: path)
            do throws(Interruption) { try decode(path, name, &summary, &monitor) } catch {
                guard case .unreadable(let file, let failure) = error, arguments.goesOn else { throw error }
                run.report(unreadable: file, failure)
                summary.hasUnreadableFiles = true
            }
        }
    }

    private func decode(
        _ path: String, _ name: String, _ summary: inout Summary, _ monitor: inout DriftMonitor?
    ) throws(Interruption) {
        let start = summary.bytes
        let decoder = LineDecoder(
            adapter: adapter, redaction: redaction, output: lineOutput, problems: problems,
            isUnmasked: arguments.lines.isUnmasked, allowsArrays: arguments.lines.mayBeArrays,
            writesParts: arguments.isCollecting && !arguments.lines.isOriginal, emptyMonitor: emptyMonitor,
            registry: registry, ignoresUnknown: emptyMonitor != nil && arguments.unknownMembers != .refuse, file: name)
        let limit = arguments.maximumProblems - summary.problems
        let end = try adapter.process(
            linesOf: path, run, concurrently: arguments.lines.threadCount, inOrder: !arguments.lines.isUnordered,
            isLineBuffered: arguments.lines.isLineBuffered
        ) { block throws(Interruption) in
            // What has arrived of a line when the run is asked to end is no line.
            let isCut = EndRequest.signal != nil && block.bytes.last != UInt8(ascii: "\n")
            return decoder.decode(block, maximumProblems: isCut ? 0 : limit)
        } receive: { lines throws(Interruption) in
            try receive(lines, decoder, &summary, &monitor)
        }
        // Blocks lack what was skipped of lines that are too long.
        summary.bytes = start + end.bytes
        if let failure = end.failure { throw failure }
    }

    private func receive(
        _ lines: DecodedLines, _ decoder: LineDecoder, _ summary: inout Summary, _ monitor: inout DriftMonitor?
    ) throws(Interruption) {
        var lines = lines
        let limit = arguments.maximumProblems - summary.problems
        if lines.summary.problems >= limit, lines.maximumProblems > limit {
            // The thread did not know how many problems there were before its block.
            lines = decoder.decode(lines.block, maximumProblems: limit)
        }
        try rejects?.write(Data(lines.rejects.map { $0 + "\n" }.joined().utf8))
        try output.write(lines.output)
        if !lines.reports.isEmpty { run.report(lines.reports, areJSON: run.format == .json) }
        summary.merge(lines.summary)
        if let part = lines.monitor {
            try run.reporting(decoder.file) { () throws(ModelError) -> Void in try monitor?.merge(part) }
        }
        // When a problem ends the run, threads have read on; that depends on their number.
        summary.bytes += lines.block.bytes.count
        if summary.problems >= arguments.maximumProblems { throw .problem }
    }
}
