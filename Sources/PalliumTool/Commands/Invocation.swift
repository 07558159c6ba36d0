import Pallium

/// What the arguments request: an action, and where its results and messages go.
struct Invocation {
    let action: CommandSpec.Action
    /// The file to write; nil for standard output.
    var output: String?
    var errorFormat = ErrorFormat.text
    /// Whether nothing is said of how far the run is.
    var isQuiet = false
    /// The largest number of bytes of a document; nil for the adapter's.
    var maximumBytes: Int?
    /// Whether documents may have comments.
    var acceptsComments = false

    /// Reads the arguments that follow the tool's name.
    ///
    /// - Throws: ``UsageError`` with the first mistake.
    init(_ arguments: [String]) throws(UsageError) {
        let first = arguments.first ?? ""
        if Option.version.isCalled(first) {
            action = CommandSpec.printing("pallium \(Tool.version)\n")
            return
        }
        if first.utf8.first == UInt8(ascii: "-"), !Option.help.isCalled(first) {
            throw UsageError(
                message: "unknown option \(ModelError.shorten(first, to: 64))",
                suggestion: ModelError.nearest(to: first, among: CommandSpec.tool.options.map(\.name))
                    ?? Self.commandWithOption(first))
        }
        var rest = arguments[...]
        let command = Option.help.isCalled(first) ? .tool : try CommandSpec.tool.subcommand(takenFrom: &rest)
        let parsed = try ParsedArguments(Array(rest), of: command)
        if parsed.has(.help), command.name != CommandSpec.help.name {
            action = CommandSpec.printing(HelpText.text(for: command))
            return
        }
        action = try command.run(parsed)
        output = command.writesFiles ? nil : parsed.output
        errorFormat = try parsed.choice(.errors, default: .text)
        isQuiet = parsed.has(.quiet)
        // One byte more can be read.
        maximumBytes = try parsed.number(.maximumBytes, from: 1).map { min($0, .max - 1) }
        acceptsComments = parsed.has(.comments)
    }

    /// Returns the command that was forgotten before one of its options.
    private static func commandWithOption(_ argument: String) -> String? {
        let name = Substring(argument.utf8.prefix { $0 != UInt8(ascii: "=") })
        return CommandSpec.all.first { command in command.options.contains { $0.isCalled(name) } }
            .map { "\($0.call) \(name)" }
    }
}
