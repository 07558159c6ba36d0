/// Parses JSON text into values.
extension JSONValue {
    /// Parses the value in `bytes`. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    package init(
        parsing bytes: BorrowedBytes, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONSyntaxError) {
        self = try options.withText(bytes) { bytes throws(JSONSyntaxError) in
            var reader = JSONReader(bytes, options: options)
            try reader.beginDocument()
            let value = try reader.readValue()
            try reader.endDocument()
            return value
        }
    }

    /// Parses the value in `bytes`: `Data`, `[UInt8]` or another sequence of bytes. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(
        parsing bytes: some Sequence<UInt8>, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONSyntaxError) {
        let result = bytes.withContiguousBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes, options: options) }
        }
        self = try result.get()
    }

    /// Parses the value in `text`. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(parsing text: String, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try JSONValue(parsing: Array(text.utf8), options: options)
    }
}
