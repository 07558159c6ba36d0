package import Foundation
package import PalliumJSON

/// Reads UUIDs as text of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562, section 4).
///
///     4A275FBD-8217-4397-964B-403F4C2B8545
///     0        9    14   19   24
///
/// Lower case is read, too, as Mantle and `UUID` do (conformance rows C263 and C265). `UUID(uuidString:)` is not used: it
/// accepts signs and white space in place of digits.
package enum UUIDText {
    /// Reads a UUID, whose text must be all of `bytes`.
    package static func parse(_ bytes: BorrowedBytes) -> UUID? {
        guard bytes.count == 36 else { return nil }
        var number: UInt128 = 0
        for position in 0..<36 {
            let byte = bytes[position]
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard URLText.isHexadecimalDigit(byte) else { return nil }
                // Bit 6 marks letters, whose low half is 1…6 where their value is 10…15.
                number = number << 4 | UInt128(byte & 0x0F + (byte >> 6) * 9)
            }
        }
        // Big endian order puts the first digits of the text first.
        return UUID(bigEndian: number)
    }
}

extension UUID {
    /// The UUID of a number whose highest byte is the first.
    fileprivate init(bigEndian number: UInt128) {
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> UInt128(8 * (15 - index))) }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
