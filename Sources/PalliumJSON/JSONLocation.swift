/// A place in a JSON text as an editor shows it.
public struct JSONLocation: Sendable, Hashable {
    /// Line, counted from 1. Lines end with LF, CR LF or CR.
    public let line: Int

    /// Column, counted from 1 in UTF-8 bytes. Bytes, because editors disagree about wider units and a text that is
    /// not valid UTF-8 still has them.
    public let column: Int

    /// Offset in bytes from the start of the text.
    public let byteOffset: Int

    /// A place that was found already.
    package init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// The location of the byte at `offset`; an offset outside the text is moved to its nearest end. O(`offset`).
    public init(ofByteAt offset: Int, in bytes: UnsafeRawBufferPointer) {
        let offset = max(0, min(offset, bytes.count))
        var line = 1
        var lineStart = 0
        var position = 0
        while position < offset {
            let byte = bytes[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") { continue }
            line += 1
            lineStart = position
        }
        self.line = line
        self.column = offset - lineStart + 1
        self.byteOffset = offset
    }
}

extension JSONLocation: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}
