import PalliumCore

/// What an error says about a text that is lines and is read as one document, or the reverse.
enum JSONLinesHint {
    static let firstText = "the first of several lines; models(fromLines:) reads JSON lines"
    static let secondText = "another JSON text in the next line; models(fromLines:) reads JSON lines"
    private static let array = "an array; models(from:) and models(fromArray:) read arrays"
    private static let end = "the end of the line; model(from:) and models(from:) read a document of several lines"

    /// The error about the first line of a text that is rather one document.
    static func recognizingDocument(_ error: ModelError, first byte: UInt8?, isLast: Bool) -> ModelError {
        if error.code == .typeMismatch, error.pointer?.tokens.isEmpty == true, byte == UInt8(ascii: "[") {
            return error.found(array)
        }
        let isCut = error.code == .malformedJSON && error.found == ModelError.endOfText && !isLast
        return isCut ? error.found(end) : error
    }
}
