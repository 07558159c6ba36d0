import Pallium

/// The arguments of a command, sorted into options and operands.
///
/// `--name value` and `--name=value` are the same; options and operands may be mixed; `--` ends the options; a lone `-` is
/// an operand.
struct ParsedArguments {
    let command: CommandSpec
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
    init(_ arguments: [String], of command: CommandSpec) throws(UsageError) {
        self.command = command
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
                throw error(
                    "\(command.name) has no option \(ModelError.shorten(String(name), to: 64))",
                    suggestion: ModelError.nearest(to: String(name), among: command.options.map(\.name)))
            }
            try take(option, attached: parts.count > 1 ? String(Substring(parts[1])) : nil, from: &remaining)
        }
    }

    private mutating func take(
        _ option: Option, attached: String?, from remaining: inout ArraySlice<String>
    ) throws(UsageError) {
        guard values[option] == nil else { throw error("\(option.name) is given twice") }
        guard let placeholder = option.value else {
            if attached != nil { throw error("\(option.name) takes no value") }
            values[option] = ""
            return
        }
        guard let value = attached ?? remaining.popFirst(), !value.utf8.isEmpty else {
            throw error("\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        if option.isRepeatable { lists[option, default: []].append(value) } else { values[option] = value }
    }

    /// Describes a mistake in the arguments.
    func error(_ message: String, suggestion: String? = nil) -> UsageError {
        UsageError(message: message, suggestion: suggestion, command: command.isTool ? nil : command.name)
    }

    /// Returns the value of an option.
    ///
    /// - Throws: ``UsageError`` if it was not given.
    func required(_ option: Option) throws(UsageError) -> String {
        guard let value = values[option] else { throw missing(option) }
        return value
    }

    /// Describes an option that was not given.
    func missing(_ option: Option) -> UsageError {
        error("\(command.name) needs \(option.name) \(option.value ?? "")")
    }

    /// Returns the files to read.
    ///
    /// - Throws: ``UsageError`` if there are none, or standard input is among them twice.
    func inputs() throws(UsageError) -> [String] {
        if operands.isEmpty { throw error("no input: name a file, or - for standard input") }
        try checkStandardInput(operands)
        return operands
    }

    /// - Throws: ``UsageError`` if standard input is among files twice.
    func checkStandardInput(_ files: [String]) throws(UsageError) {
        if files.count(where: InputFile.isStandardInput) > 1 { throw error("standard input can be read once only") }
    }

    /// Returns the number that an option has; nil if it was not given.
    ///
    /// - Throws: ``UsageError`` if it is no integer, or too small or too large.
    func number<Number: FixedWidthInteger>(
        _ option: Option, from least: Number, through most: Number = .max
    ) throws(UsageError) -> Number? {
        guard let text = values[option] else { return nil }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Number(text), number >= least,
            number <= most
        else {
            let range = most == .max ? "from \(least) on" : "from \(least) to \(most)"
            throw error("\(option.name) needs an integer \(range), not \(ModelError.quote(text))")
        }
        return number
    }

    /// Returns the keys in the value of an option; nil if it was not given.
    ///
    /// - Throws: ``UsageError`` for an empty key, or one with a quotation mark that has no end.
    func keys(_ option: Option) throws(UsageError) -> [WrittenKey]? {
        guard let value = values[option] else { return nil }
        var keys: [WrittenKey] = []
        var rest: Substring.UTF8View? = Substring(value).utf8
        while var bytes = rest {
            let isDescending = option == .order && bytes.first == UInt8(ascii: "-")
            if isDescending { bytes.removeFirst() }
            guard let path = WrittenKey.path(takenFrom: &bytes, until: { $0 == UInt8(ascii: ",") }) else {
                throw error("\(option.name) needs keys with a comma between two, such as title,\"due date\"")
            }
            keys.append(WrittenKey(path: path, isDescending: isDescending))
            rest = bytes.popFirst() == nil ? nil : bytes
        }
        return keys
    }

    /// Returns the word that an option has among those that it may have.
    ///
    /// - Throws: ``UsageError`` for another word.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ option: Option, default standard: Choice
    ) throws(UsageError) -> Choice {
        guard let value = values[option] else { return standard }
        if let choice = Choice.allCases.first(where: { value.utf8.elementsEqual($0.rawValue.utf8) }) { return choice }
        let allowed = Choice.allCases.map(\.rawValue)
        throw error(
            "\(option.name) cannot be \(ModelError.quote(value)), only \(allowed.joined(separator: ", "))",
            suggestion: ModelError.nearest(to: value, among: allowed))
    }

    /// Returns the file that an option names beside the output; nil if it was not given.
    ///
    /// - Throws: ``UsageError`` for standard output.
    func sideFile(_ option: Option) throws(UsageError) -> String? {
        guard let path = values[option] else { return nil }
        guard !InputFile.isStandardInput(path) else {
            throw error("\(option.name) needs a file, because standard output is for good lines")
        }
        return path
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
