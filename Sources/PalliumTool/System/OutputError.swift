/// The reasons for a failure of the output.
enum OutputError: Error, Equatable {
    /// The reader of the output has gone.
    case closed
    /// Every other failure, with the name of the output.
    case failed(SystemError, output: String)
}
