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
    /// The versions that the readers have, by the names of their schemas.
    let targetVersions: [String: Int]

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        output = try parsed.required(.output)
        targetVersions = try Self.targetVersions(parsed)
    }

    private static func targetVersions(_ parsed: ParsedArguments) throws(UsageError) -> [String: Int] {
        var versions: [String: Int] = [:]
        for target in parsed.values[.targetVersions]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let parts = target.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let version = Int(parts[1]), version >= 1, !parts[0].isEmpty else {
                throw parsed.error(
                    "--target-version needs a schema and its version, such as Person=2, not "
                        + ModelError.quote(String(target)))
            }
            guard versions.updateValue(version, forKey: String(parts[0])) == nil else {
                throw parsed.error("--target-version names \(ModelError.shorten(String(parts[0]), to: 64)) twice")
            }
        }
        return versions
    }
}
