import Pallium
import PalliumCore

/// The exit status of the tool. A command returns `success` or `problems`; what interrupts it becomes a status by
/// ``Run/status(of:)``.
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

extension Run {
    /// Reports an interruption unless it was reported before, and returns the exit status for it.
    func status(of interruption: Interruption) -> ExitStatus {
        switch interruption {
        case .enough: return .success
        case .problem: return .problems
        case .outputClosed: return .outputClosed
        case .unreadable(let file, let error): report(unreadable: file, error)
        case .tooLarge(let file, let limit):
            let problem = ModelError(.limitExceeded, expected: "at most \(limit.counted("byte"))", found: "more")
            report([problem], file: file, location: nil)
            return .problems
        case .unwritable(let file, let error) where error.isAfterReplacement:
            say("\(file) is written, but a power failure may undo that: \(error.text)")
        case .unwritable(let file, let error): say("cannot write \(file): \(error.text)")
        case .refused(let text, let details): say(text, details: details)
        case .misuse: break
        }
        return .misuse
    }
}
