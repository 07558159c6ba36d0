import Pallium

/// Writes to standard error.
///
/// Failures of standard error are ignored, because they cannot be reported.
package final class Diagnostics {
    private let descriptor: Descriptor
    private let format: ErrorFormat
    private var isProgressShown = false

    package init(_ descriptor: Descriptor, format: ErrorFormat) {
        self.descriptor = descriptor
        self.format = format
    }

    /// Reports problems of a document, one a line; `location` is for problems without one of their own.
    func report(_ problems: [ModelError], file: String, location: JSONLocation?) {
        let reports = problems.map { ProblemReport($0, file: file, location: location) }
        report(reports.map { format == .text ? $0.text : $0.json })
    }

    /// Reports problems, one a line.
    func report(_ lines: [String]) { write(lines) }

    /// Reports a file that cannot be read.
    func report(unreadable file: String, _ error: SystemError) {
        switch format {
        case .text: say("cannot read \(file): \(error.text)")
        case .json:
            let problem = ModelError(.unreadableFile, expected: "a file that can be read", found: error.text)
            write([ProblemReport(problem, file: file, location: nil).json])
        }
    }

    /// Prints a message about the run.
    func say(_ text: String, details: [String] = []) { write(["pallium: \(text)"] + details) }

    /// Prints the summary of the run.
    func sumUp(_ text: String) {
        if format == .text { say(text) }
    }

    /// Reports a failure of the output, and returns the exit status for it.
    func status(of error: OutputError) -> ExitStatus {
        switch error {
        case .closed: return .outputClosed
        case .failed(let error, let output):
            say("cannot write \(output): \(error.text)")
            return .misuse
        }
    }

    /// Whether progress is shown: on a terminal, with problems as text.
    var showsProgress: Bool { format == .text && descriptor.isTerminal }

    /// Shows a line that the next one replaces; nil removes it.
    func showProgress(_ text: String?) {
        guard text != nil || isProgressShown else { return }
        // Go to the first column and erase the line (ECMA-48 EL).
        try? descriptor.write(Array("\r\u{1B}[K\(text ?? "")".utf8))
        isProgressShown = text != nil
    }

    private func write(_ lines: [String]) {
        showProgress(nil)
        try? descriptor.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
