import Pallium

/// The arguments of the command `generate`.
struct GenerateArguments {
    let schemas: SchemaPaths
    /// The folder for the Swift files; or the file for all classes, if the name ends like that of one.
    let output: String
    let access: SwiftGenerator.Access
    /// Whether files are only compared.
    let isCheck: Bool
    /// Whether unregistered kinds and transformers are accepted.
    let hasOpaqueTransformers: Bool

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        schemas = try SchemaPaths(operands: parsed, command: .generate)
        guard let output = parsed.values[.folder] else { throw SourceArguments.missing(.folder, .generate) }
        guard !InputFile.isStandardInput(output) else {
            throw UsageError(message: "generate writes a folder or a file, not standard output", command: .generate)
        }
        self.output = output
        access = try DecodeArguments.choice(.access, parsed, default: .internal, command: .generate)
        isCheck = parsed.has(.check)
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
    }
}
