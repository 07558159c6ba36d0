import Pallium

// Commands and their subcommands by name.
extension Command {
    /// The commands whose name is one word.
    static var principal: [Command] { allCases.filter { $0.words.count == 1 } }

    private var words: [Substring] { rawValue.split(separator: " ") }

    /// The commands whose name begins with this one; none for most.
    var subcommands: [Command] { Self.allCases.filter { $0.words.count == 2 && $0.words[0] == rawValue } }

    /// The last word of the name.
    var word: String { words.last.map(String.init) ?? rawValue }

    /// The name as one word, for pages and scripts: `store-import`.
    var joinedName: String { words.joined(separator: "-") }

    /// Finds the command that an argument names, among commands of one level.
    private init?(named argument: String, among commands: [Command]) {
        guard let command = commands.first(where: { argument.utf8.elementsEqual($0.word.utf8) }) else { return nil }
        self = command
    }

    /// Takes the words that name a command from the beginning of arguments. After the name of a command with subcommands,
    /// an option or the end means the command itself.
    ///
    /// - Throws: ``UsageError`` for a command that does not exist.
    init(takingFrom arguments: inout ArraySlice<String>) throws(UsageError) {
        let first = arguments.popFirst() ?? ""
        guard let command = Command(named: first, among: Self.principal) else {
            throw Self.unknown(first, among: Self.principal)
        }
        let subcommands = command.subcommands
        guard !subcommands.isEmpty, let second = arguments.first, second.utf8.first != UInt8(ascii: "-") else {
            self = command
            return
        }
        arguments.removeFirst()
        guard let subcommand = Command(named: second, among: subcommands) else {
            var error = Self.unknown(second, among: subcommands)
            error.command = command
            throw error
        }
        self = subcommand
    }

    private static func unknown(_ name: String, among commands: [Command]) -> UsageError {
        let nearest = ModelError.nearest(to: name, among: commands.map(\.word))
        return UsageError(
            message: "unknown command \(ModelError.quote(name))",
            suggestion: commands.first { $0.word == nearest }?.rawValue)
    }
}
