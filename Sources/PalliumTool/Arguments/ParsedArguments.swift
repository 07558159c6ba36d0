import Pallium

/// The arguments of a command, sorted into options and operands.
///
/// `--name value` and `--name=value` are the same; options and operands may be mixed; `--` ends the options; a lone `-` is
/// an operand.
struct ParsedArguments {
    /// The values of the options that were given and can be given once; empty text for options without a value.
    private(set) var values: [Option: String] = [:]
    /// The values of the options that may be given several times, in order.
    private(set) var lists: [Option: [String]] = [:]
    /// All other arguments, in order.
    private(set) var operands: [String] = []

    /// Sorts the arguments that follow a command's name.
    ///
    /// - Throws: ``UsageError`` for an option that the command does not have, that is given twice, that lacks its
    ///   value, or that takes none.
    init(_ arguments: [String], of command: Command) throws(UsageError) {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if argument.utf8.elementsEqual("--".utf8) {
                operands += remaining
                return
            }
            guard argument.utf8.first == UInt8(ascii: "-"), argument.utf8.count > 1 else {
                operands.append(argument)
                continue
            }
            let parts = argument.utf8.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Substring(parts[0])
            guard let option = command.options.first(where: { $0.isCalled(name) }) else {
                throw UsageError(
                    message: "\(command.rawValue) has no option \(PrintableText.escape(name, limit: 64))",
                    suggestion: ModelError.nearest(to: String(name), among: command.options.map(\.name)),
                    command: command)
            }
            try take(
                option, attached: parts.count > 1 ? String(Substring(parts[1])) : nil, from: &remaining, of: command)
        }
    }

    private mutating func take(
        _ option: Option, attached: String?, from remaining: inout ArraySlice<String>, of command: Command
    ) throws(UsageError) {
        guard values[option] == nil else {
            throw UsageError(message: "\(option.name) is given twice", command: command)
        }
        guard let placeholder = option.value else {
            if attached != nil { throw UsageError(message: "\(option.name) takes no value", command: command) }
            values[option] = ""
            return
        }
        guard let value = attached ?? remaining.popFirst(), !value.utf8.isEmpty else {
            throw UsageError(message: "\(option.name) needs a value: \(option.name) \(placeholder)", command: command)
        }
        if option.isRepeatable { lists[option, default: []].append(value) } else { values[option] = value }
    }

    /// Returns the number that an option has; nil if it was not given.
    ///
    /// - Throws: ``UsageError`` if it is no integer, or too small or too large.
    func number<Number: FixedWidthInteger>(
        _ option: Option, from least: Number, through most: Number = .max, _ command: Command
    ) throws(UsageError) -> Number? {
        guard let text = values[option] else { return nil }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Number(text), number >= least,
            number <= most
        else {
            throw UsageError(
                message: "\(option.name) needs an integer from \(least) on, not "
                    + "\"\(PrintableText.escape(text, limit: 64))\"", command: command)
        }
        return number
    }

    /// The file to write; nil for standard output, and for a folder.
    var output: String? {
        let path = values[.output] ?? values[.folder].flatMap { Self.isDocument($0) ? $0 : nil }
        return path.flatMap { InputFile.isStandardInput($0) ? nil : $0 }
    }

    /// The folder for documents; nil for standard output or a file.
    var folder: String? {
        values[.folder].flatMap { Self.isDocument($0) || InputFile.isStandardInput($0) ? nil : $0 }
    }

    private static func isDocument(_ path: String) -> Bool { path.utf8.suffix(5).elementsEqual(".json".utf8) }

    /// Whether an option was given.
    func has(_ option: Option) -> Bool { values[option] != nil || lists[option] != nil }
}
