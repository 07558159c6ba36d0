/// Reads and writes hexadecimal digits in words of eight lanes (see ``ByteLanes``).
enum HexadecimalDigits {
    /// Whether the byte is one of `0…9`, `A…F`, `a…f`.
    @inline(__always)
    static func contains(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 5
    }

    /// The highest bit of every lane is set where the byte is no hexadecimal digit. The other bits mean nothing.
    @inline(__always)
    static func refusals(_ word: UInt64) -> UInt64 {
        let folded = word | ByteLanes.repeating(0x20)
        let isDigit = ByteLanes.atLeast(0x30, word) & ~ByteLanes.atLeast(0x3A, word)
        // Folding turns only letters into letters: it leaves bit 6, which all letters have, unchanged.
        let isLetter = ByteLanes.atLeast(0x61, folded) & ~ByteLanes.atLeast(0x67, folded)
        return ~(isDigit | isLetter) | word
    }

    /// Returns the number of eight digits, the first in lane 0. The lanes must contain only digits.
    @inline(__always)
    static func number(_ word: UInt64) -> UInt64 {
        // The low half of a letter's code is 1…6 where its value is 10…15; bit 6 marks letters.
        let values = (word & ByteLanes.repeating(0x0F)) &+ (word &>> 6 & ByteLanes.repeating(0x01)) &* 9
        let ordered = values.byteSwapped
        let bytes = (ordered | ordered &>> 4) & 0x00FF_00FF_00FF_00FF
        let pairs = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs &>> 16) & 0xFFFF_FFFF
    }

    /// Returns the eight upper case digits of a 32-bit number, the first one in lane 0.
    @inline(__always)
    static func text(_ number: UInt64) -> UInt64 {
        let pairs = (number | number &<< 16) & 0x0000_FFFF_0000_FFFF
        let bytes = (pairs | pairs &<< 8) & 0x00FF_00FF_00FF_00FF
        let values = ((bytes | bytes &<< 4) & ByteLanes.repeating(0x0F)).byteSwapped
        let isLetter = (values &+ ByteLanes.repeating(0x76)) &>> 7 & ByteLanes.repeating(0x01)
        return values &+ ByteLanes.repeating(0x30) &+ isLetter &* 7
    }
}
