/// Arithmetic on eight bytes at a time in a plain 64-bit word.
///
///     word     b7 b6 b5 b4 b3 b2 b1 b0      b0 is the first byte in memory on every machine
///     flags    80 00 00 80 00 00 00 00      0x80 in each byte that has the wanted property
///
/// Invariant of the flag words: the lowest flag is exact. A subtraction borrows only from a byte that is itself
/// flagged, so every false flag is above a true one, and callers use only the lowest. Every load is unaligned and
/// inside memory that the caller has checked.
@usableFromInline
package enum EightBytes {
    /// The eight bytes at `pointer`, first byte lowest.
    @inlinable @inline(__always)
    package static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Flags the bytes of a string that need a closer look: `"`, `\`, below 0x20, above 0x7F.
    ///
    /// Exchanging 0x20 with 0x22 (`^ 0x02`) puts the quotation mark beside the control characters, so one
    /// subtraction finds both.
    @inlinable @inline(__always)
    static func flagsOfSpecialBytes(_ word: UInt64) -> UInt64 {
        let quoteOrControl = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (quoteOrControl | backslash | word) & 0x8080_8080_8080_8080
    }

    /// Flags the bytes a writer has to escape: `"`, `\\`, below 0x20. The last operand clears the flags of bytes above
    /// 0x7F, which need no escape.
    @inline(__always)
    static func flagsOfEscapedBytes(_ word: UInt64) -> UInt64 {
        let quoteOrControl = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (quoteOrControl | backslash) & ~word & 0x8080_8080_8080_8080
    }

    /// Flags the bytes that are `/`.
    @inline(__always)
    static func flagsOfSlashes(_ word: UInt64) -> UInt64 {
        ((word ^ 0x2F2F_2F2F_2F2F_2F2F) &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Flags the bytes that are `"` or `\`.
    @inlinable @inline(__always)
    package static func flagsOfStringEnds(_ word: UInt64) -> UInt64 {
        let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (quote | backslash) & ~word & 0x8080_8080_8080_8080
    }

    /// Whether no byte is CR or LF.
    @inline(__always)
    static func hasNoLineEnd(_ word: UInt64) -> Bool {
        let lineFeed = (word ^ 0x0A0A_0A0A_0A0A_0A0A) &- 0x0101_0101_0101_0101
        let carriageReturn = (word ^ 0x0D0D_0D0D_0D0D_0D0D) &- 0x0101_0101_0101_0101
        return (lineFeed | carriageReturn) & ~word & 0x8080_8080_8080_8080 == 0
    }

    /// The number that eight decimal digits stand for; nil if one of the bytes is no digit.
    ///
    /// Three multiplications add neighbours: to pairs, to fours, to the whole.
    @inlinable @inline(__always)
    static func decimalValue(_ word: UInt64) -> Int64? {
        let digits = word ^ 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        let pairs = digits &* 10 &+ digits &>> 8
        let first = pairs & 0x0000_00FF_0000_00FF
        let second = (pairs &>> 16) & 0x0000_00FF_0000_00FF
        let value = (first &* 0x000F_4240_0000_0064 &+ second &* 0x0000_2710_0000_0001) &>> 32
        return Int64(truncatingIfNeeded: value)
    }

    /// Index of the lowest flagged byte of a word that has a flag.
    @inlinable @inline(__always)
    package static func firstFlag(_ flags: UInt64) -> Int { flags.trailingZeroBitCount &>> 3 }

    /// Whether `count` bytes at both addresses are equal. Reads nothing outside the two ranges.
    @inlinable @inline(__always)
    package static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let left = unsafe UnsafeRawPointer(left)
        let right = unsafe UnsafeRawPointer(right)
        if count >= 8 {
            let last = count &- 8
            var position = 0
            while position < last {
                if unsafe left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    != right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                {
                    return false
                }
                position &+= 8
            }
            // The last eight bytes overlap what was compared before.
            return unsafe left.loadUnaligned(fromByteOffset: last, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        }
        if count >= 4 {
            let last = count &- 4
            return unsafe left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
                && left.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                    == right.loadUnaligned(fromByteOffset: last, as: UInt32.self)
        }
        if count >= 2 {
            let last = count &- 2
            return unsafe left.loadUnaligned(as: UInt16.self) == right.loadUnaligned(as: UInt16.self)
                && left.loadUnaligned(fromByteOffset: last, as: UInt16.self)
                    == right.loadUnaligned(fromByteOffset: last, as: UInt16.self)
        }
        return unsafe count == 0 || left.load(as: UInt8.self) == right.load(as: UInt8.self)
    }
}
