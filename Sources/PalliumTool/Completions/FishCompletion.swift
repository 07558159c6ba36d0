extension CompletionScript {
    /// The script for fish.
    static var fish: String {
        """
        # Completes the arguments of pallium in fish: pallium completions fish | source
        function __pallium_command
            set -l words (commandline -opc)
            set -l last (math (count $argv) + 1)
            test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
        end
        function __pallium_group
            set -l words (commandline -opc)
            test (count $words) -eq 2; and test $words[2] = $argv[1]
        end
        function __pallium_needs_command
            test (count (commandline -opc)) -eq 1
        end
        complete -c pallium -f
        \((CommandSpec.tool.subcommands.map(fishCommand) + CommandSpec.tool.options.map { fishLine($0, "__pallium_needs_command") }).joined(separator: "\n"))
        \(CommandSpec.all.flatMap(fishLines).joined(separator: "\n"))

        """
    }

    private static func fishCommand(_ command: CommandSpec) -> String {
        "complete -c pallium -n __pallium_needs_command -a \(command.name) -d \(fishQuote(command.summary))"
    }

    private static func fishLines(_ command: CommandSpec) -> [String] {
        let operands = "complete -c pallium -n \(fishCondition(command)) \(fishValues(command.suggestions))"
        return [operands] + command.options.map { fishLine($0, fishCondition(command)) }
    }

    /// After a command with subcommands, only their names are its arguments.
    private static func fishCondition(_ command: CommandSpec) -> String {
        "'__pallium_\(command.subcommands.isEmpty ? "command" : "group") \(command.name)'"
    }

    private static func fishLine(_ option: Option, _ condition: String) -> String {
        var line = "complete -c pallium -n \(condition) -l \(option.name.dropFirst(2))"
        if let shortName = option.shortName { line += " -s \(shortName.dropFirst())" }
        if let values = option.values { line += " -r \(fishValues(values))" }
        return line + " -d \(fishQuote(option.summary))"
    }

    private static func fishValues(_ values: ArgumentValues) -> String {
        switch values {
        case .files: "-F"
        case .choices(let choices): "-f -a \(fishQuote(choices.joined(separator: " ")))"
        case .commands, .text: "-f"
        }
    }

    /// In fish, a backslash is special between apostrophes too.
    private static func fishQuote(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
