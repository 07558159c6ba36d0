import Pallium

/// A problem of the data as it is reported.
struct ProblemReport {
    private let error: ModelError
    private let document: Document

    /// Describes a problem of a document.
    init(_ error: ModelError, in document: Document) {
        self.error = error
        self.document = document
    }

    /// The place in the file; nil when none is known.
    private var place: (line: Int, column: Int, offset: Int)? {
        if let location = error.location {
            return (document.firstLine + location.line - 1, location.column, document.offset + location.byteOffset)
        }
        return document.isLine ? (document.firstLine, 1, document.offset) : nil
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
        let position = place.map { "\($0.line):\($0.column):" } ?? ""
        return "\(document.file):\(position) \(message)"
    }

    /// One JSON object in one line.
    var json: String {
        let place = place
        return Self.line([
            "file": .string(document.file),
            "code": .string(error.code.rawValue),
            "category": .string(error.category.rawValue),
            "schema": Self.text(error.schema),
            "property": Self.text(error.property),
            "pointer": Self.text(error.pointer?.description),
            "line": Self.number(place?.line),
            "column": Self.number(place?.column),
            "offset": Self.number(place?.offset),
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
