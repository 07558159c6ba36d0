/// The exit status of the tool.
enum ExitStatus: Int32 {
    /// Everything was done.
    case success = 0
    /// The data has problems; each of them was reported.
    case problems = 1
    /// The tool could not work: wrong usage, bad schemas, a file that cannot be read, output that cannot be written.
    case misuse = 2
    /// The reader of the output has gone. The number is what a shell reports for a command that the signal SIGPIPE (13)
    /// ended, as other commands do in this case; 0 would claim that everything was decoded.
    case outputClosed = 141
    /// A signal asked the tool to end. The signal itself then ends the process; the number is never seen.
    case ended = 130
}
