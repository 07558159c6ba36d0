/// A mistake in the arguments.
struct UsageError: Error, Equatable {
    /// What is wrong.
    let message: String
    /// What was probably meant.
    var suggestion: String?
    /// The command whose help says more; nil for the tool itself.
    var command: Command?

    /// What is wrong and what was probably meant.
    var sentence: String { suggestion.map { "\(message); did you mean \($0)?" } ?? message }

    /// Where help is.
    var advice: String { "try: pallium \(command.map { "help \($0.rawValue)" } ?? "--help")" }
}

extension Diagnostics {
    /// Says what is wrong with the arguments.
    func say(_ error: UsageError) { say(error.sentence, details: [error.advice]) }
}
