/// A number found in a text: its decimal parts and its characters.
///
/// Safety: valid until the next call on the reader that made it, whose bytes it points into.
@unsafe
package struct JSONNumberToken {
    let parts: JSONDecimalParts
    let start: ByteAddress

    /// The number of characters.
    package let count: Int

    init(parts: JSONDecimalParts, start: ByteAddress, count: Int) {
        unsafe self.parts = parts
        unsafe self.start = start
        unsafe self.count = count
    }

    /// The exact value, when it is an integer in range: `1e2`, `1.0` and `-0` count.
    package var int64: Int64? { unsafe parts.int64 }

    /// The exact value, when it is an integer in range and not negative: `1e2`, `1.0` and `-0` count.
    package var uint64: UInt64? { unsafe parts.uint64 }

    /// The nearest Double, ties to even; infinite when the number is too large. Keeps the sign of zero.
    package var double: Double { unsafe parts.double(text: text) }

    /// Whether the value is mathematically an integer, in whatever range.
    package var isInteger: Bool { unsafe parts.isInteger }

    /// The characters of the number.
    package var text: BorrowedBytes { unsafe BorrowedBytes(start: start.pointer, count: count) }
}

extension JSONReader {
    /// Reads the name of a member.
    package mutating func readNameString() throws(JSONSyntaxError) -> String { try unsafe readName().string }
}

extension BorrowedBytes {
    /// The parts of the number that these bytes begin with; nil if there is none.
    ///
    /// - Parameter isWhole: Whether all bytes must belong to the number.
    func numberParts(isWhole: Bool) -> JSONDecimalParts? {
        var options = JSONReadingOptions()
        options.maximumNumberCharacters = .max
        var reader = JSONReader(self, options: options)
        guard let token = try? unsafe reader.scanNumber(reader.base), unsafe !isWhole || token.count == count else {
            return nil
        }
        return unsafe token.parts
    }
}
