import Pallium
import PalliumContracts

/// The forms in which schemas are exported.
enum ExportFormat: Equatable {
    case jsonSchema, openAPI, strict
    /// A page for people.
    case page(SchemaPageFormat)
    /// Columns for another program.
    case table(TableNotation)

    /// All forms, by the options that choose them.
    static let byOption: [(option: Option, format: ExportFormat)] = [
        (.jsonSchema, .jsonSchema), (.openAPI, .openAPI), (.strict, .strict), (.markdown, .page(.markdown)),
        (.html, .page(.html)), (.dot, .page(.dot)), (.mermaid, .page(.mermaid)), (.table, .table(.spark)),
    ]
}

/// The arguments of the command `export`.
struct ExportArguments {
    let schemas: SchemaPaths
    let format: ExportFormat
    let direction: ContractDirection
    /// The schema to export; nil for all.
    let model: String?
    /// Whether documents are arrays of the model.
    let isArray: Bool
    let profile: String?
    let hasOpaqueTransformers: Bool

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or two options contradict each other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        let formats = ExportFormat.byOption.filter { parsed.has($0.option) }
        guard let (chosen, format) = formats.first, formats.count == 1 else {
            let names = ExportFormat.byOption.map(\.option.name)
            throw parsed.error(
                "export needs one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")")
        }
        self.format = chosen == .table ? .table(try parsed.choice(.table, default: .spark)) : format
        schemas = try SchemaPaths(operands: parsed)
        direction = try parsed.choice(.mode, default: .input)
        model = parsed.values[.model]
        isArray = parsed.has(.array)
        profile = parsed.values[.profile]
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        if case .page = format, let option = [Option.mode, .profile].first(where: { parsed.has($0) }) {
            throw parsed.error("\(chosen.name) shows whole schemas, so \(option.name) is not for it")
        }
        if format == .strict || chosen == .table, model == nil { throw parsed.missing(.model) }
        if chosen == .table, parsed.has(.mode) {
            throw parsed.error("--table describes what is written, so --mode is not for it")
        }
        if format == .strict, parsed.has(.mode), direction == .output {
            throw parsed.error("--strict describes what is read, so --mode is input")
        }
        if isArray, format != .jsonSchema || model == nil {
            throw parsed.error("--array needs --json-schema and --model NAME")
        }
    }
}
