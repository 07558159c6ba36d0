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
        source = isTyped ? try SourceArguments(parsed) : nil
        format = try parsed.choice(.format, default: isTyped ? .text : .patch)
        isPretty = parsed.has(.pretty)
        reportsByExitStatus = parsed.has(.exitCode)
        (old, new) = try parsed.pair("OLD and NEW")
        if format == .text, !isTyped {
            throw parsed.error("--format text needs --schemas DIR and --model NAME")
        }
        if format == .text, isPretty {
            throw parsed.error("--pretty is for patches, not for text")
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
        source = try SourceArguments(parsed)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        isPretty = parsed.has(.pretty)
        keepsFormat = parsed.has(.keepFormat)
        redaction = try RedactionArguments(parsed)
        (base, incoming) = try parsed.pair("BASE and INCOMING")
        local = parsed.values[.local]
        try parsed.checkStandardInput(parsed.operands + (local.map { [$0] } ?? []))
        if keepsFormat, parsed.has(.redact) {
            throw parsed.error("--redact and --keep-format exclude each other: the text is that of BASE")
        }
        if isPretty, keepsFormat {
            throw parsed.error("--pretty and --keep-format exclude each other: the format is that of BASE")
        }
    }
}

extension ParsedArguments {
    /// Returns the two files of a command.
    fileprivate func pair(_ names: String) throws(UsageError) -> (String, String) {
        let inputs = try inputs()
        guard inputs.count == 2 else { throw error("\(command.name) needs two files, \(names)") }
        return (inputs[0], inputs[1])
    }
}
