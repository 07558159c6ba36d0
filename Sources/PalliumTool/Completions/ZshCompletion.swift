extension CompletionScript {
    /// The script for zsh.
    static var zsh: String {
        """
        #compdef pallium
        # Completes the arguments of pallium in zsh: source <(pallium completions zsh), or save it as _pallium in a
        # folder of $fpath.
        _pallium() {
            local -a commands
            if (( CURRENT == 2 )); then
                commands=(
        \(CommandSpec.tool.subcommands.map { "            \(quote("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
                )
                _describe command commands
                _arguments \(CommandSpec.tool.options.map { zshSpecification($0) }.joined(separator: " "))
                return
            fi
            local command=$words[2]
            shift words
            (( CURRENT -= 1 ))
            case $command in
            \(groups.map(\.name).joined(separator: "|"))) if (( CURRENT > 2 )); then command+=-$words[2]; shift words; (( CURRENT -= 1 )); fi ;;
            esac
            case $command in
        \(CommandSpec.all.map(zshCase).joined(separator: "\n"))
            esac
        }
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            _pallium "$@"
        else
            compdef _pallium pallium
        fi

        """
    }

    private static func zshCase(_ command: CommandSpec) -> String {
        let options = command.options.map { "            \(zshSpecification($0)) \\" }
        return """
                \(command.joinedName))
                    _arguments \\
            \(options.joined(separator: "\n"))
                        \(quote("*:argument:" + zshAction(command.suggestions)))
                    ;;
            """
    }

    /// `'(-o --output)'{-o+,--output=}'[Where it goes]:FILE:_files'`
    private static func zshSpecification(_ option: Option) -> String {
        let summary = option.summary.replacing("[", with: "(").replacing("]", with: ")")
        let value = option.value.map { ":\($0):\(zshAction(option.values ?? .text))" } ?? ""
        let text = quote("[\(summary)]\(value.replacing("…", with: ""))")
        let name = option.value == nil ? option.name : "\(option.name)="
        guard let shortName = option.shortName else {
            return (option.isRepeatable ? "'*'" : "") + name + text
        }
        return "'(\(option.name) \(shortName))'{\(name),\(option.value == nil ? shortName : "\(shortName)+")}\(text)"
    }

    private static func zshAction(_ values: ArgumentValues) -> String {
        switch values {
        case .files: "_files"
        case .choices(let choices): "(\(choices.joined(separator: " ")))"
        case .commands, .text: " "
        }
    }
}
