import Pallium

/// The arguments of the command `drift`.
struct DriftArguments {
    /// The forms of the report.
    enum Format: String, CaseIterable {
        case text, json
    }

    let source: SourceArguments
    let format: Format
    /// The file with an earlier report; nil for none.
    let baseline: String?
    /// Whether notes count.
    let isStrict: Bool

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing or a value is not allowed.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try SourceArguments(parsed)
        format = try parsed.choice(.reportFormat, default: .text)
        baseline = parsed.values[.baseline]
        isStrict = parsed.has(.strict)
        try parsed.checkStandardInput(source.inputs + (baseline.map { [$0] } ?? []))
    }
}
