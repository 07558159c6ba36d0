import Foundation

// Without the signals, writing to a closed pipe or beyond the limit for files fails. Then the tool decides about its exit
// status, whatever its parent did with the signals.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
let status = Tool(output: ByteOutput(.standardOutput), errors: .standardError)
    .run(Array(CommandLine.arguments.dropFirst()))
if status == .ended { EndRequest.end() }
exit(status.rawValue)
