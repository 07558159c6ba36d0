/// What a shell can suggest for an argument.
enum ArgumentValues: Equatable {
    /// Files and folders.
    case files
    /// One of several words.
    case choices([String])
    /// Text that a shell does not know.
    case text
}

extension Option {
    /// What a shell can suggest for the option's value, as the help names it; nil for options without one.
    var values: ArgumentValues? {
        guard let value else { return nil }
        if value.utf8.contains(UInt8(ascii: "|")) { return .choices(value.split(separator: "|").map(String.init)) }
        return ["FILE", "DIR", "FOLDER"].contains(value) ? .files : .text
    }

    /// All spellings of the option.
    var names: [String] { [name] + (shortName.map { [$0] } ?? []) }

    /// The first sentence of the explanation.
    func summary(for command: Command?) -> String {
        let text = explanation(for: command).joined(separator: " ")
        let sentence = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
        return String(sentence.utf8.last == UInt8(ascii: ".") ? sentence.dropLast() : sentence)
    }
}

extension Command {
    /// What a shell can suggest for arguments that are no options.
    var operands: ArgumentValues {
        switch self {
        case .help: .choices(Self.principal.map(\.rawValue))
        case .completions: .choices(Shell.allCases.map(\.rawValue))
        default: subcommands.isEmpty ? .files : .choices(subcommands.map(\.word))
        }
    }
}
