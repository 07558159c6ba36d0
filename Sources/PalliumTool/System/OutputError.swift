/// Why output cannot be written.
enum OutputError: Error, Equatable {
    /// Its reader has gone.
    case closed
    /// Anything else.
    case failed(SystemError)
}
