/// How the tool ends, as its caller sees it.
enum ExitStatus: Int32 {
    /// Everything was done.
    case success = 0
    /// The data has problems; each of them was reported.
    case problems = 1
    /// Nothing about the data: wrong usage, bad schemas, input that cannot be read, output that cannot be written.
    case misuse = 2
    /// The reader of the output has gone. The number is what a shell reports for a command that the signal SIGPIPE (13)
    /// ended, which is how other commands end in this case; 0 would claim that everything was decoded.
    case outputClosed = 141
}
