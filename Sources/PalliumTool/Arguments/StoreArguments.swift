import Pallium

/// The arguments of the commands for stores.
struct StoreArguments {
    let command: Command
    let schemas: SchemaPaths
    /// The schema of the models; nil for all.
    let model: String?
    /// The profile to read and write with; nil for the schemas' own mapping.
    let profile: String?
    /// Whether every line of a file is a document.
    let isLines: Bool
    let isCollecting: Bool
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    /// Whether models that cannot be read are left out.
    let skipsUnreadable: Bool
    let redaction: RedactionArguments
    /// The file of the store.
    let store: String
    /// The files after it.
    let files: [String]

    /// Reads the arguments of a command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or a value is not allowed.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        command = parsed.command
        schemas = try SchemaPaths(option: parsed)
        model = parsed.values[.model]
        if model == nil, [.storeImport, .storeQuery, .storeDelete].contains(command) { throw parsed.missing(.model) }
        profile = parsed.values[.profile]
        isLines = parsed.has(.lines)
        isCollecting = parsed.has(.collect)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        skipsUnreadable = parsed.has(.skipUnreadable)
        redaction = try RedactionArguments(parsed)
        (store, files) = try Self.files(parsed)
    }

    private static func files(_ parsed: ParsedArguments) throws(UsageError) -> (store: String, files: [String]) {
        let command = parsed.command
        let (counts, names) =
            switch command {
            case .storeImport: (2...Int.max, "the file of a store, and documents: STORE FILE…")
            case .storeBackup: (2...2, "the file of a store, and one for the copy: STORE FILE")
            default: (1...1, "the file of one store")
            }
        guard counts.contains(parsed.operands.count) else {
            throw parsed.error("\(command.rawValue) needs \(names)")
        }
        let inputs = try parsed.inputs()
        if inputs.prefix(command == .storeBackup ? 2 : 1).contains(where: InputFile.isStandardInput) {
            throw parsed.error("a store is a file, so - cannot be one")
        }
        return (inputs[0], Array(inputs.dropFirst()))
    }
}
