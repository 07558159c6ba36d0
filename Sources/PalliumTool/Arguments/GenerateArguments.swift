import Pallium
import PalliumGeneration

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
        schemas = try SchemaPaths(operands: parsed)
        output = try parsed.required(.folder)
        if InputFile.isStandardInput(output) {
            throw parsed.error("generate writes a folder or a file, not standard output")
        }
        access = try parsed.choice(.access, default: .internal)
        isCheck = parsed.has(.check)
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
    }
}
