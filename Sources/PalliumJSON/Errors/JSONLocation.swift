// Safety: positions stay below the count that was asked for, which is at most that of the bytes; words are loaded
// where eight are left.

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
        self = unsafe Self.start.advanced(by: max(0, min(offset, bytes.count)), in: bytes)
    }

    /// The first byte of a text.
    package static let start = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// The location `count` bytes further on in `bytes`, the first of which is at this one.
    ///
    /// Whether a CR at the end of the `count` bytes ends a line depends on the byte behind it: CR LF is one line end.
    package func advanced(by count: Int, in bytes: UnsafeRawBufferPointer) -> JSONLocation {
        var line = line
        var lineStart = 1 - column
        var position = 0
        while position < count {
            // Most of a text is no line end; eight bytes without one are passed at once.
            if count - position >= 8,
                unsafe EightBytes.hasNoLineEnd(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            {
                position += 8
                continue
            }
            let byte = unsafe bytes[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            if byte == UInt8(ascii: "\r"), position < bytes.count, unsafe bytes[position] == UInt8(ascii: "\n") {
                continue
            }
            line += 1
            lineStart = position
        }
        return JSONLocation(line: line, column: count - lineStart + 1, byteOffset: byteOffset + count)
    }
}

extension JSONLocation: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}
