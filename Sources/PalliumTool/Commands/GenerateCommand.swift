import Pallium
import PalliumGeneration

extension CommandSpec {
    static let generate = CommandSpec(
        name: "generate", summary: "write Swift classes for schemas",
        usage: ["DIR… --output FOLDER|FILE.swift [OPTION…]"],
        about: """
            Reads the schema documents of DIR, a folder of .json files or one file, and writes a Swift file for
            each schema: a subclass of DynamicModel with accessors, enumerations, an initialiser and the keys.
            One more file, SchemaDocuments.swift, holds the documents; SchemaDocuments.load() registers them
            with the classes when the program starts. A class has the name of its schema; if no class can have
            it, standard error says which it has. Files of schemas that are gone are removed. Files that
            this command did not write are never replaced or removed: one in the way is an error. All files are
            complete before the first old one is replaced.
            """,
        options: [
            .folder.explained(
                """
                The folder for the Swift files, made if there is none; or a file for all classes, if
                the name ends in .swift. Files whose content stays the same are not written. Required.
                """),
            .access, .check,
            .opaqueTransformers.explained(
                """
                Accept transformers and kinds that only an application has. An accessor has the type
                of its kind; for an unknown kind, a comment stands in its place. Their names are
                reported on standard error.
                """),
            .help,
        ],
        problems: "with --check: files would change",
        examples: """
            pallium generate Schemas/github --output Sources/App/Models
            pallium generate Schemas/github --output Sources/App/Models --check
            pallium generate Schemas/github --output Sources/App/Models.swift --access package
            """,
        writesFiles: true,
        run: running(GenerateCommand.self, ClassGeneration.init))
}

extension Option {
    static let access = Option(
        "--access", value: "internal|package|public",
        "The access level of the classes and all that they declare. The default is internal.")
    static let check = Option(
        "--check", "Write nothing: list the files that would change, and exit with 1 if there are any.")
}

/// `pallium generate`: writes Swift classes for schemas.
struct GenerateCommand: RunnableCommand {
    let arguments: ClassGeneration
    let output: ByteOutput
    let run: Run

    func execute() throws(Interruption) -> ExitStatus {
        let outcome: ClassGeneration.Outcome
        do throws(GenerationFailure) { outcome = try arguments.run { run.say($0) } } catch {
            throw .refused(error.message, details: error.details)
        }
        try output.finish(outcome.lines.map { $0 + "\n" }.joined())
        run.sumUp(outcome.summary)
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
