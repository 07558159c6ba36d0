import PalliumCore

/// The reasons for ending a run early.
enum Interruption: Error {
    /// Enough was read.
    case enough
    /// The data has a problem, which was reported.
    case problem
    /// A file cannot be read.
    case unreadable(file: String, SystemFailure)
    /// A file has more bytes than documents may have.
    case tooLarge(file: String, limit: Int)
    /// A file or the output cannot be written.
    case unwritable(file: String, SystemFailure)
    /// The reader of the output has gone.
    case outputClosed
    /// The tool cannot work, which was reported.
    case misuse
    /// The tool cannot work, for the reason in the text and in further lines.
    case refused(String, details: [String] = [])
}
