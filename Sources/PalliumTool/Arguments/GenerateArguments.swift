import Pallium

/// The arguments of the command `generate`.
struct GenerateArguments {
    /// The file or folder with the schema documents.
    let schemas: String
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
        guard parsed.operands.count == 1, !InputFile.isStandardInput(parsed.operands[0]) else {
            throw UsageError(message: "generate needs one folder or file of schema documents", command: .generate)
        }
        guard let output = parsed.values[.folder] else { throw SourceArguments.missing(.folder, .generate) }
        guard !InputFile.isStandardInput(output) else {
            throw UsageError(message: "generate writes a folder or a file, not standard output", command: .generate)
        }
        schemas = parsed.operands[0]
        self.output = output
        access = try DecodeArguments.choice(.access, parsed, default: .internal, command: .generate)
        isCheck = parsed.has(.check)
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
    }
}
