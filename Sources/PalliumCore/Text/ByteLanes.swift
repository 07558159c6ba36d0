/// Eight bytes of text in one machine word, the first byte in the lowest eight bits.
///
///     text     2   0   2   6   -   0   7   -
///     word   [ 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 ]   lane 0 is bits 0…7, lane 7 is bits 56…63
///
/// A few additions test all eight bytes, instead of eight comparisons. The invariant of every function here: a sum of
/// two lanes below 128 stays below 256, so no carry crosses into the next lane. Lanes of 128 and above (bytes that are
/// not ASCII) break it, so callers also test ``highBits``.
enum ByteLanes {
    /// The highest bit of every lane: set in a word exactly when some byte is not ASCII.
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The decimal digits of `number` (0…99) as values, tens in lane 0 and ones in lane 1.
    ///
    /// 103 / 1024 is close enough to 1 / 10 for every number below 100.
    @inline(__always)
    static func twoDigits(_ number: Int) -> UInt64 {
        let tens = (UInt64(truncatingIfNeeded: number) &* 103) &>> 10
        return tens | (UInt64(truncatingIfNeeded: number) &- tens &* 10) &<< 8
    }
}
