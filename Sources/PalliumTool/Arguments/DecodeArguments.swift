import Pallium

/// The arguments of the command `decode`.
struct DecodeArguments {
    let source: SourceArguments
    /// The keys to write; nil for all.
    let only: [String]?
    let unknownMembers: JSONAdapterOptions.UnknownMembers
    let isPretty: Bool
    let isCollecting: Bool
    let errorFormat: ErrorFormat

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, a value is not allowed, or two options contradict each
    ///   other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed, command: .decode)
        only = try Self.keys(parsed)
        unknownMembers = try Self.choice(.unknown, parsed, default: .ignore)
        isPretty = parsed.has(.pretty)
        isCollecting = parsed.has(.collect)
        errorFormat = try Self.choice(.errors, parsed, default: .text)
        if isPretty, source.isLines {
            throw UsageError(
                message: "--pretty and --lines exclude each other: lines hold a whole document each", command: .decode)
        }
    }

    private static func keys(_ parsed: ParsedArguments) throws(UsageError) -> [String]? {
        guard let value = parsed.values[.only] else { return nil }
        let keys = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw UsageError(message: "--only needs keys with a comma between two", command: .decode)
        }
        return keys.map { String(Substring($0)) }
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ option: Option, _ parsed: ParsedArguments, default standard: Choice, command: Command = .decode
    ) throws(UsageError) -> Choice {
        guard let value = parsed.values[option] else { return standard }
        if let choice = Choice.allCases.first(where: { value.utf8.elementsEqual($0.rawValue.utf8) }) { return choice }
        let allowed = Choice.allCases.map(\.rawValue)
        throw UsageError(
            message: "\(option.name) cannot be \"\(PrintableText.escape(value, limit: 64))\", only "
                + allowed.joined(separator: ", "),
            suggestion: ModelError.nearest(to: value, among: allowed), command: command)
    }
}
