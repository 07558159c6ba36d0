import Pallium

/// A command: what parsing, help, pages and completions need of it, and what it does. The tool itself is the command without
/// a name, and its subcommands are the others.
struct CommandSpec: Sendable {
    /// Returns the exit status; reports problems, unless they interrupt it.
    typealias Action = (ByteOutput, Run) throws(Interruption) -> ExitStatus

    /// A section of the help.
    struct Section: Sendable { let title, text: String }

    /// The name, `store import` for a subcommand.
    let name: String
    /// The purpose of the command, in one line.
    let summary: String
    /// The forms of the arguments, behind the name of the command.
    let usage: [String]
    /// The paragraphs of the help before everything else.
    var about = ""
    /// A section of the help before the options.
    var before: Section?
    /// The options, in the order of the help.
    let options: [Option]
    /// A section of the help behind the options.
    var behind: Section?
    /// The suggestions of a shell for arguments that are no options, if these name no commands.
    var operands = ArgumentValues.files
    /// The meaning of the exit status 1.
    var problems = "the data has problems"
    let examples: String
    var subcommands: [CommandSpec] = []
    /// Whether the command writes files itself, whatever they are called.
    var writesFiles = false
    /// Reads the arguments, and returns what they request.
    let run: @Sendable (ParsedArguments) throws(UsageError) -> Action

    /// The words that call the command.
    var call: String { isTool ? "pallium" : "pallium \(name)" }

    var isTool: Bool { name.isEmpty }

    /// The last word of the name.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The name as one word, for pages and scripts: `store-import`.
    var joinedName: String { name.replacing(" ", with: "-") }

    /// The suggestions of a shell for arguments that are no options, names of commands included.
    var suggestions: ArgumentValues {
        let commands = operands == .commands ? CommandSpec.tool.subcommands : subcommands
        return commands.isEmpty ? operands : .choices(commands.map(\.word))
    }

    /// The names of the subcommands as a sentence lists them.
    var listedSubcommands: String { Self.listed(subcommands.map(\.word)) }

    static func listed(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// All commands, each before its subcommands.
    static var all: [CommandSpec] { tool.subcommands.flatMap { [$0] + $0.subcommands } }

    /// Takes the words that name a subcommand from the beginning of arguments. After the name of a command, an option or the
    /// end means the command itself.
    ///
    /// - Throws: ``UsageError`` for a command that does not exist.
    func subcommand(takenFrom arguments: inout ArraySlice<String>) throws(UsageError) -> CommandSpec {
        guard !subcommands.isEmpty, let word = arguments.first, isTool || word.utf8.first != UInt8(ascii: "-") else {
            return self
        }
        arguments.removeFirst()
        if let subcommand = subcommands.first(where: { word.utf8.elementsEqual($0.word.utf8) }) {
            return try subcommand.subcommand(takenFrom: &arguments)
        }
        let nearest = ModelError.nearest(to: word, among: subcommands.map(\.word))
        throw UsageError(
            message: "unknown command \(ModelError.quote(word))",
            suggestion: subcommands.first { $0.word == nearest }?.name, command: isTool ? nil : name)
    }

    /// Makes what prepares a command: its arguments are read, and then it can run.
    static func running<Runnable: RunnableCommand>(
        _ type: Runnable.Type,
        _ read: @escaping @Sendable (ParsedArguments) throws(UsageError) -> Runnable.Arguments
    ) -> @Sendable (ParsedArguments) throws(UsageError) -> Action {
        { parsed throws(UsageError) in
            let arguments = try read(parsed)
            return { output, run throws(Interruption) in
                try Runnable(arguments: arguments, output: output, run: run).execute()
            }
        }
    }

    /// Makes what prints a text.
    static func printing(_ text: String) -> Action {
        { output, _ throws(Interruption) in
            try output.finish(text)
            return .success
        }
    }
}

/// A command with its arguments.
protocol RunnableCommand: SendableMetatype {
    associatedtype Arguments

    init(arguments: Arguments, output: ByteOutput, run: Run)

    /// Runs the command; returns the exit status.
    ///
    /// - Throws: ``Interruption`` if it ends early.
    func execute() throws(Interruption) -> ExitStatus
}
