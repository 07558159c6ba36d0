extension CommandSpec {
    static let completions = CommandSpec(
        name: "completions", summary: "write a script by which a shell completes arguments",
        usage: ["bash|zsh|fish [OPTION…]"],
        about: """
            Writes a script to standard output. A shell that has run it completes the names of commands and
            options, the words among which a value is chosen, and the names of files.
            """,
        options: [.output, .help],
        operands: .choices(Shell.allCases.map(\.rawValue)),
        problems: "not used",
        examples: """
            source <(pallium completions bash)      # in ~/.bashrc
            source <(pallium completions zsh)       # in ~/.zshrc, after compinit
            pallium completions fish | source       # in ~/.config/fish/config.fish
            """,
        run: { parsed throws(UsageError) in
            guard parsed.operands.count == 1, let name = parsed.operands.first,
                let shell = Shell.allCases.first(where: { name.utf8.elementsEqual($0.rawValue.utf8) })
            else {
                throw parsed.error("completions needs the name of a shell: \(listed(Shell.allCases.map(\.rawValue)))")
            }
            return printing(CompletionScript.text(for: shell))
        })
}

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

    /// The commands with subcommands.
    static var groups: [CommandSpec] { CommandSpec.all.filter { !$0.subcommands.isEmpty } }

    /// Quotes a text for a shell, in which nothing but an apostrophe is special between apostrophes.
    static func quote(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
