/// The texts about the tool itself.
extension HelpText {
    static let tool = HelpText(
        usage: ["COMMAND [OPTION…] [FILE…]"],
        about: """
            'pallium help COMMAND' explains a command, and 'pallium help --man COMMAND' writes a page for man.

            commands:
            \(table(Command.principal.map { ($0.rawValue, [$0.summary]) }))
            """,
        problems: "the data has problems; or documents differ, where that was asked",
        examples: """
            pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json
            """)

    static let help = HelpText(
        usage: ["[OPTION…] [COMMAND]"],
        examples: """
            pallium help decode
            pallium help --man decode | man -l -
            """)

    static let completions = HelpText(
        usage: ["bash|zsh|fish [OPTION…]"],
        about: """
            Writes a script to standard output. A shell that has run it completes the names of commands and
            options, the words among which a value is chosen, and the names of files.
            """,
        problems: "not used",
        examples: """
            source <(pallium completions bash)      # in ~/.bashrc
            source <(pallium completions zsh)       # in ~/.zshrc, after compinit
            pallium completions fish | source       # in ~/.config/fish/config.fish
            """)
}
