/// Checks the start and the end of a document.
///
/// Safety: each of the first bytes is read after the count was compared.
extension JSONReader {
    /// Checks size and encoding, and skips a byte order mark where the options allow one. Call it first.
    package mutating func beginDocument() throws(JSONSyntaxError) {
        if unsafe end - base > options.maximumDocumentBytes {
            throw JSONSyntaxError(
                .documentTooLarge, at: max(0, options.maximumDocumentBytes), limit: options.maximumDocumentBytes)
        }
        try countValue()
        let count = unsafe end - base
        let first = unsafe count > 0 ? base[0] : 0x20
        let second = unsafe count > 1 ? base[1] : 0x20
        switch (first, second) {
        case (0xFE, 0xFF), (0xFF, 0xFE): throw JSONSyntaxError(.unsupportedEncoding, at: 0, found: first)
        // The first two characters of JSON are ASCII, so a zero in the first two bytes means UTF-16 or UTF-32 without a
        // mark (the rule of RFC 4627 §3).
        case (0, _), (_, 0): throw JSONSyntaxError(.unsupportedEncoding, at: 0, found: first)
        case (0xEF, 0xBB) where unsafe count > 2 && base[2] == 0xBF:
            if options.byteOrderMark == .error { throw JSONSyntaxError(.byteOrderMark, at: 0, found: first) }
            unsafe cursor = base + 3
        default: break
        }
    }

    /// Checks that only white space is left.
    package mutating func endDocument() throws(JSONSyntaxError) {
        skipWhitespace()
        guard unsafe cursor == end else { throw unsafe unexpected(.endOfDocument, at: cursor, .trailingBytes) }
    }
}
