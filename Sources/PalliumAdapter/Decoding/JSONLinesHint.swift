import PalliumCore
import PalliumJSON

/// The hints in errors for JSON lines read as one document, and for the reverse.
enum JSONLinesHint {
    static let firstText = "the first of several documents (JSON lines?)"
    static let secondText = "another document in the next line (JSON lines?)"
    /// The text of a syntax error for the end of the input.
    private static let endOfText = JSONSyntaxError(.unexpectedEnd, at: 0).foundText
    private static let array = "an array (a whole document?)"
    private static let end = "the end of the line (a document of several lines?)"

    /// Adds a hint to an error about the first line, if the text looks like one document.
    static func recognizingDocument(_ error: ModelError, first byte: UInt8?, isLast: Bool) -> ModelError {
        if error.code == .typeMismatch, error.pointer?.tokens.isEmpty == true, byte == UInt8(ascii: "[") {
            return error.found(array)
        }
        let isCut = error.code == .malformedJSON && error.found == endOfText && !isLast
        return isCut ? error.found(end) : error
    }
}
