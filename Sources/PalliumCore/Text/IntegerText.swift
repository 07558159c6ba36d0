package import PalliumJSON

/// Reads integers as JSON writes them: an optional minus sign, digits, no leading zero, nothing else.
package enum IntegerText {
    /// Reads a signed number, whose text must be all of `bytes`.
    ///
    /// `-0` is zero, as in JSON. Complexity: at most 20 bytes are read.
    ///
    /// - Returns: nil unless the text is a number of the grammar in the range of `Int64`.
    package static func parse(_ bytes: BorrowedBytes) -> Int64? {
        guard let first = bytes.first else {
            return nil
        }
        guard first == UInt8(ascii: "-") else {
            return parseUnsigned(bytes).flatMap { Int64(exactly: $0) }
        }
        guard let magnitude = parseUnsigned(bytes.part(from: 1)),
            magnitude <= Int64.min.magnitude
        else {
            return nil
        }
        // Two's complement negation, since the magnitude of the smallest number is not itself an Int64.
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    /// Reads a number without a sign, whose text must be all of `bytes`.
    ///
    /// Complexity: at most 20 bytes are read.
    ///
    /// - Returns: nil unless the text is a number of the grammar in the range of `UInt64`.
    package static func parseUnsigned(_ bytes: BorrowedBytes) -> UInt64? {
        // UInt64.max has 20 digits, and leading zeros are refused.
        guard bytes.count >= 1, bytes.count <= 20, bytes[0] != UInt8(ascii: "0") || bytes.count == 1 else {
            return nil
        }
        var value: UInt64 = 0
        for index in 0..<bytes.count {
            let digit = bytes[index] &- 0x30
            let (tenfold, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tenfold.addingReportingOverflow(UInt64(digit))
            guard digit <= 9, !overflows, !overflowsToo else {
                return nil
            }
            value = sum
        }
        return value
    }
}
