import Pallium

/// The arguments of commands that open archives.
struct ArchiveArguments {
    let schemas: SchemaPaths
    let isPretty: Bool
    let isCollecting: Bool
    /// Whether models must be valid.
    let validates: Bool
    let redaction: RedactionArguments
    /// The archives to open, `-` for standard input; never empty.
    let inputs: [String]

    private enum Validation: String, CaseIterable { case enforce, none }

    /// Reads the arguments of a command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        schemas = try SchemaPaths(option: parsed)
        isPretty = parsed.has(.pretty)
        redaction = try RedactionArguments(parsed)
        isCollecting = parsed.has(.collect)
        validates = try parsed.choice(.validation, default: Validation.enforce) == .enforce
        inputs = try parsed.inputs()
    }
}

/// The arguments of the command `archive`.
struct ArchivingArguments {
    let source: SourceArguments
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    /// The file to write.
    let output: String

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        output = try parsed.required(.output)
    }
}
