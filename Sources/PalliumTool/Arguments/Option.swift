/// An option, with everything that parsing, help and completions need.
///
/// Options are the same if they are spelled and take values alike: a command may explain one in its own words.
struct Option: Hashable, Sendable {
    /// The spelling of the option.
    let name: String
    /// The name of the option's value in the help; nil for options without one.
    let value: String?
    /// A second, shorter name.
    let shortName: String?
    /// Whether the option may be given several times.
    let isRepeatable: Bool
    /// The effect of the option, in the lines of the help.
    private(set) var explanation: String

    init(
        _ name: String, value: String? = nil, shortName: String? = nil, isRepeatable: Bool = false,
        _ explanation: String
    ) {
        self.name = name
        self.value = value
        self.shortName = shortName
        self.isRepeatable = isRepeatable
        self.explanation = explanation
    }

    /// Returns the option as a command explains it.
    func explained(_ explanation: String) -> Option {
        var option = self
        option.explanation = explanation
        return option
    }

    static func == (left: Option, right: Option) -> Bool { left.name == right.name && left.value == right.value }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }

    /// The option as the help shows it: `--model NAME`.
    var synopsis: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }

    /// All spellings of the option.
    var names: [String] { [name] + (shortName.map { [$0] } ?? []) }

    /// The first sentence of the explanation.
    var summary: String {
        let text = explanation.replacing("\n", with: " ")
        let sentence = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
        return String(sentence.utf8.last == UInt8(ascii: ".") ? sentence.dropLast() : sentence)
    }

    /// The suggestions of a shell for the option's value, as the help names it; nil for options without one.
    var values: ArgumentValues? {
        guard let value else { return nil }
        if value.utf8.contains(UInt8(ascii: "|")) { return .choices(value.split(separator: "|").map(String.init)) }
        return ["FILE", "DIR", "FOLDER"].contains(value) ? .files : .text
    }

    /// Whether an argument is the option. Bytes are compared: canonical equivalence, which `==` means, is slow on long
    /// text.
    func isCalled(_ argument: some StringProtocol) -> Bool {
        names.contains { argument.utf8.elementsEqual($0.utf8) }
    }
}

/// The suggestions of a shell for an argument.
enum ArgumentValues: Equatable {
    /// Files and folders.
    case files
    /// One of several words.
    case choices([String])
    /// The commands of the tool.
    case commands
    /// Text that a shell does not know.
    case text
}
