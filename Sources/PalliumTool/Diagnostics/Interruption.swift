/// The reasons for ending a run early.
enum Interruption: Error {
    /// Enough was read.
    case enough
    /// The data has a problem, which was reported.
    case problem
    /// A file cannot be read.
    case unreadable(file: String, SystemError)
    /// The output failed.
    case output(OutputError)
}
