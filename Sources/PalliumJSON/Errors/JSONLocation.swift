/// A position in a JSON text as an editor shows it.
public struct JSONLocation: Sendable, Hashable {
    /// Line, counted from 1. Lines end with LF, CR LF or CR.
    public let line: Int

    /// Column, counted from 1 in UTF-8 bytes. Editors disagree about wider units, and invalid UTF-8 has bytes, too.
    public let column: Int

    /// Offset in bytes from the start of the text.
    public let byteOffset: Int

    /// Creates a location from known numbers.
    package init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// Finds the location of the byte at `offset`. An offset outside the text is moved to its nearest end. O(`offset`).
    package init(ofByteAt offset: Int, in bytes: BorrowedBytes) {
        self = Self.start.advanced(by: max(0, min(offset, bytes.count)), in: bytes)
    }

    /// The first byte of a text.
    package static let start = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// Returns the location `count` bytes further on, where the first of `bytes` is at this location.
    ///
    /// A CR at the end of the `count` bytes ends a line unless an LF follows it: CR LF is one line end.
    package func advanced(by count: Int, in bytes: BorrowedBytes) -> JSONLocation {
        var line = line
        var lineStart = 1 - column
        var position = 0
        while position < count {
            // Eight bytes without a line end are skipped at once, since most bytes are none.
            if count - position >= 8,
                EightBytes.hasNoLineEnd(bytes.word(at: position))
            {
                position += 8
                continue
            }
            let byte = bytes[position]
            position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
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

// Safety: the bytes are used only during the call.
extension JSONSyntaxError {
    /// Returns line and column of the error in the document that was read. O(`offset`).
    public func location(in bytes: UnsafeRawBufferPointer) -> JSONLocation {
        unsafe location(in: BorrowedBytes(bytes))
    }

    package func location(in bytes: BorrowedBytes) -> JSONLocation { JSONLocation(ofByteAt: offset, in: bytes) }
}
