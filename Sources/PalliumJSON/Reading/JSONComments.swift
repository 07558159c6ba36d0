/// Comments in JSON, and the comma behind a last member or element.
///
///     {"ports": [80, 81,], // two      the text
///     {"ports": [80, 81→],             the text without them: → is a tab
///
/// Each of their bytes becomes white space, so that every offset, line and column stays.
package enum JSONComments {
    /// The byte that stands for a comma. A comment becomes spaces, so that both can be told apart.
    package static let comma = UInt8(ascii: "\t")

    /// Returns a text without its comments: `//` to the end of the line, and `/*` to `*/`. A comment without an end stays, and
    /// so does a comma with no value before it. O(*n*).
    static func removed(from bytes: BorrowedBytes) -> [UInt8] {
        var text = Array(bytes)
        var position = 0
        // The last byte that is neither white space nor part of a comment, and its offset if it is a comma behind a value.
        var (last, comma): (UInt8, Int?) = (UInt8(ascii: "["), nil)
        while let byte = bytes.byte(at: position) {
            let end: Int
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                position += 1
                continue
            case UInt8(ascii: "/"):
                guard let end = self.end(ofCommentAt: position, in: bytes) else { return text }
                for offset in position..<end where !isLineBreak(bytes[offset]) { text[offset] = 0x20 }
                position = end
                continue
            case UInt8(ascii: "\""): end = self.end(ofStringAt: position, in: bytes)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { text[comma] = self.comma }
                end = position + 1
            default: end = position + 1
            }
            let isBehindValue = !"[{:,".utf8.contains(last)
            comma = byte == UInt8(ascii: ",") && isBehindValue ? position : nil
            last = byte
            position = end
        }
        return text
    }

    /// Whether a byte ends a line.
    package static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func end(ofStringAt start: Int, in bytes: BorrowedBytes) -> Int {
        var position = start + 1
        while let byte = bytes.byte(at: position), byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return position + 1
    }

    /// Returns where a comment ends; nil if none begins there, or it has no end.
    package static func end(ofCommentAt start: Int, in bytes: BorrowedBytes) -> Int? {
        guard bytes.byte(at: start) == UInt8(ascii: "/") else { return nil }
        switch bytes.byte(at: start + 1) {
        case UInt8(ascii: "/"): return bytes.end(from: start) { !isLineBreak($0) }
        case UInt8(ascii: "*"):
            var position = start + 2
            while let byte = bytes.byte(at: position) {
                position += 1
                if byte == UInt8(ascii: "*"), bytes.byte(at: position) == UInt8(ascii: "/") { return position + 1 }
            }
            return nil
        default: return nil
        }
    }
}

extension JSONReadingOptions {
    /// Calls a function with a text that a reader can read: without comments, if they are accepted.
    package func withText<Result, Failure: Error>(
        _ bytes: BorrowedBytes, _ body: (BorrowedBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard comments == .accept else { return try body(bytes) }
        return try JSONComments.removed(from: bytes).withBorrowedBytes(body)
    }

    /// Returns a text without comments, if they are accepted.
    package func text(_ bytes: [UInt8]) -> [UInt8] {
        comments == .accept ? bytes.withBorrowedBytes { JSONComments.removed(from: $0) } : bytes
    }
}
