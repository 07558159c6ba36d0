import Pallium
import PalliumCore

/// A run of a command: says on standard error what happens, loads what commands need.
///
/// Failures of standard error are ignored, because they cannot be reported.
package final class Run {
    private let descriptor: Descriptor
    /// The form of problems.
    let format: ErrorFormat
    /// Says how far the run is.
    let status: StatusLine
    /// The largest number of bytes of a document; nil for the adapter's.
    private let maximumBytes: Int?
    /// Whether documents may have comments.
    private let acceptsComments: Bool

    /// - Parameters:
    ///   - isQuiet: Whether nothing is said of how far the run is.
    ///   - maximumBytes: The largest number of bytes of a document; nil for the adapter's.
    ///   - acceptsComments: Whether documents may have comments.
    package init(
        _ descriptor: Descriptor, format: ErrorFormat, isQuiet: Bool = false, maximumBytes: Int? = nil,
        acceptsComments: Bool = false
    ) {
        self.descriptor = descriptor
        self.format = format
        self.maximumBytes = maximumBytes
        self.acceptsComments = acceptsComments
        status = StatusLine(descriptor, isWanted: format == .text && !isQuiet)
    }

    /// Returns options with what the arguments say about reading.
    func adapterOptions(from options: JSONAdapterOptions) -> JSONAdapterOptions {
        var options = options
        if acceptsComments { options.reading.comments = .accept }
        guard let maximumBytes else { return options }
        options.reading.maximumDocumentBytes = maximumBytes
        options.reading.maximumStringBytes = max(maximumBytes, options.reading.maximumStringBytes)
        options.maximumElementBytes = maximumBytes
        return options
    }

    /// Reports problems of a document, one a line; `location` is for problems without one of their own.
    func report(_ problems: [ModelError], file: String, location: JSONLocation?) {
        let limits = adapterOptions(from: JSONAdapterOptions())
        let reports = problems.map {
            ProblemReport($0.namingLimit(of: limits), file: file, location: location)
        }
        report(reports.map { format == .text ? $0.text : $0.json }, areJSON: format == .json)
    }

    /// Writes lines. All messages of the tool come by here, so that no text of a file, a name or SQLite moves the cursor.
    ///
    /// - Parameter areJSON: Whether each is an object.
    func report(_ lines: [String], areJSON: Bool = false) {
        status.clear()
        try? descriptor.write(Array(lines.map { Terminal.visible($0, isJSON: areJSON) + "\n" }.joined().utf8))
    }

    /// Reports a file that cannot be read.
    func report(unreadable file: String, _ error: SystemFailure) {
        switch format {
        case .text: say("cannot read \(file): \(error.text)")
        case .json:
            let problem = ModelError(.unreadableFile, expected: "a file that can be read", found: error.text)
            report([ProblemReport(problem, file: file, location: nil).json], areJSON: true)
        }
    }

    /// Prints a message about the run.
    func say(_ text: String, details: [String] = []) { report(["pallium: \(text)"] + details) }

    /// Prints the summary of the run.
    func sumUp(_ text: String) {
        if format == .text { say(text) }
    }

    /// Names an activity that cannot tell how far it is, while it lasts, if it is about so many bytes that it is long.
    func showing<Value, Failure>(
        _ activity: String, bytes: Int, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if bytes >= 16_000_000 { status.show("pallium: \(activity): \(Quantity.size(bytes))") }
        defer { status.clear() }
        return try body()
    }
}
