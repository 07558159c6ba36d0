/// Reads `null`, `true` and `false`.
///
/// Safety: a byte is read after the cursor was compared with the end.
extension JSONReader {
    /// Consumes `null`.
    package mutating func readNull() throws(JSONSyntaxError) {
        skipWhitespace()
        cursor = try passLiteral("null", cursor, .null)
    }

    /// Consumes `true` or `false`.
    package mutating func readBool() throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        guard cursor < end else { throw unexpected(.bool) }
        switch unsafe cursor.byte {
        case UInt8(ascii: "t"):
            cursor = try passLiteral("true", cursor, .true)
            return true
        case UInt8(ascii: "f"):
            cursor = try passLiteral("false", cursor, .false)
            return false
        default: throw unexpected(.bool)
        }
    }

    /// Returns the end of `literal`, which must be at `start`.
    @inline(__always)
    mutating func passLiteral(
        _ literal: StaticString, _ start: ByteAddress, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) -> ByteAddress {
        let count = literal.utf8CodeUnitCount
        if end - start >= count, unsafe EightBytes.areEqual(start.pointer, literal.utf8Start, count) {
            return start + count
        }
        throw wrongLiteral(literal, start, expectation)
    }

    /// Returns the error at the first byte that differs.
    @inline(never)
    private func wrongLiteral(
        _ literal: StaticString, _ start: ByteAddress, _ expectation: JSONSyntaxError.Expectation
    ) -> JSONSyntaxError {
        var position = 0
        while position < literal.utf8CodeUnitCount, start + position < end,
            unsafe start[position] == literal.utf8Start[position]
        {
            position += 1
        }
        return unexpected(expectation, at: start + position)
    }
}
