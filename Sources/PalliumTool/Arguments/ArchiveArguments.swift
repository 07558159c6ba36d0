import Pallium

/// The arguments of commands that open archives.
struct ArchiveArguments {
    /// The schemas; nil for a command that needs none.
    let schemas: SchemaPaths?
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
    init(_ parsed: ParsedArguments, command: Command) throws(UsageError) {
        schemas = command.options.contains(.schemas) ? try SchemaPaths(option: parsed, command: command) : nil
        isPretty = parsed.has(.pretty)
        redaction = try RedactionArguments(parsed, command: command)
        isCollecting = parsed.has(.collect)
        validates =
            try DecodeArguments.choice(.validation, parsed, default: Validation.enforce, command: command) == .enforce
        inputs = try SourceArguments.inputs(parsed, command: command)
        if command == .upgrade, inputs.contains(where: InputFile.isStandardInput) {
            throw UsageError(message: "standard input cannot be upgraded: name a file", command: command)
        }
    }
}

/// The arguments of the command `archive`.
struct ArchivingArguments {
    let source: SourceArguments
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    /// The file to write.
    let output: String
    /// The versions that the readers have, by the names of their schemas.
    let targetVersions: [String: Int]

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed, command: .archive)
        unknownMembers = try DecodeArguments.choice(.unknown, parsed, default: .ignore, command: .archive)
        guard let output = parsed.values[.output] else { throw SourceArguments.missing(.output, .archive) }
        self.output = output
        targetVersions = try Self.targetVersions(parsed)
    }

    private static func targetVersions(_ parsed: ParsedArguments) throws(UsageError) -> [String: Int] {
        var versions: [String: Int] = [:]
        for target in parsed.values[.targetVersions]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let parts = target.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let version = Int(parts[1]), version >= 1, !parts[0].isEmpty else {
                throw UsageError(
                    message: "--target-version needs a schema and its version, such as Person=2, not "
                        + "\"\(PrintableText.escape(target, limit: 64))\"", command: .archive)
            }
            guard versions.updateValue(version, forKey: String(parts[0])) == nil else {
                throw UsageError(
                    message: "--target-version names \(PrintableText.escape(parts[0], limit: 64)) twice",
                    command: .archive)
            }
        }
        return versions
    }
}
