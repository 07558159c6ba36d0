import Pallium

/// The arguments of the commands for stores.
struct StoreArguments {
    /// The schemas; nil for a command that needs none.
    let schemas: SchemaPaths?
    /// The schema of the models; nil for all.
    let model: String?
    /// The profile to read and write with; nil for the schemas' own mapping.
    let profile: String?
    /// Whether every line of a file is a document.
    let isLines: Bool
    let isCollecting: Bool
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let errorFormat: ErrorFormat
    let redaction: RedactionArguments
    /// The file of the store.
    let store: String
    /// The files after it.
    let files: [String]

    /// Reads the arguments of a command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or a value is not allowed.
    init(_ parsed: ParsedArguments, command: Command) throws(UsageError) {
        schemas = command.options.contains(.schemas) ? try SchemaPaths(option: parsed, command: command) : nil
        model = parsed.values[.model]
        if model == nil, command == .storeImport || command == .storeQuery {
            throw SourceArguments.missing(.model, command)
        }
        profile = parsed.values[.profile]
        isLines = parsed.has(.lines)
        isCollecting = parsed.has(.collect)
        unknownMembers = try DecodeArguments.choice(.unknown, parsed, default: .ignore, command: command)
        errorFormat = try DecodeArguments.choice(.errors, parsed, default: .text, command: command)
        redaction = try RedactionArguments(parsed, command: command)
        (store, files) = try Self.files(parsed, command)
    }

    private static func files(
        _ parsed: ParsedArguments, _ command: Command
    ) throws(UsageError) -> (store: String, files: [String]) {
        let (counts, names) =
            switch command {
            case .storeImport: (2...Int.max, "the file of a store, and documents: STORE FILE…")
            case .storeBackup: (2...2, "the file of a store, and one for the copy: STORE FILE")
            default: (1...1, "the file of one store")
            }
        guard counts.contains(parsed.operands.count) else {
            throw UsageError(message: "\(command.rawValue) needs \(names)", command: command)
        }
        let inputs = try SourceArguments.inputs(parsed, command: command)
        if inputs.prefix(command == .storeBackup ? 2 : 1).contains(where: InputFile.isStandardInput) {
            throw UsageError(message: "a store is a file, so - cannot be one", command: command)
        }
        return (inputs[0], Array(inputs.dropFirst()))
    }
}
