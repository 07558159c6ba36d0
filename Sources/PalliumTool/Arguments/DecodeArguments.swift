import Foundation
import Pallium

/// The arguments of the command `decode`.
struct DecodeArguments {
    let source: SourceArguments
    /// The keys to write; nil for all.
    let only: [String]?
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let isPretty: Bool
    let isCollecting: Bool
    let errorFormat: ErrorFormat
    /// Whether only the summary is written.
    let isQuiet: Bool
    /// The largest number of containers that may be open at once; nil for the adapter's.
    let maximumDepth: Int?
    /// The largest number of bytes of a document; nil for the adapter's.
    let maximumBytes: Int?
    /// The number of problems that ends the run; nil for as many as there are.
    let maximumProblemsOption: Int?
    let lines: LineArguments
    let redaction: RedactionArguments
    /// The file to write; nil for standard output.
    let output: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, a value is not allowed, or two options contradict each
    ///   other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed, command: .decode)
        only = try Self.keys(.only, parsed, .decode)
        unknownMembers = try Self.choice(.unknown, parsed, default: .ignore)
        isPretty = parsed.has(.pretty)
        isCollecting = parsed.has(.collect)
        isQuiet = parsed.has(.quiet)
        errorFormat = try Self.choice(.errors, parsed, default: .text)
        maximumDepth = try parsed.number(.maximumDepth, from: 1, .decode)
        maximumBytes = try parsed.number(.maximumBytes, from: 1, .decode)
        maximumProblemsOption = try parsed.number(.maximumProblems, from: 1, .decode)
        lines = try LineArguments(parsed)
        redaction = try RedactionArguments(parsed, command: .decode)
        output = parsed.output
        for (option, other, reason) in Self.contradictions where parsed.has(option) && parsed.has(other) {
            throw UsageError(
                message: "\(option.name) and \(other.name) exclude each other: \(reason)", command: .decode)
        }
    }

    /// Whether the run goes on after a problem.
    var goesOn: Bool { isCollecting || isQuiet || lines.rejects != nil || maximumProblemsOption != nil }

    /// The number of problems that ends the run.
    var maximumProblems: Int { maximumProblemsOption ?? (goesOn ? .max : 1) }

    private static let contradictions: [(Option, Option, String)] = [
        (.pretty, .lines, "lines hold a whole document each"),
        (.quiet, .pretty, "no document is written"), (.quiet, .only, "no document is written"),
        (.quiet, .original, "no document is written"),
        (.rejects, .collect, "a line is rejected as a whole"),
        (.original, .only, "lines are written as they are"),
        (.original, .redact, "lines are written as they are"), (.quiet, .redact, "no document is written"),
    ]

    /// Returns the keys in the value of an option; nil if it was not given.
    ///
    /// - Throws: ``UsageError`` for an empty key.
    static func keys(
        _ option: Option, _ parsed: ParsedArguments, _ command: Command
    ) throws(UsageError) -> [String]? {
        guard let value = parsed.values[option] else { return nil }
        let keys = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw UsageError(message: "\(option.name) needs keys with a comma between two", command: command)
        }
        return keys.map { String(Substring($0)) }
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ option: Option, _ parsed: ParsedArguments, default standard: Choice, command: Command = .decode
    ) throws(UsageError) -> Choice {
        guard let value = parsed.values[option] else { return standard }
        if let choice = Choice.allCases.first(where: { value.utf8.elementsEqual($0.rawValue.utf8) }) { return choice }
        let allowed = Choice.allCases.map(\.rawValue)
        throw UsageError(
            message: "\(option.name) cannot be \"\(PrintableText.escape(value, limit: 64))\", only "
                + allowed.joined(separator: ", "),
            suggestion: ModelError.nearest(to: value, among: allowed), command: command)
    }
}
