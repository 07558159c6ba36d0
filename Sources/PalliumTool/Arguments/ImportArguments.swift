import Pallium
import PalliumContracts

/// The arguments of the command `import`.
struct ImportArguments {
    /// The contract: a file, or `-` for standard input.
    let input: String
    /// Whether the contract is an OpenAPI document; otherwise it is a JSON Schema.
    let isOpenAPI: Bool
    /// The choices in reading.
    var options = ContractOptions()
    /// The file for what is lost; nil for none.
    let report: String?
    /// The file to write; nil for standard output, and for a folder.
    let output: String?
    /// The folder to write; nil for standard output or a file.
    let folder: String?

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or two options contradict each other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        guard parsed.has(.jsonSchema) != parsed.has(.openAPI) else {
            throw parsed.error("import needs one of --json-schema and --openapi")
        }
        guard let input = parsed.operands.first, parsed.operands.count == 1 else {
            throw parsed.error("import needs one contract: name a file, or - for standard input")
        }
        self.input = input
        isOpenAPI = parsed.has(.openAPI)
        report = parsed.values[.report]
        output = parsed.output
        folder = parsed.folder
        options.model = parsed.values[.model]
        options.isLossless = parsed.has(.lossless)
        options.keepsUnknownCases = parsed.has(.keepUnknownCases)
        options.path = InputFile.isStandardInput(input) ? nil : input
        options.folder = parsed.values[.contractFolder]
        if let formats = parsed.values[.formats] {
            guard ["kinds", "text"].contains(formats) else {
                throw parsed.error("--formats needs kinds or text, not \(ModelError.quote(formats))")
            }
            options.readsFormatsAsText = formats == "text"
        }
        if let report, InputFile.isStandardInput(report) {
            throw parsed.error("--report needs a file, because standard output is for schemas")
        }
    }
}
