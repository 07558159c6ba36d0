/// A mistake in the arguments.
struct UsageError: Error, Equatable {
    /// The mistake.
    let message: String
    /// The argument that was probably meant.
    var suggestion: String?
    /// The name of the command whose help explains more; nil for the tool itself.
    var command: String?

    /// The mistake and the argument that was probably meant.
    var sentence: String { suggestion.map { "\(message); did you mean \($0)?" } ?? message }

    /// The command that prints the help.
    var advice: String { "try: pallium \(command.map { "help \($0)" } ?? "--help")" }
}

extension Run {
    /// Prints a mistake in the arguments.
    func say(_ error: UsageError) { say(error.sentence, details: [error.advice]) }
}
