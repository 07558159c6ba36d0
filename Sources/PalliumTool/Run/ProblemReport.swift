import Pallium

/// A problem of the data in the form in which it is reported.
struct ProblemReport {
    private let error: ModelError
    private let file: String

    /// Describes a problem of a document; `location` is for a problem without one of its own.
    init(_ error: ModelError, file: String, location: JSONLocation?) {
        self.error = error.at(location)
        self.file = file
    }

    /// `FILE:LINE:COLUMN: message`, as compilers write it and editors read it.
    var text: String {
        let position = error.location.map { "\($0.line):\($0.column):" } ?? ""
        return "\(file):\(position) \(error.sentence)"
    }

    /// The file and the members of the library's error as one JSON object in one line.
    var json: String {
        // Writing fails only for nesting beyond the limit, and there is none.
        (try? object.text()) ?? ""
    }

    /// The file and the members of the library's error.
    var object: JSONValue {
        var members: JSONObject = ["file": .string(file)]
        for (name, value) in error.members { members[name] = value }
        return .object(members)
    }
}
