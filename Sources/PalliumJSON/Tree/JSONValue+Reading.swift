/// Parses JSON text into values.
///
/// Safety: the reader does not outlive the call that lends the bytes.
extension JSONValue {
    /// Parses the value in `bytes`. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(
        parsing bytes: UnsafeRawBufferPointer, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONSyntaxError) {
        var reader = unsafe JSONReader(bytes.assumingMemoryBound(to: UInt8.self), options: options)
        try reader.beginDocument()
        let value = try reader.readValue()
        try reader.endDocument()
        self = value
    }

    /// Parses the value in `bytes`. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(parsing bytes: [UInt8], options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try unsafe bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in
            try unsafe JSONValue(parsing: UnsafeRawBufferPointer(buffer), options: options)
        }
    }

    /// Parses the value in `text`. O(bytes).
    ///
    /// - Throws: ``JSONSyntaxError`` when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(parsing text: String, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try JSONValue(parsing: Array(text.utf8), options: options)
    }
}
