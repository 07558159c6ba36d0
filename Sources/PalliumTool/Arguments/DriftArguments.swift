import Foundation
import Pallium

/// The arguments of the command `drift`.
struct DriftArguments {
    /// The forms of the report.
    enum Format: String, CaseIterable {
        case text, json
    }

    /// The schemas and documents; nil if reports are merged.
    let source: SourceArguments?
    /// The reports to merge, `-` for standard input.
    let reports: [String]
    let format: Format
    /// The file with an earlier report; nil for none.
    let baseline: String?
    /// Whether notes count.
    let isStrict: Bool
    /// The number of threads for lines.
    let threadCount: Int

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, a value is not allowed, or two options contradict each other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        let isMerging = parsed.has(.merge)
        for option in [Option.schemas, .model, .profile, .opaqueTransformers, .lines, .jobs, .maximumBytes]
        where isMerging && parsed.has(option) {
            throw parsed.error("--merge and \(option.name) exclude each other: reports are read, not documents")
        }
        if parsed.has(.jobs), !parsed.has(.lines) { throw parsed.error("--jobs needs --lines") }
        source = isMerging ? nil : try SourceArguments(parsed)
        reports = isMerging ? try parsed.inputs() : []
        format = try parsed.choice(.reportFormat, default: .text)
        baseline = parsed.values[.baseline]
        isStrict = parsed.has(.strict)
        threadCount = try parsed.number(.jobs, from: 1) ?? ProcessInfo.processInfo.activeProcessorCount
        try parsed.checkStandardInput((source?.inputs ?? reports) + (baseline.map { [$0] } ?? []))
    }
}
