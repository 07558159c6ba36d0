/// JSON text to values.
///
/// Safety: the reader does not outlive the call that lends the bytes.
extension JSONValue {
    /// The value in `bytes`. O(bytes). Throws when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(
        parsing bytes: UnsafeRawBufferPointer, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONSyntaxError) {
        var reader = unsafe JSONReader(bytes.assumingMemoryBound(to: UInt8.self), options: options)
        try reader.beginDocument()
        let value = try reader.readValue()
        try reader.endDocument()
        self = value
    }

    /// The value in `bytes`. O(bytes). Throws when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(parsing bytes: [UInt8], options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try unsafe bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in
            try unsafe JSONValue(parsing: UnsafeRawBufferPointer(buffer), options: options)
        }
    }

    /// The value in `text`. O(bytes). Throws when the text breaks a rule of RFC 8259 or a limit of the options.
    public init(parsing text: String, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try JSONValue(parsing: Array(text.utf8), options: options)
    }
}
