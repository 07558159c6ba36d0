import Foundation
import Pallium

/// The arguments of the command `decode`.
struct DecodeArguments {
    let source: SourceArguments
    /// The keys to write; nil for all.
    let only: [String]?
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    /// The direction of the documents; nil for both.
    let mode: PropertySchema.Direction?
    let isPretty: Bool
    let isCollecting: Bool
    /// Whether only the summary is written.
    let isQuiet: Bool
    /// The largest number of containers that may be open at once; nil for the adapter's.
    let maximumDepth: Int?
    /// The number of problems that ends the run; nil for as many as there are.
    let maximumProblemsOption: Int?
    /// Whether problems are no failure of the run.
    let acceptsProblems: Bool
    /// The file for the summary; nil for none.
    let summary: String?
    /// The file for a report of drift; nil for none.
    let drift: String?
    let lines: LineArguments
    let redaction: RedactionArguments
    /// The file to write; nil for standard output.
    let output: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, a value is not allowed, or two options contradict each
    ///   other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed)
        only = try parsed.keys(.only)?.map(\.path)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        mode = parsed.has(.mode) ? try parsed.choice(.mode, default: .input) : nil
        isPretty = parsed.has(.pretty)
        isCollecting = parsed.has(.collect)
        isQuiet = parsed.has(.quiet)
        maximumDepth = try parsed.number(.maximumDepth, from: 1, through: JSONReadingOptions.highestDepth)
        maximumProblemsOption = try parsed.number(.maximumProblems, from: 1)
        acceptsProblems = parsed.has(.acceptProblems)
        summary = try parsed.sideFile(.summary)
        drift = try parsed.sideFile(.drift)
        lines = try LineArguments(parsed)
        redaction = try RedactionArguments(parsed)
        output = parsed.output
        if drift != nil, unknownMembers == .keep {
            throw parsed.error("--drift and --unknown keep exclude each other: unknown members are findings")
        }
        for (option, other, reason) in Self.contradictions where parsed.has(option) && parsed.has(other) {
            throw parsed.error("\(option.name) and \(other.name) exclude each other: \(reason)")
        }
    }

    /// Whether the run goes on after a problem.
    var goesOn: Bool {
        isCollecting || isQuiet || lines.rejects != nil || lines.isEnveloped || maximumProblemsOption != nil
            || acceptsProblems
    }

    /// The number of problems that ends the run.
    var maximumProblems: Int { maximumProblemsOption ?? (goesOn ? .max : 1) }

    private static let contradictions: [(Option, Option, String)] = [
        (.pretty, .lines, "lines hold a whole document each"),
        (.quiet, .pretty, "no document is written"), (.quiet, .only, "no document is written"),
        (.quiet, .original, "no document is written"),
        (.rejects, .collect, "a line is rejected as a whole"),
        (.original, .only, "lines are written as they are"),
        (.original, .redact, "lines are written as they are"), (.quiet, .redact, "no document is written"),
        (.envelope, .quiet, "no document is written"), (.envelope, .original, "the answer to a line is a model"),
        (.envelope, .rejects, "the answer to a line has its problems"),
        (.envelope, .collect, "a line is answered by a model or by problems"),
        (.envelope, .unordered, "answers have the order of the lines"),
        (.envelope, .array, "a line is answered by one model"),
        (.drift, .only, "figures are of all properties"),
    ]
}
