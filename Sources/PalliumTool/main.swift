import Foundation

// A pipe whose reader has gone is answered by the failing write, not by a signal: then it is the tool that decides how it
// ends, whatever its parent did with the signal.
signal(SIGPIPE, SIG_IGN)
let status = Tool(output: ByteOutput(.standardOutput), errors: .standardError)
    .run(Array(CommandLine.arguments.dropFirst()))
exit(status.rawValue)
