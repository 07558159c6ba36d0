extension CompletionScript {
    /// The script for bash, from version 3.2 on.
    static var bash: String {
        """
        # Completes the arguments of pallium in bash: source <(pallium completions bash)
        _pallium() {
            local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words= options= valued= line
            local command="${COMP_WORDS[1]}"
            local IFS=$' \\t\\n'
            local given=" ${COMP_WORDS[*]:1:COMP_CWORD-1} "
            COMPREPLY=()
            # Bash takes --name=value for three words.
            if [ "$word" = "=" ]; then
                word=
            elif [ "$before" = "=" ]; then
                before="${COMP_WORDS[COMP_CWORD-2]}"
            fi
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(words(CommandSpec.tool.subcommands.map(\.name) + names(CommandSpec.tool.options)))" -- "$word"))
                return
            fi
            case "$command" in
            \(groups.map(\.name).joined(separator: "|"))) [ "$COMP_CWORD" -eq 2 ] || command="$command-${COMP_WORDS[2]}" ;;
            esac
            case "$command" in
        \(CommandSpec.all.map(bashCase).joined(separator: "\n"))
            *) return ;;
            esac
            # A value belongs to an option of the command only.
            case " $valued " in
            *" $before "*)
                case "$before" in
        \(bashValues)
                esac
                ;;
            esac
            case "$word" in
            -*)
                # What was given is not suggested again, under neither name, unless it may be given several times.
                case "$given" in
        \(bashNames)
                esac
                words=
                for line in $options; do
                    case "$given" in
                    *" $line "*) case "$line" in \(names(options.filter(\.isRepeatable)).joined(separator: "|"))) ;; *) continue ;; esac ;;
                    esac
                    words="$words $line"
                done
                ;;
            esac
            if [ "$words" = FILES ]; then
                compopt -o filenames 2>/dev/null
                while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
            elif [ -n "$words" ]; then
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            fi
        }
        complete -F _pallium pallium

        """
    }

    private static func names(_ options: [Option]) -> [String] { options.flatMap(\.names) }

    private static func words(_ words: [String]) -> String { words.joined(separator: " ") }

    private static func words(_ values: ArgumentValues) -> String {
        switch values {
        case .files: "FILES"
        case .choices(let choices): words(choices)
        case .commands, .text: ""
        }
    }

    private static func bashCase(_ command: CommandSpec) -> String {
        """
            \(command.joinedName))
                words="\(words(command.suggestions))"
                options="\(words(names(command.options)))"
                valued="\(words(names(command.options.filter { $0.value != nil })))"
                ;;
        """
    }

    /// The options of all commands. One that stands in several has the same kind of value in all of them.
    private static var options: [Option] {
        var seen: Set<Option> = []
        return CommandSpec.all.flatMap(\.options).filter { seen.insert($0).inserted }
    }

    /// The other name of each option with two that was given.
    private static var bashNames: String {
        var seen: Set<String> = []
        return options.filter { $0.shortName != nil && seen.insert($0.name).inserted }.map { option in
            let patterns = option.names.map { "*\" \($0) \"*" }.joined(separator: "|")
            return "        \(patterns)) given=\"$given\(words(option.names)) \" ;;"
        }.joined(separator: "\n")
    }

    /// The suggestions behind an option, for all options with values.
    private static var bashValues: String {
        var seen: Set<String> = []
        return options.filter { $0.values != nil && seen.insert($0.name).inserted }.map { option in
            "        \(option.names.joined(separator: "|"))) words=\"\(words(option.values ?? .text))\" ;;"
        }.joined(separator: "\n")
    }
}
