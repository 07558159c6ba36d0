import Pallium
import PalliumGeneration

/// `pallium generate`: writes Swift classes for schemas.
struct GenerateCommand: RunnableCommand {
    let arguments: ClassGeneration
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        let outcome: ClassGeneration.Outcome
        do throws(GenerationFailure) { outcome = try arguments.run { diagnostics.say($0) } } catch {
            throw .refused(error.message, details: error.details)
        }
        try output.finish(outcome.lines.map { $0 + "\n" }.joined())
        diagnostics.sumUp(outcome.summary)
        return outcome.lines.isEmpty ? .success : .problems
    }
}

extension ClassGeneration {
    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        let schemas = try SchemaPaths(operands: parsed)
        let output = try parsed.required(.folder)
        if InputFile.isStandardInput(output) {
            throw parsed.error("generate writes a folder or a file, not standard output")
        }
        self.init(
            schemas: schemas, output: output, access: try parsed.choice(.access, default: .internal),
            onlyCompares: parsed.has(.check), acceptsUnknownNames: parsed.has(.opaqueTransformers))
    }
}
