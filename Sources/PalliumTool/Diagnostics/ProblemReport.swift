import Pallium

/// A problem of the data as it is reported.
struct ProblemReport {
    private let error: ModelError
    private let file: String

    /// Describes a problem of a document, which is at `location` unless it has a place of its own.
    init(_ error: ModelError, file: String, location: JSONLocation?) {
        self.error = error.at(location)
        self.file = file
    }

    /// `FILE:LINE:COLUMN: message`, as compilers write it and editors read it.
    var text: String {
        let position = error.location.map { "\($0.line):\($0.column):" } ?? ""
        return "\(file):\(position) \(error.sentence)"
    }

    /// One JSON object in one line: the file, and the form that errors have in the library.
    var json: String {
        var members: JSONObject = ["file": .string(file)]
        for (name, value) in error.members { members[name] = value }
        // Only nesting beyond the limit cannot be written, and there is none.
        return (try? JSONValue.object(members).text()) ?? ""
    }
}
