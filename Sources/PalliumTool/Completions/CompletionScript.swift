/// Scripts by which shells complete the arguments of the tool, made from the descriptions of commands and options.
enum CompletionScript {
    /// Returns the script for a shell.
    static func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The options that stand in the place of a command.
    static let toolOptions: [Option] = [.help, .version]

    /// The commands with subcommands.
    static var groups: [Command] { Command.allCases.filter { !$0.subcommands.isEmpty } }

    /// Quotes a text for a shell, in which nothing but an apostrophe is special between apostrophes.
    static func quote(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
