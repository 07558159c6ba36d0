import Pallium

/// A problem of the data as it is reported.
struct ProblemReport {
    private let error: ModelError
    private let file: String
    private let location: JSONLocation?

    /// Describes a problem of a document, which is at `location` unless it has a place of its own.
    init(_ error: ModelError, file: String, location: JSONLocation?) {
        self.error = error
        self.file = file
        self.location = error.location ?? location
    }

    /// What is wrong, in one line without the place in the file. Pointers are made of names from the input.
    private var message: String {
        var text = "expected \(error.expected) but found \(error.found)"
        if let pointer = error.pointer {
            text +=
                " at \(pointer.tokens.isEmpty ? "the root" : PrintableText.escape(pointer.description, limit: 1000))"
        }
        if let suggestion = error.suggestion { text += "; did you mean \"\(suggestion)\"?" }
        if let underlying = error.underlying { text += ": \(String(describing: underlying))" }
        return PrintableText.escape(text, limit: 4000)
    }

    /// `FILE:LINE:COLUMN: message`, as compilers write it and editors read it.
    var text: String {
        let position = location.map { "\($0.line):\($0.column):" } ?? ""
        return "\(file):\(position) \(message)"
    }

    /// One JSON object in one line.
    var json: String {
        Self.line([
            "file": .string(file),
            "code": .string(error.code.rawValue),
            "category": .string(error.category.rawValue),
            "schema": Self.text(error.schema),
            "property": Self.text(error.property),
            "pointer": Self.text(error.pointer?.description),
            "line": Self.number(location?.line),
            "column": Self.number(location?.column),
            "offset": Self.number(location?.byteOffset),
            "expected": .string(error.expected),
            "found": .string(error.found),
            "message": .string(message),
        ])
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private static func number(_ number: Int?) -> JSONValue { number.map { .number(JSONNumber(Int64($0))) } ?? .null }

    private static func line(_ object: JSONObject) -> String {
        // Only nesting beyond the limit cannot be written, and there is none.
        (try? JSONValue.object(object).text()) ?? ""
    }
}
