/// The texts about the tool itself.
extension HelpText {
    static var tool: String {
        """
        pallium \(Tool.version): reads JSON with schemas that are known at run time only

        usage: pallium COMMAND [OPTION…] [FILE…]

        commands:
        \(table(Command.principal.map { ($0.rawValue, [$0.summary]) }))

        options:
        \(table([Option.help, .version].map { ($0.synopsis, $0.explanation(for: nil)) }))

        \(statuses(one: "the data has problems; or documents differ, where that was asked"))

        example:
          pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json

        'pallium help COMMAND' explains a command, and 'pallium help --man COMMAND' writes a page for man.

        """
    }

    static var help: String {
        """
        pallium help: \(Command.help.summary)

        usage: pallium help [OPTION…] [COMMAND]

        options:
        \(options(of: .help))

        \(exitStatus)

        examples:
          pallium help decode
          pallium help --man decode | man -l -

        """
    }

    static var completions: String {
        """
        pallium completions: \(Command.completions.summary)

        usage: pallium completions bash|zsh|fish [OPTION…]

        Writes a script to standard output. A shell that has run it completes the names of commands and
        options, the words among which a value is chosen, and the names of files.

        options:
        \(options(of: .completions))

        \(statuses(one: "not used"))

        examples:
          source <(pallium completions bash)      # in ~/.bashrc
          source <(pallium completions zsh)       # in ~/.zshrc, after compinit
          pallium completions fish | source       # in ~/.config/fish/config.fish

        """
    }
}
