/// Checks the start and the end of a document.
extension JSONReader {
    /// Checks size and encoding, and skips a byte order mark where the options allow one. Call it first.
    package mutating func beginDocument() throws(JSONSyntaxError) {
        let bytes = text
        if bytes.count > options.maximumDocumentBytes {
            throw JSONSyntaxError(
                .documentTooLarge, at: max(0, options.maximumDocumentBytes), limit: options.maximumDocumentBytes)
        }
        try countValue()
        let first = bytes.byte(at: 0) ?? 0x20
        let second = bytes.byte(at: 1) ?? 0x20
        switch (first, second) {
        case (0xFE, 0xFF), (0xFF, 0xFE): throw JSONSyntaxError(.unsupportedEncoding, at: 0, found: first)
        // The first two characters of JSON are ASCII, so a zero in the first two bytes means UTF-16 or UTF-32 without a
        // mark (the rule of RFC 4627 §3).
        case (0, _), (_, 0): throw JSONSyntaxError(.unsupportedEncoding, at: 0, found: first)
        case (0xEF, 0xBB) where bytes.byte(at: 2) == 0xBF:
            if options.byteOrderMark == .error { throw JSONSyntaxError(.byteOrderMark, at: 0, found: first) }
            move(to: 3)
        default: break
        }
    }

    /// Checks that only white space is left.
    package mutating func endDocument() throws(JSONSyntaxError) {
        skipWhitespace()
        guard offset == text.count else { throw unexpectedAtCursor(.endOfDocument, .trailingBytes) }
    }
}
