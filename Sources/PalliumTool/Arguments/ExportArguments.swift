import Pallium

/// The forms in which schemas are exported.
enum ExportFormat: CaseIterable {
    case jsonSchema, openAPI, strict, markdown, html, dot, mermaid

    /// The option that chooses the form.
    var option: Option {
        switch self {
        case .jsonSchema: .jsonSchema
        case .openAPI: .openAPI
        case .strict: .strict
        case .markdown: .markdown
        case .html: .html
        case .dot: .dot
        case .mermaid: .mermaid
        }
    }

    /// The format of the page for people; nil for contracts.
    var page: SchemaPageFormat? {
        switch self {
        case .jsonSchema, .openAPI, .strict: nil
        case .markdown: .markdown
        case .html: .html
        case .dot: .dot
        case .mermaid: .mermaid
        }
    }
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
        let formats = ExportFormat.allCases.filter { parsed.has($0.option) }
        guard let format = formats.first, formats.count == 1 else {
            let names = ExportFormat.allCases.map(\.option.name)
            throw UsageError(
                message: "export needs one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")",
                command: .export)
        }
        self.format = format
        schemas = try SchemaPaths(operands: parsed, command: .export)
        direction = try DecodeArguments.choice(.mode, parsed, default: .input, command: .export)
        model = parsed.values[.model]
        isArray = parsed.has(.array)
        profile = parsed.values[.profile]
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
        if format.page != nil, let option = [Option.mode, .profile].first(where: { parsed.has($0) }) {
            throw UsageError(
                message: "\(format.option.name) shows whole schemas, so \(option.name) is not for it", command: .export)
        }
        if format == .strict, model == nil { throw SourceArguments.missing(.model, .export) }
        if format == .strict, parsed.has(.mode), direction == .output {
            throw UsageError(message: "--strict describes what is read, so --mode is input", command: .export)
        }
        if isArray, format != .jsonSchema || model == nil {
            throw UsageError(message: "--array needs --json-schema and --model NAME", command: .export)
        }
    }
}
