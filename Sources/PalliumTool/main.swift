import Foundation

// Without the signal, writing to a closed pipe fails. Then the tool decides about its exit status, whatever its parent
// did with the signal.
signal(SIGPIPE, SIG_IGN)
let status = Tool(output: ByteOutput(.standardOutput), errors: .standardError)
    .run(Array(CommandLine.arguments.dropFirst()))
if status == .ended { EndRequest.end() }
exit(status.rawValue)
