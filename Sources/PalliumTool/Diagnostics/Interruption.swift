/// The reasons for ending a run early.
enum Interruption: Error {
    /// Enough was read.
    case enough
    /// The data has a problem, which was reported.
    case problem
    /// A file cannot be read.
    case unreadable(file: String, SystemError)
    /// A file beside the output cannot be written.
    case unwritable(file: String, SystemError)
    /// A file must not be written, for the reason in the text.
    case refusedFile(String)
    /// The output failed.
    case output(OutputError)
}
