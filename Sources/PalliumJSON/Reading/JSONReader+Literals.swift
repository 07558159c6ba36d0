/// `null`, `true` and `false`.
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
        switch cursor.pointee {
        case UInt8(ascii: "t"):
            cursor = try passLiteral("true", cursor, .true)
            return true
        case UInt8(ascii: "f"):
            cursor = try passLiteral("false", cursor, .false)
            return false
        default: throw unexpected(.bool)
        }
    }

    /// The end of `literal`, which must stand at `start`.
    @inline(__always)
    mutating func passLiteral(
        _ literal: StaticString, _ start: UnsafePointer<UInt8>, _ expectation: JSONSyntaxError.Expectation
    ) throws(JSONSyntaxError) -> UnsafePointer<UInt8> {
        let count = literal.utf8CodeUnitCount
        if end - start >= count, EightBytes.areEqual(start, literal.utf8Start, count) { return start + count }
        throw wrongLiteral(literal, start, expectation)
    }

    /// The error at the first byte that differs.
    @inline(never)
    private func wrongLiteral(
        _ literal: StaticString, _ start: UnsafePointer<UInt8>, _ expectation: JSONSyntaxError.Expectation
    ) -> JSONSyntaxError {
        var position = 0
        while position < literal.utf8CodeUnitCount, start + position < end,
            start[position] == literal.utf8Start[position]
        {
            position += 1
        }
        return unexpected(expectation, at: start + position)
    }
}
