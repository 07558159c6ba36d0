/// A mistake in the arguments.
struct UsageError: Error, Equatable {
    /// What is wrong.
    let message: String
    /// What was probably meant.
    var suggestion: String?
    /// The command whose help says more; nil for the tool itself.
    var command: Command?

    /// One sentence and, on a second line, where help is.
    var lines: [String] {
        [
            suggestion.map { "\(message); did you mean \($0)?" } ?? message,
            "try: pallium \(command.map { "help \($0.rawValue)" } ?? "--help")",
        ]
    }
}
