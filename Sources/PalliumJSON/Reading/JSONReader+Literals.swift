/// Reads `null`, `true` and `false`.
///
/// Safety: a byte is read after the cursor was compared with the end.
extension JSONReader {
    /// Consumes `null`.
    package mutating func readNull() throws(JSONSyntaxError) {
        skipWhitespace()
        unsafe cursor = try passLiteral("null", cursor, .null)
    }

    /// Consumes `true` or `false`.
    package mutating func readBool() throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        guard unsafe cursor < end else { throw unexpected(.bool) }
        switch unsafe cursor.pointee {
        case UInt8(ascii: "t"):
            unsafe cursor = try passLiteral("true", cursor, .true)
            return true
        case UInt8(ascii: "f"):
            unsafe cursor = try passLiteral("false", cursor, .false)
            return false
        default: throw unexpected(.bool)
        }
    }

    /// Returns the end of `literal`, which must be at `start`.
    @inline(__always)
    mutating func passLiteral(
        _ literal: StaticString, _ start: UnsafePointer<UInt8>, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        let count = literal.utf8CodeUnitCount
        if unsafe end - start >= count, unsafe EightBytes.areEqual(start, literal.utf8Start, count) {
            return unsafe start + count
        }
        throw unsafe wrongLiteral(literal, start, expectation)
    }

    /// Returns the error at the first byte that differs.
    @inline(never)
    private func wrongLiteral(
        _ literal: StaticString, _ start: UnsafePointer<UInt8>, _ expectation: JSONSyntaxError.Expectation
    ) -> JSONSyntaxError {
        var position = 0
        while position < literal.utf8CodeUnitCount, unsafe start + position < end,
            unsafe start[position] == literal.utf8Start[position]
        {
            position += 1
        }
        return unsafe unexpected(expectation, at: start + position)
    }
}
