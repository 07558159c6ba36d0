/// The reasons for a failure of the output.
enum OutputError: Error, Equatable {
    /// The reader of the output has gone.
    case closed
    /// Every other failure.
    case failed(SystemError)
}
