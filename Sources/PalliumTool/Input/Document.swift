import Pallium

/// One JSON text and its place in a file.
struct Document {
    /// The text.
    var bytes: [UInt8]
    /// What messages call the file.
    var file: String
    /// The line of the file that the text begins in, counted from 1. It begins in the first column.
    var firstLine = 1
    /// How many bytes of the file come before the text.
    var offset = 0
    /// Whether the document is one line of many, so that a problem without a place of its own has the line's.
    var isLine = false

    /// Whether the text is an array; decides before reading, so anything else may still be wrong with it.
    var isArray: Bool {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return rest.first { !Self.isWhiteSpace($0) } == UInt8(ascii: "[")
    }

    /// Whether there is nothing but white space.
    var isBlank: Bool { bytes.allSatisfy(Self.isWhiteSpace) }

    /// White space of JSON: RFC 8259 §2.
    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
