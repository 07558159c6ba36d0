import Pallium

/// The arguments of the commands for stores.
struct StoreArguments {
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
    /// - Parameters:
    ///   - counts: The numbers of files that the command takes, the store included. Of two, both are stores.
    ///   - names: The files in words.
    /// - Throws: ``UsageError`` if an argument is missing or superfluous, or a value is not allowed.
    init(
        _ parsed: ParsedArguments, needsModel: Bool = false, files counts: ClosedRange<Int> = 1...1,
        _ names: String = "the file of one store"
    ) throws(UsageError) {
        schemas = try SchemaPaths(option: parsed)
        model = parsed.values[.model]
        if model == nil, needsModel { throw parsed.missing(.model) }
        profile = parsed.values[.profile]
        isLines = parsed.has(.lines)
        isCollecting = parsed.has(.collect)
        unknownMembers = try parsed.choice(.unknown, default: .ignore)
        skipsUnreadable = parsed.has(.skipUnreadable)
        redaction = try RedactionArguments(parsed)
        guard counts.contains(parsed.operands.count) else {
            throw parsed.error("\(parsed.command.name) needs \(names)")
        }
        let inputs = try parsed.inputs()
        if inputs.prefix(counts == 2...2 ? 2 : 1).contains(where: InputFile.isStandardInput) {
            throw parsed.error("a store is a file, so - cannot be one")
        }
        (store, files) = (inputs[0], Array(inputs.dropFirst()))
    }
}
