import PalliumJSON

/// Reads tokens in the form that the decoder stores.
///
/// Safety: the token of a number is used before the reader goes on.
extension JSONReader {
    // Whether the next value is text, an object or an array, or the array that was entered is empty. These are faster than
    // `peekKind`.
    @inline(__always) mutating func startsText() -> Bool { startsWith(UInt8(ascii: "\"")) }
    @inline(__always) mutating func startsObject() -> Bool { startsWith(UInt8(ascii: "{")) }
    @inline(__always) mutating func startsArray() -> Bool { startsWith(UInt8(ascii: "[")) }
    @inline(__always) mutating func isAtArrayEnd() -> Bool { startsWith(UInt8(ascii: "]")) }

    mutating func readDouble() throws(JSONSyntaxError) -> Double {
        if let integer = try readPlainInteger() {
            let double = Double(integer)
            // Beyond 2^53 the nearest double is still correct: integers convert with correct rounding.
            return double
        }
        return try unsafe readNumber().double
    }

    /// Reads a number as it is spelled.
    mutating func readNumberText() throws(JSONSyntaxError) -> String {
        let token = try unsafe readNumber()
        return unsafe String(decoding: token.text, as: UTF8.self)
    }
}
