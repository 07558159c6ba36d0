import Pallium

/// The formats of differences.
enum DifferenceFormat: String, CaseIterable {
    /// One changed property a line.
    case text
    /// A JSON Patch.
    case patch
    /// A JSON Merge Patch.
    case mergePatch = "merge-patch"
}

/// The arguments of the command `diff`.
struct DiffArguments {
    /// The schemas and the model's name; nil to compare documents as they are.
    let source: SourceArguments?
    let format: DifferenceFormat
    let isPretty: Bool
    /// Whether the exit status reports that documents differ.
    let reportsByExitStatus: Bool
    let old: String
    let new: String

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        let isTyped = [Option.schemas, .model, .profile, .opaqueTransformers].contains { parsed.has($0) }
        source = isTyped ? try SourceArguments(parsed, command: .diff) : nil
        format = try DecodeArguments.choice(.format, parsed, default: isTyped ? .text : .patch, command: .diff)
        isPretty = parsed.has(.pretty)
        reportsByExitStatus = parsed.has(.exitCode)
        (old, new) = try SourceArguments.pair(parsed, command: .diff, "OLD and NEW")
        if format == .text, !isTyped {
            throw UsageError(message: "--format text needs --schemas DIR and --model NAME", command: .diff)
        }
        if format == .text, isPretty {
            throw UsageError(message: "--pretty is for patches, not for text", command: .diff)
        }
    }
}

/// The arguments of the command `merge`.
struct MergeArguments {
    let source: SourceArguments
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let isPretty: Bool
    /// Whether the text of the base document is edited.
    let keepsFormat: Bool
    let base: String
    let incoming: String
    let redaction: RedactionArguments
    /// The edited document; nil when there is none.
    let local: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed, command: .merge)
        unknownMembers = try DecodeArguments.choice(.unknown, parsed, default: .ignore, command: .merge)
        isPretty = parsed.has(.pretty)
        keepsFormat = parsed.has(.keepFormat)
        redaction = try RedactionArguments(parsed, command: .merge)
        (base, incoming) = try SourceArguments.pair(parsed, command: .merge, "BASE and INCOMING")
        local = parsed.values[.local]
        if let local, (parsed.operands + [local]).count(where: InputFile.isStandardInput) > 1 {
            throw UsageError(message: "standard input can be read once only", command: .merge)
        }
        if keepsFormat, parsed.has(.redact) {
            throw UsageError(
                message: "--redact and --keep-format exclude each other: the text is that of BASE", command: .merge)
        }
        if isPretty, keepsFormat {
            throw UsageError(
                message: "--pretty and --keep-format exclude each other: the format is that of BASE", command: .merge)
        }
    }
}

extension SourceArguments {
    /// Returns the two files of a command.
    fileprivate static func pair(
        _ parsed: ParsedArguments, command: Command, _ names: String
    ) throws(UsageError) -> (String, String) {
        let inputs = try inputs(parsed, command: command)
        guard inputs.count == 2 else {
            throw UsageError(message: "\(command.rawValue) needs two files, \(names)", command: command)
        }
        return (inputs[0], inputs[1])
    }
}
